import type { Dispatcher } from 'undici';
import type { UpstreamResponse } from './upstream-response.js';

/**
 * Collects one response. undici's own `request` gives every body a stream, which costs more than the rest of a short call.
 */
export class ResponseCollector implements Dispatcher.DispatchHandler {
  /** Rejects with the reason of the signal when it aborts. */
  readonly response: Promise<UpstreamResponse>;
  private readonly settle = Promise.withResolvers<UpstreamResponse>();
  private readonly chunks: Buffer[] = [];
  private head: Pick<UpstreamResponse, 'status' | 'headers'> = { status: 0, headers: {} };
  private controller: Dispatcher.DispatchController | undefined;

  constructor(private readonly signal: AbortSignal) {
    this.response = this.settle.promise;
    signal.addEventListener('abort', this.abort);
    if (signal.aborted) this.abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal.aborted) this.abort();
  }

  onResponseStart(_: unknown, status: number, headers: UpstreamResponse['headers']): void {
    // Informational responses come before.
    this.head = { status, headers };
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this.abort);
    const [first] = this.chunks;
    const body = first !== undefined && this.chunks.length === 1 ? first : Buffer.concat(this.chunks);
    this.settle.resolve({ ...this.head, body });
  }

  onResponseError(_: unknown, error: Error): void {
    this.signal.removeEventListener('abort', this.abort);
    this.settle.reject(error);
  }

  private readonly abort = (): void => {
    // There is no controller before undici has a connection, which may take longer than the caller's deadline.
    this.settle.reject(this.signal.reason);
    this.controller?.abort(this.signal.reason);
  };
}
