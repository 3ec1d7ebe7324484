/** One parameter of a link: its name, and its value with quotes or without. */
const PARAMETER = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))/g;
/** One link of a `Link` header (RFC 8288): what it points at, and its parameters. */
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');

/**
 * The query of the next page, with its `?`; undefined on the last. A page is another part of the same list, so nothing
 * but the query is taken from the link.
 *
 * @throws RangeError when the link leads anywhere but to the same path of the same service
 */
export function nextQuery(link: string | null, asked: string): string | undefined {
  const target = [...(link ?? '').matchAll(LINK)].find(([, , parameters]) => leadsToNext(parameters))?.[1];
  if (target === undefined) return undefined;
  const here = new URL(asked);
  const next = resolved(target, here);
  const leadsElsewhere = next === undefined || next.origin !== here.origin || !here.pathname.endsWith(next.pathname);
  if (leadsElsewhere) throw new RangeError('the link to the next page leads away from the service');
  if (next.search === here.search) throw new RangeError('the link to the next page leads to the same page');
  return next.search;
}

/** Whether `next` is one of the relations that a link names; of several `rel` the first counts. */
function leadsToNext(parameters = ''): boolean {
  const relation = [...parameters.matchAll(PARAMETER)].find(([, name = '']) => name.toLowerCase() === 'rel');
  const [, , quoted, plain = ''] = relation ?? [];
  return (quoted ?? plain).toLowerCase().split(/\s+/).includes('next');
}

/** The cursor within such a query. */
export function cursorOf(next: string | undefined): string | undefined {
  return next === undefined ? undefined : (new URLSearchParams(next).get('cursor') ?? undefined);
}

function resolved(target: string, here: URL): URL | undefined {
  try {
    return new URL(target, here);
  } catch {
    return undefined;
  }
}
