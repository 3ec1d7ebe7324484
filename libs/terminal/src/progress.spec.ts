import { Progress } from './progress.js';

function screen(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) > 0 };
}

describe('progress', () => {
  it('changes one line in place on a terminal, ten times a second, and clears it for what stays', () => {
    const terminal = screen(true);
    let now = 0;
    const progress = new Progress(terminal, () => now);
    for (; now <= 200; now += 50) progress.show(`at ${now}`);
    progress.say('done');
    expect(terminal.written).toEqual(['\r\u001b[Kat 100', '\r\u001b[Kat 200', '\r\u001b[Kdone\n']);
  });

  it('writes plain lines elsewhere, one every five seconds', () => {
    const pipe = screen(false);
    let now = 0;
    const progress = new Progress(pipe, () => now);
    for (; now <= 11_000; now += 1_000) progress.show(`at ${now}`);
    progress.say('done');
    expect(pipe.written).toEqual(['at 5000\n', 'at 10000\n', 'done\n']);
  });
});
