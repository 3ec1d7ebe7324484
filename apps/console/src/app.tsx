import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { OffsetView } from './offset/offset-view.js';
import { OffsetDetail } from './offsets/offset-detail.js';
import { OffsetsView } from './offsets/offsets-view.js';
import { ErrorBoundary } from './page/error-boundary.js';
import { addressOf, Link, navigate, useAddress, ViewTitle } from './page/location.js';
import { Problem } from './page/problem.js';
import { SearchView } from './search/search-view.js';
import { KeyForm } from './session/key-form.js';
import { type Scope, useSession } from './session/session.js';

/** A view of the console, and the scope without which it shows nothing. */
interface View {
  readonly path: string;
  readonly title: string;
  readonly scope: Scope;
  readonly show: () => ReactNode;
}

const VIEWS: readonly View[] = [
  { path: '', title: 'Search', scope: 'assets:read', show: () => <SearchView /> },
  { path: 'offset', title: 'Offset', scope: 'offsets:write', show: () => <OffsetView /> },
  { path: 'offsets', title: 'My offsets', scope: 'offsets:read', show: () => <OffsetsView /> },
];

/** The whole page. */
export function App() {
  const { view } = useAddress();
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Header view={view} />
      <Offline />
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={view}>
          <Content view={view} />
        </ErrorBoundary>
      </main>
    </>
  );
}

function Header({ view }: { readonly view: string }) {
  const { key, scopes, forget } = useSession();
  const allowed = VIEWS.filter(({ scope }) => scopes?.has(scope));
  return (
    <header>
      <Link className="brand" href={addressOf('')}>
        Carbon offsets
      </Link>
      <nav aria-label="Views">
        {allowed.map(({ path, title }) => (
          <Link key={path} href={addressOf(path)} aria-current={view.split('/')[0] === path ? 'page' : undefined}>
            {title}
          </Link>
        ))}
        <a href="/docs">API</a>
      </nav>
      {key !== undefined && (
        <button type="button" onClick={forget}>
          Forget key
        </button>
      )}
    </header>
  );
}

function Content({ view }: { readonly view: string }) {
  const { needsKey, scopes, error, retry } = useSession();
  if (needsKey) return <KeyForm />;
  if (error !== null) return <Problem error={error} retry={retry} />;
  if (scopes === undefined) return <p className="loading">Loading …</p>;
  const [, id] = /^offsets\/([\w-]+)$/.exec(view) ?? [];
  const found = VIEWS.find(({ path }) => path === (id === undefined ? view : 'offsets'));
  if (found === undefined) return <Missing />;
  const first = VIEWS.find(({ scope }) => scopes.has(scope));
  if (view === '' && first !== undefined && first !== found) return <Redirect view={first.path} />;
  if (!scopes.has(found.scope)) return <Forbidden scope={found.scope} />;
  return id === undefined ? found.show() : <OffsetDetail key={id} id={id} />;
}

/** Leads to another view: the first page is the first view that the key allows. */
function Redirect({ view }: { readonly view: string }) {
  useEffect(() => navigate(addressOf(view), { replace: true }), [view]);
  return null;
}

function Missing() {
  return (
    <section className="card narrow">
      <ViewTitle>There is no such page</ViewTitle>
      <p>
        The address may be mistyped. <Link href={addressOf('')}>Search the library</Link>
      </p>
    </section>
  );
}

function Forbidden({ scope }: { readonly scope: Scope }) {
  return (
    <section className="card narrow">
      <ViewTitle>Your key does not allow this</ViewTitle>
      <p>
        It lacks the scope <code>{scope}</code>. Ask the operator of the gateway for a key that has it.
      </p>
    </section>
  );
}

function Offline() {
  const isOnline = useSyncExternalStore(
    (listener) => {
      for (const event of ['online', 'offline']) addEventListener(event, listener);
      return () => {
        for (const event of ['online', 'offline']) removeEventListener(event, listener);
      };
    },
    () => navigator.onLine,
  );
  return (
    <div role="status">
      {!isOnline && <p className="offline">You are offline. What you see may be old until you are online again.</p>}
    </div>
  );
}
