import { isNativeError } from 'node:util/types';
import type { MessageHandler } from '@nestjs/microservices';
import { from, isObservable, lastValueFrom } from 'rxjs';
import { z } from 'zod';
import { MaskedError } from '../pipeline/masked-error.js';
import type { ReceivedBatch, Rejected } from '../pipeline/received.js';

const rejections = z.array(
  z.object({ position: z.bigint(), code: z.string().regex(/^[a-z0-9_]{1,64}$/), detail: z.string() }),
);

/**
 * Calls a handler as Nest has wrapped it: it gives a promise of a value or of a stream, and its guards, pipes and
 * interceptors stand around it. Only a list it returns means anything: the rejected. @throws what the handler threw, unmasked, else MaskedError
 */
export async function invokeHandler(handler: MessageHandler, batch: ReceivedBatch): Promise<readonly Rejected[]> {
  const result = await settled(handler, batch);
  return Array.isArray(result) ? rejections.parse(result) : [];
}

async function settled(handler: MessageHandler, batch: ReceivedBatch): Promise<unknown> {
  try {
    const result: unknown = await handler(batch);
    return isObservable(result) ? await lastValueFrom(from(result), { defaultValue: undefined }) : result;
  } catch (error) {
    throw isNativeError(error) || error instanceof Error ? error : new MaskedError(error);
  }
}
