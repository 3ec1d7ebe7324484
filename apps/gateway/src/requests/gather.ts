import { type ErrorItem, RequestError } from '@carbon/http';

/** What `read` gives; when it finds mistakes, they are added to `items`, so that a client is told of all its mistakes. */
export function gather<T>(items: ErrorItem[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RequestError) || error.items.length === 0) throw error;
    items.push(...error.items);
    return undefined;
  }
}
