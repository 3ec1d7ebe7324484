import { UnauthorizedError } from '@carbon/client';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { SCOPES_QUERY, SessionProvider } from './session/session.js';
import './styles.css';

/** Asks for another key if this one was revoked or has expired. */
function checkKey(error: Error, queryKey: readonly unknown[] = []): void {
  const isNew = error instanceof UnauthorizedError && queryKey[0] !== SCOPES_QUERY;
  if (isNew) void queries.invalidateQueries({ queryKey: [SCOPES_QUERY] });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => checkKey(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error) => checkKey(error) }),
  defaultOptions: {
    // The client retries by itself, as the API says.
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 10_000 },
    mutations: { retry: false },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <App />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
