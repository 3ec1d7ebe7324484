import type { Asset } from '@carbon/contracts';
import { lazily, testEngines } from '@carbon/testing';
import { startCatalog, type TestCatalog } from './catalog.js';
import { TestIndices } from './indices.js';
import { type TestLibrary, testLibrary } from './library.js';
import { type OpenSearchProxy, openSearchProxy } from './proxy.js';

type Settings = Readonly<Record<string, string>>;

interface RunningCatalog {
  readonly library: TestLibrary;
  readonly indices: TestIndices;
  readonly catalog: TestCatalog;
}

/**
 * Call it once at the top of a `describe`. Publishes these assets to a new library before the tests and starts a
 * catalog that finds them all; closes both afterwards.
 */
export function catalogWith(...assets: readonly Asset[]): RunningCatalog {
  return runCatalog(assets, async () => ({}));
}

/** The same, with a proxy between the catalog and OpenSearch. The proxy is reset after each test. */
export function proxiedCatalogWith(
  assets: readonly Asset[],
  settings: Settings = {},
): RunningCatalog & { readonly proxy: OpenSearchProxy } {
  let proxy: OpenSearchProxy | undefined;
  const both = runCatalog(assets, async () => {
    proxy = await openSearchProxy(testEngines().opensearchUrl);
    return { ...settings, OPENSEARCH_URL: proxy.url };
  });
  afterEach(() => proxy?.behave('pass', ''));
  afterAll(() => proxy?.close());
  return { ...both, proxy: lazily(() => proxy) };
}

function runCatalog(assets: readonly Asset[], settings: () => Promise<Settings>): RunningCatalog {
  let library: TestLibrary | undefined;
  let indices: TestIndices | undefined;
  let catalog: TestCatalog | undefined;
  beforeAll(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
    await library.publish(...assets);
    catalog = await startCatalog(library.prefix, await settings());
    await catalog.ready();
  });
  afterAll(async () => {
    await catalog?.close();
    await indices?.close();
    await library?.close();
  });
  return { library: lazily(() => library), indices: lazily(() => indices), catalog: lazily(() => catalog) };
}

/** A library for all tests of a `describe`, without a catalog. */
export function emptyLibrary(): { readonly library: TestLibrary; readonly indices: TestIndices } {
  let library: TestLibrary | undefined;
  let indices: TestIndices | undefined;
  beforeAll(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
  });
  afterAll(async () => {
    await indices?.close();
    await library?.close();
  });
  return { library: lazily(() => library), indices: lazily(() => indices) };
}

/**
 * A library for each test of a `describe`, with functions to start and stop catalogs; everything is closed after the
 * test.
 */
export function freshLibrary() {
  let library: TestLibrary | undefined;
  let indices: TestIndices | undefined;
  const running: TestCatalog[] = [];
  const stop = async () => void (await Promise.all(running.splice(0).map((catalog) => catalog.close())));
  const begin = async (settings?: Settings) => {
    const catalog = await startCatalog(library?.prefix ?? '', settings);
    running.push(catalog);
    return catalog;
  };
  beforeEach(async () => {
    library = await testLibrary();
    indices = new TestIndices(library.prefix);
  });
  afterEach(async () => {
    await stop();
    await indices?.close();
    await library?.close();
  });
  return {
    library: lazily(() => library),
    indices: lazily(() => indices),
    /** Starts a catalog without waiting. */
    begin,
    /** Starts a catalog and waits until it is ready. */
    start: async (settings?: Settings) => {
      const catalog = await begin(settings);
      await catalog.ready();
      return catalog;
    },
    /** Stops every running catalog. */
    stop,
  };
}
