import { quietNegativeTimeouts } from './quiet-negative-timeouts.js';

describe('the filter of negative time-outs', () => {
  const filtered = () => {
    const seen: unknown[] = [];
    const source = { emitWarning: (...args: unknown[]) => void seen.push(args) };
    quietNegativeTimeouts(source);
    return { source, seen };
  };
  const emitFrom = (file: string) => {
    // A function whose stack frame bears that file.
    return new Function(
      'source',
      'name',
      `source.emitWarning('-5 is a negative number.', name);\n//# sourceURL=${file}`,
    );
  };
  const theirs = emitFrom('/app/node_modules/kafkajs/src/network/requestQueue/index.js');

  it('drops the one of kafkajs', () => {
    const { source, seen } = filtered();
    theirs(source, 'TimeoutNegativeWarning');
    expect(seen).toEqual([]);
  });

  it('lets the same from others through, and others from kafkajs', () => {
    const { source, seen } = filtered();
    emitFrom('/app/dist/clock.js')(source, 'TimeoutNegativeWarning');
    theirs(source, 'DeprecationWarning');
    expect(seen).toHaveLength(2);
  });

  it('is put in place once', () => {
    const { source } = filtered();
    const before = source.emitWarning;
    quietNegativeTimeouts(source);
    expect(source.emitWarning).toBe(before);
  });
});
