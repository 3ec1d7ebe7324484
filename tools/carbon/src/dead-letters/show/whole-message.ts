import type { MessageContent } from '@carbon/messaging';
import type { DeadLetters } from '../dead-letters.js';
import { contentOf, type DeadLetter } from '../letter/letter.js';

/** The message that a letter was made of; or why it cannot be had any more. */
export type Whole = { readonly message: MessageContent } | { readonly gone: string };

/**
 * The message as its consumer got it. A letter holds it whole unless it was too large for the dead-letter topic; then it is
 * taken from where it first lay, if it still lies there.
 */
export async function wholeMessage(letters: DeadLetters, letter: DeadLetter): Promise<Whole> {
  const { cutBytes, origin, place } = letter;
  if (cutBytes === 0) return { message: contentOf(letter) };
  if (origin === undefined) return { gone: `${cutBytes} bytes were cut off, and nothing says where the original lies` };
  const where = `${place.topic}/${origin.partition}:${origin.position}`;
  const message = await letters.messageAt(place.topic, origin);
  if (message === undefined) {
    return { gone: `${cutBytes} bytes were cut off, and the original at ${where} is no longer kept` };
  }
  return isOriginal(letter, message)
    ? { message }
    : { gone: `${cutBytes} bytes were cut off, and another message lies at ${where} now` };
}

/** The topic may have been made anew since, and its positions begun again. */
function isOriginal({ raw, cutBytes }: DeadLetter, found: MessageContent): boolean {
  const rest = raw.value ?? Buffer.alloc(0);
  const value = found.value ?? Buffer.alloc(0);
  const isSameKey = raw.key === null || (found.key !== null && raw.key.equals(found.key));
  return isSameKey && value.length === rest.length + cutBytes && value.subarray(0, rest.length).equals(rest);
}
