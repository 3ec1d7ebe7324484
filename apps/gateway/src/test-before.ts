import type { RequestListener } from 'node:http';
import type { Answer, Question } from './test-client.js';
import { startReader, type TestGateway } from './test-gateway.js';
import { says, startUpstream, type TestUpstream } from './test-upstream.js';

/** A gateway before a real server that stands for one of the other apps, for the tests of one file. */
export interface Before {
  /** Asks the gateway. */
  ask(question: Question): Promise<Answer>;
  /** From now on the other app answers so. */
  answers(listener: RequestListener): void;
  /** What the other app was asked, oldest first. */
  readonly asked: TestUpstream['asked'];
}

/** To be called once at the top of a spec: starts both before its tests, and closes both after. */
export function gatewayBefore(
  app: 'CATALOG_URL' | 'OFFSETS_URL',
  settings: Readonly<Record<string, string>> = {},
): Before {
  let answer: RequestListener = says(200, 'application/json; charset=utf-8', '[]');
  let started: { readonly gateway: TestGateway; readonly other: TestUpstream } | undefined;
  const both = () => {
    if (started === undefined) throw new Error('gatewayBefore is for use within tests');
    return started;
  };
  beforeAll(async () => {
    const other = await startUpstream((request, response) => answer(request, response));
    started = { other, gateway: await startReader({ ...settings, [app]: other.url }) };
  });
  afterAll(async () => {
    await both().gateway.close();
    await both().other.close();
  });
  return {
    ask: (question) => both().gateway.ask(question),
    answers: (listener) => {
      answer = listener;
    },
    get asked() {
      return both().other.asked;
    },
  };
}
