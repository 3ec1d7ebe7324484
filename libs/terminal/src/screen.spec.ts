import { Screen } from './screen.js';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) > 0 };
}

describe('the screen of a command', () => {
  it('changes one line in place on a terminal, ten times a second, and clears it for what stays', () => {
    const tty = terminal(true);
    let now = 0;
    const screen = new Screen(tty, () => now);
    for (; now <= 200; now += 50) screen.show(`at ${now}`);
    screen.say('done');
    screen.say('and over');
    expect(tty.written).toEqual(['\r\u001b[Kat 100', '\r\u001b[Kat 200', '\r\u001b[Kdone\n', 'and over\n']);
  });

  it.each([undefined, 0])('is not silent on a terminal that does not say how wide it is: %j columns', (columns) => {
    const tty = { ...terminal(true), columns };
    let now = 0;
    const screen = new Screen(tty, () => now);
    now = 100;
    screen.show('x'.repeat(100));
    expect(tty.written).toEqual([`\r\u001b[K${'x'.repeat(78)}…`]);
  });

  it('writes plain lines elsewhere, one every five seconds', () => {
    const pipe = terminal(false);
    let now = 0;
    const screen = new Screen(pipe, () => now);
    for (; now <= 11_000; now += 1_000) screen.show(`at ${now}`);
    screen.say('done');
    expect(pipe.written).toEqual(['at 5000\n', 'at 10000\n', 'done\n']);
  });
});
