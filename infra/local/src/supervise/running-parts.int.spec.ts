import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersOk } from '../parts/http-ready.js';
import { freePort } from '../ports.js';
import { identityOf } from '../processes/process-identity.js';
import { waitUntil } from '../processes/wait-until.js';
import type { AdaptCommand, PartEvent, ProcessPart, StepPart } from './part.js';
import { PartFailed } from './part.js';
import { RunningParts } from './running-parts.js';

const dir = mkdtempSync(join(tmpdir(), 'parts-'));
const systems: RunningParts[] = [];
afterEach(() => Promise.all(systems.splice(0).map((system) => system.stop())));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A real HTTP server of a few lines, as a part. */
function server(name: string, port: number, more: Partial<ProcessPart> = {}): ProcessPart {
  const script = `console.log('${name} speaking'); require('node:http').createServer((_, a) => a.end()).listen(${port}, '127.0.0.1')`;
  return { ...node(name, script), ready: () => answersOk(`http://127.0.0.1:${port}/`), ...more };
}

function node(name: string, script: string): ProcessPart {
  const how = { cwd: dir, env: {}, stopSignal: 'SIGTERM', stopWithinMs: 2_000 } as const;
  const prepare = async () => ({ file: process.execPath, args: ['-e', script], ...how });
  return { kind: 'process', name, after: [], prepare, ready: async () => false, readyWithinMs: 20_000 };
}

function run(parts: readonly (ProcessPart | StepPart)[], adapt?: AdaptCommand) {
  const events: PartEvent[] = [];
  const system = new RunningParts(parts, {
    logDir: join(dir, 'logs'),
    pidDir: join(dir, 'run'),
    tell: (event) => events.push(event),
    adapt,
  });
  systems.push(system);
  const told = (kind: PartEvent['kind']) => events.filter((event) => event.kind === kind).map((event) => event.part);
  return { system, events, told };
}

describe('a list of parts', () => {
  it('starts each after the parts it needs are ready, and stops them in the opposite order', async () => {
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const { system, told } = run([
      server('gateway', ports[0], { after: ['offsets', 'catalog'] }),
      server('offsets', ports[1], { after: ['step'] }),
      server('catalog', ports[2]),
      { kind: 'step', name: 'step', after: ['catalog'], run: async () => 'done' },
    ]);
    await system.start();
    expect(told('starting')).toEqual(['catalog', 'step', 'offsets', 'gateway']);
    await system.stop();
    expect(told('stopped')).toEqual(['gateway', 'offsets', 'catalog']);
  });

  it('starts a part again that was killed, and says so', async () => {
    const { system, events } = run([server('app', await freePort())]);
    await system.start();
    const app = system.part('app');
    const before = app.pid;
    await app.kill('SIGKILL');
    await app.ready();
    expect(app.pid).not.toBe(before);
    expect(app.exits).toBe(1);
    expect(events).toContainEqual({ kind: 'exited', part: 'app', how: 'was ended by SIGKILL', againInMs: 200 });
    expect(events.at(-1)).toMatchObject({ kind: 'ready', again: true });
  });

  it('fails with the end of the log when a part exits six times without having been ready', async () => {
    const { system, events } = run([node('broken', 'console.log("no luck today"); process.exit(3)')]);
    const failure = await system.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PartFailed);
    expect(String(failure)).toContain('broken exited with code 3, and keeps ending');
    expect(String(failure)).toContain('| no luck today');
    const waits = events.flatMap((event) => (event.kind === 'exited' ? [event.againInMs] : []));
    expect(waits).toEqual([200, 400, 800, 1600, 3200]);
    expect(await system.failed).toBe(failure);
  });

  it('fails when a part is not ready in time, and ends it', async () => {
    const deaf: ProcessPart = { ...node('deaf', 'setInterval(() => {}, 1000)'), readyWithinMs: 500 };
    const { system } = run([deaf]);
    await expect(system.start()).rejects.toThrow('deaf was not ready within 1 s');
    expect(system.part('deaf').pid).toBeUndefined();
  });

  it('leaves a part stopped that was stopped, until it is started', async () => {
    const port = await freePort();
    const { system } = run([server('app', port)]);
    await system.start();
    const app = system.part('app');
    await app.stop();
    expect(app.state).toBe('stopped');
    await expect(answersOk(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    await app.start();
    expect(await answersOk(`http://127.0.0.1:${port}/`)).toBe(true);
    expect(app.exits).toBe(0);
  });

  it('leaves no process behind, even when it is stopped while it starts', async () => {
    const { system } = run([node('slow', 'setInterval(() => {}, 1000)')]);
    const starting = system.start().catch((error: unknown) => error);
    await waitUntil(() => system.part('slow').pid !== undefined, 5_000);
    const pid = system.part('slow').pid ?? 0;
    expect(identityOf(pid)).toBeDefined();
    await system.stop();
    expect(await starting).toBeInstanceOf(PartFailed);
    expect(identityOf(pid)).toBeUndefined();
  });

  it('has stopped only when every step that was under way has ended', async () => {
    const script = `process.on('SIGTERM', () => setTimeout(() => process.exit(), 1_000)); setInterval(() => {}, 1_000); console.log('up')`;
    const step = (name: string, words: string): StepPart => ({
      ...{ kind: 'step', name, after: [] },
      run: async (toEnd) => {
        await toEnd(await node(name, words).prepare(toEnd), 20_000);
        return undefined;
      },
    });
    const { system } = run([step('quick', `setInterval(() => {}, 1_000)`), step('slow', script)]);
    const broken = expect(system.start()).rejects.toThrow();
    const log = join(dir, 'logs', 'slow.log');
    await waitUntil(() => existsSync(log) && readFileSync(log, 'utf8').includes('up'), 20_000);
    const note = JSON.parse(readFileSync(join(dir, 'run', 'slow.step.json'), 'utf8'));
    await system.stop();
    expect([identityOf(note.guard.pid), identityOf(note.child.pid)]).toEqual([undefined, undefined]);
    await broken;
  });

  it('fails with the reason when a step fails, and does not start what comes after it', async () => {
    const { system, told } = run([
      { kind: 'step', name: 'topics', after: [], run: () => Promise.reject(new TypeError('no Kafka there')) },
      { ...node('app', ''), after: ['topics'] },
    ]);
    await expect(system.start()).rejects.toThrow('topics failed: no Kafka there');
    expect(told('starting')).toEqual(['topics']);
  });

  it('runs each process and each command of a step as it was adapted, the process again at its next start', async () => {
    const port = await freePort();
    const [broken, sound] = [node('app', 'process.exit(1)'), server('app', port)];
    const { args } = await sound.prepare(() => Promise.resolve());
    const step: StepPart = {
      kind: 'step',
      name: 'step',
      after: [],
      run: async (toEnd) => {
        await toEnd(await broken.prepare(toEnd), 20_000);
        return undefined;
      },
    };
    const adapted: string[] = [];
    const { system } = run([{ ...broken, ready: sound.ready }, step], async (part, command) => {
      adapted.push(part);
      return { ...command, args: part === 'step' ? ['-e', ''] : args };
    });
    await system.start();
    await system.part('app').kill('SIGKILL');
    await system.part('app').ready();
    expect(adapted.sort()).toEqual(['app', 'app', 'step']);
  });

  it('names the parts there are when asked for another', () => {
    const { system } = run([node('app', '')]);
    expect(() => system.part('apps')).toThrow('no part "apps"; there are app');
  });
});
