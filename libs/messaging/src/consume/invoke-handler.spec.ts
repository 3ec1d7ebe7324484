import type { MessageHandler } from '@nestjs/microservices';
import { EMPTY, of, throwError } from 'rxjs';
import { MaskedError } from '../pipeline/masked-error.js';
import { invokeHandler } from './invoke-handler.js';

describe('calling a handler', () => {
  const batch = { topic: 'offset.requested', partition: 0, messages: [] } as const;
  const answers = (answer: () => unknown) => invokeHandler((async () => answer()) as MessageHandler, batch);
  const rejected = [{ position: 3n, code: 'not_ours', detail: 'of another account' }];

  it.each([
    ['nothing', () => undefined],
    ['an empty stream', () => EMPTY],
    ['something that is no list', () => 42],
  ])('takes %s for all done', async (_what, answer) => {
    await expect(answers(answer)).resolves.toEqual([]);
  });

  it('takes a list, or a stream of one, for the rejected', async () => {
    await expect(answers(() => rejected)).resolves.toEqual(rejected);
    await expect(answers(() => of(rejected))).resolves.toEqual(rejected);
  });

  it('does not guess at a list of something else', async () => {
    await expect(answers(() => [{ position: 3, code: 'Not ours' }])).rejects.toThrow();
  });

  it('passes on an error as it is, from a promise or a stream', async () => {
    const error = new Error('no');
    await expect(
      answers(() => {
        throw error;
      }),
    ).rejects.toBe(error);
    await expect(answers(() => throwError(() => error))).rejects.toBe(error);
  });

  it('tells an error that was hidden by a filter', async () => {
    const masked = { status: 'error', message: 'Internal server error' };
    await expect(answers(() => throwError(() => masked))).rejects.toThrow(MaskedError);
  });
});
