import { type AnchorHTMLAttributes, type MouseEvent, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';

const BASE = import.meta.env.BASE_URL;
const CHANGED = 'console:navigated';

/** The texts of a query; an empty one is left out. */
export type Query = Readonly<Record<string, string | undefined>>;

function subscribe(listener: () => void): () => void {
  for (const event of ['popstate', CHANGED]) addEventListener(event, listener);
  return () => {
    for (const event of ['popstate', CHANGED]) removeEventListener(event, listener);
  };
}

/** The view and the query of the current address. */
export function useAddress(): { readonly view: string; readonly query: URLSearchParams } {
  const href = useSyncExternalStore(subscribe, () => location.href);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(href);
    return { view: pathname.slice(BASE.length).replace(/\/$/, ''), query: searchParams };
  }, [href]);
}

/** Returns the address of a view. */
export function addressOf(view: string, query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(given).toString();
  return `${BASE}${view}${search === '' ? '' : `?${search}`}`;
}

/** Shows another address, without loading the page again. */
export function navigate(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  dispatchEvent(new Event(CHANGED));
}

/** A link to a view. */
export function Link({ href = '', ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={onClick} {...rest} />;
}

let isFirstView = true;

/** The heading of a view: names the window, and takes the focus when the view is entered by a link. */
export function ViewTitle({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} · Carbon offsets`;
    if (!isFirstView) heading.current?.focus();
    isFirstView = false;
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
