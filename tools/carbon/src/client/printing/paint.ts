import { styleText } from 'node:util';

/** Colours a text, where it goes to a terminal and NO_COLOR is not set. */
export type Paint = (format: 'bold' | 'dim' | 'red', text: string) => string;

/** The colours of a stream. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream });
}
