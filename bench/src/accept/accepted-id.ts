import type { Dispatcher } from 'undici';
import { z } from 'zod';

const accepted = z.object({ message: z.string() });

/** Returns the id of a new offset. @throws Error if the response is not a 202 with one */
export async function acceptedId({ statusCode, body }: Dispatcher.ResponseData): Promise<string> {
  const text = await body.text();
  const id = statusCode === 202 && /off_[0-9a-z]{26}/.exec(accepted.parse(JSON.parse(text)).message)?.[0];
  if (!id) throw new Error(`POST /v1/offsets: ${statusCode} ${text.slice(0, 500)}`);
  return id;
}
