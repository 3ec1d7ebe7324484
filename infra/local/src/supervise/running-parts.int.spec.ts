import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { respondsOk } from '../parts/app.js';
import { freePort } from '../ports.js';
import { identityOf, waitUntil } from '../processes/pids.js';
import { type PartEvent, PartFailed, type ProcessPart, type StepPart } from './part.js';
import { RunningParts } from './running-parts.js';

const dir = mkdtempSync(join(tmpdir(), 'parts-'));
const systems: RunningParts[] = [];
afterEach(() => Promise.all(systems.splice(0).map((system) => system.stop())));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const FOREVER = 'setInterval(() => {}, 1_000)';

/** A minimal real HTTP server, as a part. */
function server(name: string, port: number, more: Partial<ProcessPart> = {}): ProcessPart {
  const script = `console.log('${name} speaking'); require('node:http').createServer((_, a) => a.end()).listen(${port}, '127.0.0.1')`;
  return { ...node(name, script), ready: () => respondsOk(`http://127.0.0.1:${port}/`), ...more };
}

function node(name: string, script: string): ProcessPart {
  const how = { cwd: dir, env: {}, stopSignal: 'SIGTERM', stopWithinMs: 2_000 } as const;
  const prepare = async () => ({ file: process.execPath, args: ['-e', script], ...how });
  return { kind: 'process', name, after: [], prepare, ready: async () => false, readyWithinMs: 20_000 };
}

/** A step that runs a script to its end. */
function step(name: string, script: string): StepPart {
  const run: StepPart['run'] = async (toEnd) => {
    await toEnd(await node(name, script).prepare(toEnd), 20_000);
    return undefined;
  };
  return { kind: 'step', name, after: [], run };
}

function start(parts: readonly (ProcessPart | StepPart)[]) {
  const events: PartEvent[] = [];
  const system = new RunningParts(parts, {
    logDir: join(dir, 'logs'),
    pidDir: join(dir, 'run'),
    onEvent: (event) => events.push(event),
  });
  const partsOf = (kind: PartEvent['kind']) => events.filter((event) => event.kind === kind).map((event) => event.part);
  return { system, events, partsOf };
}

/** Starts a system that is stopped after the test. */
function run(...given: Parameters<typeof start>) {
  const running = start(...given);
  systems.push(running.system);
  return running;
}

describe('a list of parts', () => {
  /** The last test expects its failure. It runs concurrently with the other tests, because its restarts take several seconds. */
  const broken = start([node('broken', 'console.log("no luck today"); process.exit(3)')]);
  const failure = broken.system.start().catch((error: unknown) => error);

  it('starts each after the parts it needs are ready, and stops them in the opposite order', async () => {
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const { system, events, partsOf } = run([
      server('gateway', ports[0], { after: ['offsets', 'catalog'] }),
      server('offsets', ports[1], { after: ['step'] }),
      server('catalog', ports[2]),
      { kind: 'step', name: 'step', after: ['catalog'], run: async () => 'done' },
    ]);
    await system.start();
    expect(partsOf('starting')).toEqual(['catalog', 'step', 'offsets', 'gateway']);
    expect(events).toContainEqual({ kind: 'done', part: 'step', sentence: 'done' });
    await system.stop();
    expect(partsOf('stopped')).toEqual(['gateway', 'offsets', 'catalog']);
  });

  it('stops a part before the parts in `stopsBefore`, for which it does not wait when it starts', async () => {
    const { system, partsOf } = run([
      server('catalog', await freePort()),
      server('gateway', await freePort(), { stopsBefore: ['catalog'] }),
    ]);
    await system.start();
    await system.stop();
    expect(partsOf('stopped')).toEqual(['gateway', 'catalog']);
  });

  it('restarts a part that was killed, and reports it', async () => {
    const { system, events } = run([server('app', await freePort())]);
    await system.start();
    const app = system.part('app');
    const before = app.pid;
    await app.kill('SIGKILL');
    await app.ready();
    expect(app.pid).not.toBe(before);
    expect(app.exits).toBe(1);
    expect(events).toContainEqual({ kind: 'exited', part: 'app', how: 'was stopped by SIGKILL', againInMs: 200 });
    expect(events.at(-1)).toMatchObject({ kind: 'ready', again: true });
  });

  it('fails when a part is not ready in time, and stops it', async () => {
    const { system } = run([{ ...node('deaf', FOREVER), readyWithinMs: 500 }]);
    await expect(system.start()).rejects.toThrow('deaf was not ready within 1 s');
    expect(system.part('deaf').pid).toBeUndefined();
  });

  it('does not restart a part that was stopped, until it is started', async () => {
    const port = await freePort();
    const { system } = run([server('app', port)]);
    await system.start();
    const app = system.part('app');
    await app.stop();
    expect(app.state).toBe('stopped');
    await expect(respondsOk(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    await app.start();
    expect(await respondsOk(`http://127.0.0.1:${port}/`)).toBe(true);
    expect(app.exits).toBe(0);
    expect(() => system.part('apps')).toThrow('no part "apps"; the parts are: app');
  });

  it('leaves no process behind, even when it is stopped while it starts', async () => {
    const { system } = run([node('slow', FOREVER)]);
    const starting = system.start().catch((error: unknown) => error);
    await waitUntil(() => system.part('slow').pid !== undefined, 5_000);
    const pid = system.part('slow').pid ?? 0;
    expect(identityOf(pid)).toBeDefined();
    await system.stop();
    expect(await starting).toBeInstanceOf(PartFailed);
    expect(identityOf(pid)).toBeUndefined();
  });

  it('waits until every running step has ended when it stops', async () => {
    const script = `process.on('SIGTERM', () => setTimeout(() => process.exit(), 500)); ${FOREVER}; console.log('up')`;
    const { system } = run([step('quick', FOREVER), step('slow', script)]);
    const broken = expect(system.start()).rejects.toThrow();
    const log = join(dir, 'logs', 'slow.log');
    await waitUntil(() => existsSync(log) && readFileSync(log, 'utf8').includes('up'), 20_000);
    const pids = JSON.parse(readFileSync(join(dir, 'run', 'slow.step.json'), 'utf8'));
    await system.stop();
    expect([identityOf(pids.guard.pid), identityOf(pids.child.pid)]).toEqual([undefined, undefined]);
    await broken;
  });

  it('fails with the reason when a step fails, and does not start what comes after it', async () => {
    const { system, partsOf } = run([
      { kind: 'step', name: 'topics', after: [], run: () => Promise.reject(new TypeError('no Kafka there')) },
      { ...node('app', ''), after: ['topics'] },
    ]);
    await expect(system.start()).rejects.toThrow('topics failed: no Kafka there');
    expect(partsOf('starting')).toEqual(['topics']);
  });

  it('fails with the end of the log when a part exits six times without becoming ready', async () => {
    expect(await failure).toBeInstanceOf(PartFailed);
    expect(String(await failure)).toContain('broken exited with code 3, and keeps exiting');
    expect(String(await failure)).toContain('| no luck today');
    const waits = broken.events.flatMap((event) => (event.kind === 'exited' ? [event.againInMs] : []));
    expect(waits).toEqual([200, 400, 800, 1600, 3200]);
    expect(await broken.system.failed).toBe(await failure);
  });
});
