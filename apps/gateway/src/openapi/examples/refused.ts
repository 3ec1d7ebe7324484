import { PROBLEMS, type Problem, type ProblemCode } from '@carbon/http';

/** A request that is answered so by a gateway that asks for no key: a test sends it, and compares. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As it is sent. */
  readonly body?: string;
}

/** One refusal: what a client reads, and what it asked where that is one request. */
export interface Refused {
  readonly code: ProblemCode;
  readonly summary: string;
  readonly asked?: Asked;
  readonly detail: string;
  /** Further members of the problem. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The id of the request in every example. */
export const EXAMPLE_REQUEST = '5f0c3a52-8a4e-4c39-9d1b-2f7d6f1f7a10';

/** The problem document of a refusal. */
export function problemIn({ code, detail, more }: Refused): Problem {
  const { status, title } = PROBLEMS[code];
  return { type: `/problems/${code}`, title, status, detail, instance: EXAMPLE_REQUEST, code, ...more };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** A POST of JSON. */
export function posted(path: string, body: string): Asked {
  return { method: 'POST', path, headers: JSON_TYPE, body };
}

/** A plain GET. */
export function got(path: string): Asked {
  return { method: 'GET', path };
}
