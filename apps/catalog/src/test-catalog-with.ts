import type { Asset } from '@carbon/contracts';
import { testEngines } from '@carbon/testing';
import { startCatalog, type TestCatalog, type TestLibrary, testLibrary } from './test-catalog.js';
import { type OpenSearchProxy, openSearchProxy } from './test-proxy.js';

/** A library and the catalog beside it, for the tests of one `describe`. */
export interface CatalogWith {
  readonly library: Pick<TestLibrary, 'prefix' | 'publish' | 'withdraw'>;
  readonly catalog: Pick<TestCatalog, 'url' | 'get' | 'search'>;
}

/**
 * To be called once at the top of a `describe`: before its tests publishes these assets to a library of their own and
 * starts a catalog that finds them all; closes both after. What it gives back is for use within tests.
 */
export function catalogWith(...assets: readonly Asset[]): CatalogWith {
  let started: { readonly library: TestLibrary; readonly catalog: TestCatalog } | undefined;
  const both = () => {
    if (started === undefined) throw new Error('catalogWith is for use within tests');
    return started;
  };
  beforeAll(async () => {
    const library = await testLibrary();
    await library.publish(...assets);
    const catalog = await startCatalog(library.prefix);
    started = { library, catalog };
    await catalog.ready();
  });
  afterAll(async () => {
    await started?.catalog.close();
    await started?.library.close();
  });
  return {
    library: {
      get prefix() {
        return both().library.prefix;
      },
      publish: (...more) => both().library.publish(...more),
      withdraw: (...ids) => both().library.withdraw(...ids),
    },
    catalog: {
      get url() {
        return both().catalog.url;
      },
      get: (path, headers) => both().catalog.get(path, headers),
      search: (kind, parameters) => both().catalog.search(kind, parameters),
    },
  };
}

/** A catalog, and the way on which it asks OpenSearch. */
export interface ProxiedCatalog {
  readonly catalog: TestCatalog;
  readonly proxy: OpenSearchProxy;
  close(): Promise<void>;
}

/** Starts a catalog whose questions to OpenSearch can be heard and spoilt, and waits until it is ready. */
export async function startProxiedCatalog(
  prefix: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ProxiedCatalog> {
  const proxy = await openSearchProxy(testEngines().opensearchUrl);
  const catalog = await startCatalog(prefix, { ...settings, OPENSEARCH_URL: proxy.url });
  await catalog.ready();
  return {
    catalog,
    proxy,
    close: async () => {
      await catalog.close();
      await proxy.close();
    },
  };
}
