import { type LogEntry, logLevel } from 'kafkajs';
import { logBridge } from './log-bridge.js';

describe("kafkajs' log", () => {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object, message: string) => lines.push([level, message, fields]);
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const log = (level: logLevel, more: object) => {
    const entry: LogEntry = {
      namespace: 'Producer',
      level,
      label: '',
      log: { timestamp: '', message: 'Connection lost', ...more },
    };
    logBridge(logger)(logLevel.INFO)(entry);
    return lines.pop();
  };

  it('is a warning where it says error, and our names stand for its', () => {
    const line = log(logLevel.ERROR, {
      broker: 'b:1',
      groupId: 'g',
      offset: '7',
      error: new Error('reset'),
      retryCount: 2,
    });
    const fields = { name: 'kafkajs Producer', address: 'b:1', group: 'g', position: '7', reason: 'reset', attempt: 2 };
    expect(line).toEqual(['warn', 'Connection lost', fields]);
  });

  it('never brings along what a message holds', () => {
    expect(log(logLevel.INFO, { payload: 'secret', key: 'k', stack: 's' })).toEqual([
      'debug',
      'Connection lost',
      { name: 'kafkajs Producer' },
    ]);
  });
});
