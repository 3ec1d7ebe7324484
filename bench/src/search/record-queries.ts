import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { waitUntil } from '@carbon/local';
import { type Dispatcher, Pool, request } from 'undici';
import { z } from 'zod';
import { type LoadRequest, numbered } from '../load/load.js';
import { internalHeaders, type Stage } from '../stage.js';
import { gatewayRequest, SEARCHES } from './queries.js';

/** A request to OpenSearch. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A proxy of OpenSearch that records every request. */
export interface Recorder {
  readonly url: string;
  readonly questions: readonly Question[];
  close(): Promise<void>;
}

/** Opens a proxy. It is closed before anything is measured. */
export async function openRecorder(opensearchUrl: string): Promise<Recorder> {
  const questions: Question[] = [];
  const pool = new Pool(opensearchUrl, { connections: 16 });
  const pass = async (question: IncomingMessage, answer: ServerResponse) => {
    const body = await buffer(question);
    const { method = 'GET', url: path = '/', headers } = question;
    questions.push({ method, path, body: body.toString() });
    const type = headers['content-type'];
    const onward = await pool.request({
      method: method as 'GET',
      path,
      headers: type === undefined ? {} : { 'content-type': type },
      ...(body.length > 0 && { body }),
    });
    const found = Buffer.from(await onward.body.arrayBuffer());
    // OpenSearch's client checks the type of a response, and reads it by its length.
    answer.writeHead(onward.statusCode, { 'content-type': 'application/json' }).end(found);
  };
  const server = createServer((question, answer) => void pass(question, answer).catch(() => answer.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await pool.close();
    },
  };
}

/** Six digits that are nowhere else in a query. */
const MARK = 123_457;
const COLD_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Returns what the catalog sends to OpenSearch for each of the searches: paths and bodies, with `{n}` where a search
 * has it. They are recorded with a second catalog, so that no proxy slows down the measured one.
 */
export async function recordQueries(stage: Stage, prefix: string): Promise<LoadRequest[]> {
  const recorder = await openRecorder(stage.engines.opensearchUrl);
  const system = await stage.start({
    engines: { ...stage.engines, opensearchUrl: recorder.url },
    topicPrefix: prefix,
    indexPrefix: prefix,
    apps: { gateway: { instances: 0 }, offsets: { instances: 0 } },
  });
  try {
    const found: LoadRequest[] = [];
    const asGateway = internalHeaders(system, 'default');
    for (const search of SEARCHES) {
      await awaitAnswer(system.urls.catalog, numbered(gatewayRequest(search), MARK - 1), asGateway);
      await answerOf(system.urls.catalog, numbered(gatewayRequest(search), MARK), asGateway);
      found.push(extractQuery(recorder.questions, found.length));
    }
    return found;
  } finally {
    await system.stop();
    await recorder.close();
  }
}

/** Returns the one request of the last search. */
function extractQuery(questions: readonly Question[], before: number): LoadRequest {
  const marked = questions.filter(({ body }) => body.includes(String(MARK)));
  const [question] = marked.slice(before);
  if (question === undefined || marked.length !== before + 1) {
    throw new Error(`A search must be one request to OpenSearch; these are ${marked.length - before}.`);
  }
  return { method: 'POST', path: question.path, body: question.body.replaceAll(String(MARK), '{n}') };
}

const assets = z.array(z.object({ name: z.string() }));
const hits = z.object({ hits: z.object({ hits: z.array(z.object({ _source: z.object({ name: z.string() }) })) }) });

/** The share of the searches that must find something: a small library lacks what some ask for. */
const MIN_SHARE_FOUND = 0.9;

/**
 * Expects that both paths find the same for every search, and something for most.
 * @param ours the searches as requests to a gateway
 * @throws Error naming the search for which they do not
 */
export async function compareAnswers(
  ours: { readonly origin: string; readonly requests: readonly LoadRequest[] },
  opensearch: string,
  direct: readonly LoadRequest[],
): Promise<void> {
  let found = 0;
  for (const [place, request] of ours.requests.entries()) {
    const names = assets.parse(await answerOf(ours.origin, numbered(request, MARK))).map(({ name }) => name);
    const theirs = hits.parse(await answerOf(opensearch, numbered(direct[place] as LoadRequest, MARK))).hits.hits;
    // OpenSearch gets a limit of one more, to know whether there is a next page.
    const isSame = names.every((name, at) => theirs[at]?._source.name === name) && theirs.length - names.length <= 1;
    if (!isSame) throw new Error(`Both paths must find the same: ${request.path}`);
    if (names.length > 0) found += 1;
  }
  if (found < MIN_SHARE_FOUND * SEARCHES.length) throw new Error(`Only ${found} searches find something.`);
}

/** Retries, because a cold OpenSearch may exceed the timeout of the first search. */
async function awaitAnswer(origin: string, search: LoadRequest, headers: Record<string, string>): Promise<void> {
  let failure: unknown;
  const isAnswered = async () => {
    try {
      await answerOf(origin, search, headers);
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  if (!(await waitUntil(isAnswered, COLD_MS, PAUSE_MS))) throw failure;
}

async function answerOf(origin: string, search: LoadRequest, headers: Record<string, string> = {}): Promise<unknown> {
  const options = {
    method: search.method as Dispatcher.HttpMethod,
    ...(search.body !== undefined && { body: search.body }),
  };
  const type = search.body === undefined ? {} : { 'content-type': 'application/json' };
  const { statusCode, body } = await request(`${origin}${search.path}`, {
    ...options,
    headers: { ...search.headers, ...headers, ...type },
  });
  if (statusCode === 200) return await body.json();
  throw new Error(`${search.path}: ${statusCode} ${(await body.text()).slice(0, 500)}`);
}
