import { stripVTControlCharacters } from 'node:util';

/** Where the launcher shows what it does: lines that stay, and on a terminal one last line that changes. */
export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** What is going on now. On a terminal it replaces the one before; elsewhere it is a plain line every few seconds. */
  status(text: string): void;
}

const PLAIN_EVERY_MS = 10_000;
const USUAL_COLUMNS = 80;
const CLEAR_LINE = '\r\u001b[2K';

/** The screen of this stream. */
export function screenOf(out: NodeJS.WriteStream, now: () => number = Date.now): Screen {
  // Whoever read us may be gone (a closed terminal, `| head`); that is no reason to end.
  out.on('error', () => {});
  return out.isTTY ? terminalScreen(out) : plainScreen(out, now);
}

function terminalScreen(out: NodeJS.WriteStream): Screen {
  let shown = '';
  return {
    line: (text) => out.write(`${CLEAR_LINE}${text}\n${shown}`),
    status: (text) => {
      shown = stripVTControlCharacters(text).slice(0, (out.columns || USUAL_COLUMNS) - 1);
      out.write(`${CLEAR_LINE}${shown}`);
    },
  };
}

function plainScreen(out: NodeJS.WriteStream, now: () => number): Screen {
  let last = { text: '', at: now() };
  return {
    line: (text) => out.write(`${text}\n`),
    status: (text) => {
      if (text === '' || text === last.text || now() - last.at < PLAIN_EVERY_MS) return;
      last = { text, at: now() };
      out.write(`${text}\n`);
    },
  };
}
