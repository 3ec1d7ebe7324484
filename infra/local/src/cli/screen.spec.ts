import { PassThrough } from 'node:stream';
import { screenOf } from './screen.js';

/** Something to write to that remembers, as a terminal of that width or as a file. */
function output(columns?: number) {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  const out = Object.assign(stream, { isTTY: columns !== undefined, columns }) as unknown as NodeJS.WriteStream;
  return { out, text: () => text };
}

describe('the screen', () => {
  it('rewrites its last line on a terminal, and keeps it below the lines that stay', () => {
    const { out, text } = output(80);
    const screen = screenOf(out);
    screen.status('waiting');
    screen.line('kafka is ready');
    expect(text()).toBe('\r\u001b[2Kwaiting\r\u001b[2Kkafka is ready\nwaiting');
  });

  it('cuts that line to the terminal’s width, since a wrapped one cannot be rewritten', () => {
    const { out, text } = output(11);
    screenOf(out).status('waiting for kafka');
    expect(text()).toBe('\r\u001b[2Kwaiting fo');
  });

  it('writes plain lines elsewhere, and what goes on only every ten seconds', () => {
    const { out, text } = output();
    let now = 0;
    const screen = screenOf(out, () => now);
    screen.line('kafka is ready');
    screen.status('waiting 1 s');
    now = 10_000;
    screen.status('waiting 10 s');
    now = 11_000;
    screen.status('waiting 11 s');
    expect(text()).toBe('kafka is ready\nwaiting 10 s\n');
  });
});
