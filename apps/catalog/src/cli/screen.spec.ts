import { Screen } from './screen.js';

function shownOn(isTTY: boolean, work: (screen: Screen, wait: (ms: number) => void) => void): string {
  let now = 0;
  const texts: string[] = [];
  const wait = (ms: number) => {
    now += ms;
  };
  work(new Screen({ isTTY, write: (text) => texts.push(text) > 0 }, () => now), wait);
  return texts.join('');
}

describe('what a command shows', () => {
  const work = (screen: Screen, wait: (ms: number) => void) => {
    for (let percent = 0; percent < 12; percent += 1) {
      screen.show(`${percent} %`);
      wait(1_000);
    }
    screen.say('done');
  };

  it('is a plain line every five seconds where there is no terminal', () => {
    expect(shownOn(false, work)).toBe('0 %\n5 %\n10 %\ndone\n');
  });

  it('is one line that changes in place on a terminal', () => {
    const shown = shownOn(true, work);
    expect(shown.split('\n')).toHaveLength(2);
    expect(shown.endsWith('\r\u001b[K11 %\r\u001b[Kdone\n')).toBe(true);
  });
});
