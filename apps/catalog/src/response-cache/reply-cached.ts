import { disconnectSignal, type JsonResponse, jsonResponse, sendCached, setCachedAge } from '@carbon/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseCache } from './response-cache.js';

/**
 * Replies with a document as JSON: with the one that is cached under the key, or with the one that `find` finds.
 * @param find gets a signal that aborts when every client has disconnected
 */
export async function replyCached(
  cache: ResponseCache<JsonResponse>,
  key: string,
  find: (signal: AbortSignal) => Promise<object>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const fetch = async (requestedAt: number, abandoned: AbortSignal) => {
    return jsonResponse(requestedAt, Buffer.from(JSON.stringify(await find(abandoned))));
  };
  const response = await cache.get(key, fetch, disconnectSignal(reply));
  setCachedAge(reply, response);
  sendCached(request, reply, response);
}
