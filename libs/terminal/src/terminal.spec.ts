import { Writable } from 'node:stream';
import fc from 'fast-check';
import { isLoopback, readMoment } from './arguments.js';
import { OutputClosed } from './errors.js';
import { ProgressReporter } from './progress-reporter.js';
import { TerminalOutput } from './terminal-output.js';
import { printable, printableJson, printableLines } from './text.js';

describe('untrusted text', () => {
  const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

  it('is printed unchanged, except for control sequences', () => {
    expect(printable('Zürich 森林 🌳')).toBe('Zürich 森林 🌳');
    expect(printable('\u001b]0;title\u0007 \u009b31m \u202e \u200b \ud800')).toBe(
      '\\u{1b}]0;title\\u{7} \\u{9b}31m \\u{202e} \\u{200b} \\u{d800}',
    );
    expect(printableLines('a\tb\nc\rd')).toBe('a\tb\nc\\u{d}d');
  });

  it('is the same JSON, without control sequences', () => {
    const texts = fc.string({ unit: 'binary' }).map((text) => JSON.stringify({ text }));
    const anything = fc.oneof(fc.json({ stringUnit: 'binary' }), texts);
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 2), (json, indent) => {
        const value = JSON.parse(json);
        const text = printableJson(value, indent);
        expect(JSON.parse(text)).toEqual(value);
        expect(OBEYED.test(text.replaceAll('\n', ''))).toBe(false);
      }),
    );
  });
});

describe('an address', () => {
  it('is on this machine only with a name or an address of it', () => {
    const local = ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'];
    const others = ['http://10.0.0.7:3000', 'http://api.example', 'http://127.0.0.1.example:3000'];
    const hidden = ['http://localhost@api.example', 'http://0.0.0.0:3000', 'localhost'];
    expect([...local, ...others, ...hidden].filter(isLoopback)).toEqual(local);
  });
});

describe('the progress of a command', () => {
  const reporterOf = (isTTY: boolean, more: object = {}) => {
    const written: string[] = [];
    const clock = { now: 0 };
    const output = { isTTY, write: (text: string) => written.push(text) > 0, ...more };
    return { written, clock, reporter: new ProgressReporter(output, () => clock.now) };
  };

  it('changes one line in place on a terminal, ten times a second, and clears it before other output', () => {
    const { written, clock, reporter } = reporterOf(true);
    for (; clock.now <= 200; clock.now += 50) reporter.progress(`at ${clock.now}`);
    reporter.say('done');
    reporter.say('and over');
    expect(written).toEqual(['\r\u001b[Kat 100', '\r\u001b[Kat 200', '\r\u001b[K', 'done\n', 'and over\n']);
  });

  it.each([undefined, 0])('is printed on a terminal that does not report its width: %j columns', (columns) => {
    const { written, clock, reporter } = reporterOf(true, { columns });
    clock.now = 100;
    reporter.progress('x'.repeat(100));
    expect(written).toEqual([`\r\u001b[K${'x'.repeat(78)}…`]);
  });

  it('writes plain lines elsewhere, one every five seconds', () => {
    const { written, clock, reporter } = reporterOf(false);
    for (; clock.now <= 11_000; clock.now += 1_000) reporter.progress(`at ${clock.now}`);
    reporter.say('done');
    expect(written).toEqual(['at 5000\n', 'at 10000\n', 'done\n']);
  });
});

describe('a moment on a command line', () => {
  const NOW = Date.parse('2026-11-21T08:00:00Z');

  it.each<[string, string]>([
    ['2026-11-21T07:30:00+02:00', '2026-11-21T05:30:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['90m', '2026-11-21T06:30:00.000Z'],
    ['2d', '2026-11-19T08:00:00.000Z'],
    ['999999999d', '1970-01-01T00:00:00.000Z'],
  ])('is a time with its zone, or how long ago: %j is %j', (text, moment) => {
    expect(readMoment(text, NOW).toISOString()).toBe(moment);
  });

  it.each(['', 'now', '2026-11-21T08:00', '2026-13-01', '2026-11-31', '2026-02-29T08:00Z', '5w', '-5m', '1.5h'])(
    'is not %j',
    (text) => {
      expect(() => readMoment(text, NOW)).toThrow('must be a time');
    },
  );
});

describe('the output of a command', () => {
  const failing = (code: string) =>
    new Writable({ write: (_part, _encoding, done) => done(Object.assign(new Error(code), { code })) }).on(
      'error',
      () => {},
    );
  const outputTo = (stdout: Writable, continueWhenClosed = false) =>
    new TerminalOutput({ stdout, stderr: new Writable() }, { continueWhenClosed });

  it('ends a command whose reader is gone, unless the command changes something or returns a verdict', async () => {
    await expect(outputTo(failing('EPIPE')).items([{}], () => [])).rejects.toThrow(OutputClosed);
    const output = outputTo(failing('EPIPE'), true);
    await output.items([{}], () => []);
    await output.items([{}], () => []);
  });

  it('fails when it cannot be written', async () => {
    const written = outputTo(failing('ENOSPC'), true).items([{}], () => []);
    await expect(written).rejects.toThrow('The output cannot be written: ENOSPC');
  });

  it('removes control sequences and keys from messages', () => {
    const written: string[] = [];
    const reporter = new ProgressReporter({ write: (text) => written.push(text) > 0 });
    reporter.say(`line 1: "\u001b[2J\u202e" is unknown, cl_live_0123456789ab_${'a'.repeat(49)}`);
    expect(written).toEqual(['line 1: "\\u{1b}[2J\\u{202e}" is unknown, cl_live_0123456789ab_…\n']);
  });
});
