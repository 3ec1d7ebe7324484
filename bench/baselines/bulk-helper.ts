import { Client } from '@opensearch-project/opensearch';
import { z } from 'zod';
import { answerQuestions } from '../src/processes.js';

/** Indexes documents from memory; it reads them once from an index. */
const question = z.object({ node: z.string(), documentsFrom: z.string(), index: z.string() });

/** The fastest of those tried (1 to 16 MB a request, 1 to 8 concurrent requests). */
const FLUSH_BYTES = 5_000_000;
const BATCH_SIZE = 2;
const READ_SIZE = 2_000;

interface Document {
  readonly id: string;
  readonly text: string;
}

let documents: Document[] | undefined;

async function read(client: Client, index: string): Promise<Document[]> {
  const found: Document[] = [];
  const pages = client.helpers.scrollSearch({ index, body: { size: READ_SIZE, sort: ['_doc'] } });
  for await (const { body } of pages) {
    for (const { _id, _source } of body.hits.hits) found.push({ id: _id, text: JSON.stringify(_source) });
  }
  return found;
}

/** Runs the client's bulk helper with serialized documents, into an index that refreshes only at the end. */
async function write({ node, documentsFrom, index }: z.output<typeof question>) {
  const client = new Client({ node });
  documents ??= await read(client, documentsFrom);
  const ids = documents.map(({ id }) => id);
  const datasource = documents.map(({ text }) => text);
  const begun = performance.now();
  let place = 0;
  const { successful } = await client.helpers.bulk({
    datasource,
    // Called once for each document, in order.
    onDocument: () => ({ index: { _index: index, _id: ids[place++] ?? '' } }),
    flushBytes: FLUSH_BYTES,
    concurrency: BATCH_SIZE,
    refreshOnCompletion: index,
  });
  const seconds = (performance.now() - begun) / 1000;
  await client.close();
  return { seconds, count: successful };
}

answerQuestions(question, write);
