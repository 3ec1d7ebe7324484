import type { TcpProxy } from '@carbon/local';
import type { Fault, FaultContext } from '../fault.js';
import type { ChaosSystem } from '../system/chaos-system.js';

const ENGINES = ['kafka', 'postgres', 'opensearch'] as const;
type Engine = (typeof ENGINES)[number];

const BLACK_HOLE_MS = [3_000, 9_000] as const;
const CUTS = 5;
const LOST_ANSWERS = 5;
const ANSWER_TIMEOUT_MS = 5_000;

function proxiesOf({ engines }: ChaosSystem, engine: Engine): readonly TcpProxy[] {
  if (engine === 'kafka') return engines.kafkaProxies;
  return engine === 'postgres' ? [engines.postgresProxy] : engines.searchProxies;
}

/** Every connection is closed, a few times; new ones are accepted at once. */
async function cut({ system, random, pause }: FaultContext, engine: Engine): Promise<void> {
  for (let times = 0; times < CUTS; times += 1) {
    for (const proxy of proxiesOf(system, engine)) proxy.cut();
    await pause(random.whole(50, 800));
  }
}

/** Connections stay open, but forward nothing. */
async function blackHole({ system, random, pause }: FaultContext, engine: Engine): Promise<void> {
  const proxies = proxiesOf(system, engine);
  for (const proxy of proxies) proxy.blackHole();
  try {
    await pause(random.whole(...BLACK_HOLE_MS));
  } finally {
    for (const proxy of proxies) await proxy.restore();
  }
}

/** The request is executed, but its response is lost, so the caller cannot know the outcome. */
async function cutAfterAnswer({ system }: FaultContext, engine: Engine): Promise<void> {
  for (const proxy of proxiesOf(system, engine)) await proxy.cutAfterAnswer(LOST_ANSWERS, ANSWER_TIMEOUT_MS);
}

/** Failing connections to engines. */
export const faults: readonly Fault[] = ENGINES.flatMap((engine): readonly Fault[] => [
  {
    name: `cut-${engine}`,
    does: `every connection to ${engine} is cut, ${CUTS} times`,
    times: { ci: 1, full: 2 },
    inject: (context) => cut(context, engine),
  },
  {
    name: `black-hole-${engine}`,
    does: `no traffic passes to or from ${engine}`,
    times: { ci: 1, full: 2 },
    inject: (context) => blackHole(context, engine),
  },
  {
    name: `lost-answers-${engine}`,
    does: `${LOST_ANSWERS} answers of ${engine} are lost, with their connections`,
    times: { smoke: 1, ci: 1, full: 2 },
    inject: (context) => cutAfterAnswer(context, engine),
  },
]);
