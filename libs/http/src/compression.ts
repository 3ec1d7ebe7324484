import { negotiate } from '@fastify/accept-negotiator';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The content codings that a server offers, preferred first: zstd takes the least processor time for about the same size. */
const ENCODINGS: ('zstd' | 'br' | 'gzip')[] = ['zstd', 'br', 'gzip'];

/** Bodies of fewer bytes are sent as they are. */
const THRESHOLD_BYTES = 1_024;

/** What the responses of a compressing server depend on. In lower case, as the plugin looks for it. */
export const VARY_BY_ENCODING = 'accept-encoding';

/**
 * Compresses the responses of all routes added from now on for clients that accept it (RFC 9110, 12.5.3), each with an
 * entity tag of its own: `"tag"` becomes `"tag.br"`, as a strong tag stands for the same bytes. Request bodies are never
 * decompressed: a small one could become a huge one.
 */
export async function compressResponses(instance: FastifyInstance): Promise<void> {
  await instance.register(compress, {
    encodings: ENCODINGS,
    threshold: THRESHOLD_BYTES,
    globalDecompression: false,
  });
  instance.addHook('onRequest', (request, _reply, done) => {
    acceptEncodedTags(request);
    done();
  });
  // Hooks of the instance run before those of a route, and the plugin's are the route's.
  instance.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? [], setEncodedTag].flat();
    // Fastify's hook of a HEAD route takes the length of the body and drops it, so it comes last.
    const isLast = ({ name }: { readonly name: string }) => name === 'headRouteOnSendHandler';
    route.onSend = [...hooks.filter((hook) => !isLast(hook)), ...hooks.filter(isLast)];
  });
}

/** Returns the tag to send with 304: that of the encoded response if the client has it, otherwise `etag`. */
export function storedTag({ headers }: FastifyRequest, etag: string): string {
  const encoding = encodingOf(headers, ENCODINGS);
  const encoded = encoding === undefined ? etag : tagOf(etag, encoding);
  return headers['if-none-match']?.includes(encoded) ? encoded : etag;
}

/** Adds to `If-None-Match` the tags without the encoding, so that whoever compares tags need not know of encodings. */
function acceptEncodedTags({ raw: { headers } }: FastifyRequest): void {
  const tags = headers['if-none-match'];
  const encoding = tags === undefined ? undefined : encodingOf(headers, ENCODINGS);
  if (tags === undefined || encoding === undefined) return;
  // A response in another encoding that this client may have is not the one it would get.
  if (tags.includes(`.${encoding}"`)) headers['if-none-match'] = `${tags}, ${tags.replaceAll(`.${encoding}"`, '"')}`;
}

function setEncodedTag(_request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void): void {
  const encoding = reply.getHeader('content-encoding');
  const etag = reply.getHeader('etag');
  const isEncoded = typeof encoding === 'string' && typeof etag === 'string';
  // A file that is stored compressed has such a tag already.
  if (isEncoded && !etag.endsWith(`.${encoding}"`)) void reply.header('etag', tagOf(etag, encoding));
  done();
}

function tagOf(etag: string, encoding: string): string {
  return etag.replace(/"$/, `.${encoding}"`);
}

/** Returns the first of the codings that a client prefers, as the plugin negotiates: `*`, and the old name `x-gzip`, mean gzip. */
export function encodingOf<E extends string>(
  { 'accept-encoding': accepted }: FastifyRequest['headers'],
  encodings: readonly E[],
): E | undefined {
  if (typeof accepted !== 'string') return undefined;
  const found = negotiate(accepted.toLowerCase().replace(/\*|x-gzip/g, 'gzip'), [...encodings]);
  return encodings.find((one) => one === found);
}
