import { ApiError } from '@carbon/http';
import { Injectable } from '@nestjs/common';
import type { AdmissionContext, AdmissionStep } from '../limits/admission.js';
import { RateLimiter } from '../limits/rate-limiter.js';
import { Authenticator } from './authenticator.js';

/**
 * Authenticates the caller, and limits failed authentications per address: above the limit, requests without a valid key get 429
 * instead of 401, whatever is wrong with the key. A valid key is still accepted, because callers may share a proxy's address.
 */
@Injectable()
export class AuthenticationStep implements AdmissionStep {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws RequestError `unauthorized`, or `rate_limited` instead */
  admit(context: AdmissionContext): void | Promise<void> {
    try {
      context.caller = this.authenticator.authenticate(context.request);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'unauthorized') throw error;
      return this.countFailure(context, error);
    }
  }

  private countFailure(context: AdmissionContext, unauthorized: ApiError): Promise<void> {
    const counted = this.limiter.admitFailedAuthentication(context);
    if (counted === undefined) throw unauthorized;
    return counted.then(() => Promise.reject(unauthorized));
  }
}
