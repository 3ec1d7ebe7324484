import {
  CarbonClient,
  ForbiddenError,
  InvalidRequestError,
  ServiceUnavailableError,
  UnauthorizedError,
} from '@carbon/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo, useState } from 'react';

/** The scopes of keys that the views need. */
export type Scope = 'assets:read' | 'offsets:read' | 'offsets:write';

const SCOPES: readonly Scope[] = ['assets:read', 'offsets:read', 'offsets:write'];
const STORED = 'carbon-offsets-key';

/** The query of the scopes, by its key. */
export const SCOPES_QUERY = 'scopes';

/** Who calls the API, and what the caller may do. */
export interface Session {
  readonly carbon: CarbonClient;
  readonly key: string | undefined;
  /** Undefined while it is asked. */
  readonly scopes: ReadonlySet<Scope> | undefined;
  /** Whether the gateway wants a key, or another one. */
  readonly needsKey: boolean;
  /** Why the scopes are unknown. */
  readonly error: Error | null;
  retry(): void;
  /** @throws RangeError for a text that cannot be a key */
  enter(key: string): void;
  forget(): void;
}

const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('there is a session only within its provider');
  return session;
}

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORED) ?? undefined;
  } catch {
    // The browser blocks storage: the key is kept until the page is left.
    return undefined;
  }
}

function storeKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, key);
  } catch {
    // The browser blocks storage: the key is forgotten when the page is left.
  }
}

/** Keeps the key for as long as the tab is open, and learns what it may do. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [key, setKey] = useState(storedKey);
  const queries = useQueryClient();
  const carbon = useMemo(() => clientOf(key), [key]);
  const access = useQuery({
    queryKey: [SCOPES_QUERY, key],
    queryFn: () => scopesOf(carbon, key !== undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const needsKey = access.error instanceof UnauthorizedError;
  const session = useMemo((): Session => {
    const keep = (next: string | undefined) => {
      storeKey(next);
      queries.clear();
      setKey(next);
    };
    return {
      ...{ carbon, key, needsKey, scopes: needsKey ? undefined : access.data },
      error: needsKey ? null : access.error,
      retry: () => void access.refetch(),
      enter: (next) => {
        clientOf(next);
        // The gateway may know the key by now.
        if (next === key) void access.refetch();
        else keep(next);
      },
      forget: () => keep(undefined),
    };
  }, [carbon, key, needsKey, access.data, access.error, access.refetch, queries]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** A person waits, so a call gives up sooner than a program's. */
function clientOf(key: string | undefined): CarbonClient {
  const options = { baseUrl: location.origin, fetch: revalidated, tries: 3, timeoutMs: 15_000 };
  return new CarbonClient({ ...options, ...(key !== undefined && { key }) });
}

/** The browser's cache knows no keys: it would show the response to a key for a second after the key is forgotten. */
const revalidated: typeof fetch = (input, init) => fetch(input, { ...init, cache: 'no-cache' });

const ONCE = { tries: 1 };

/**
 * The API does not return the scopes of a key, so each is tried with a request that changes nothing. The gateway alone judges keys,
 * so a service behind it that is down says nothing about them: the other views stay usable.
 */
async function scopesOf(carbon: CarbonClient, hasKey: boolean): Promise<ReadonlySet<Scope>> {
  // A weight of 0 is rejected, and without the scope it is forbidden.
  const mayWrite = isAllowed(carbon.estimates.create({ kgCO2e: 0 }));
  // An open gateway allows everything.
  if (!hasKey) return (await mayWrite) ? new Set(SCOPES) : new Set();
  const may = await Promise.all([
    isAllowed(carbon.assets.schema(ONCE)),
    isAllowed(carbon.offsets.list({ limit: 1 }, ONCE).page()),
    mayWrite,
  ]);
  return new Set(SCOPES.filter((_, at) => may[at]));
}

async function isAllowed(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    const isJudged = error instanceof InvalidRequestError || error instanceof ServiceUnavailableError;
    if (!isJudged) throw error;
  }
  return true;
}
