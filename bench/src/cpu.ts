import { cpuSeconds } from './processes.js';
import { type Row, rowAlone, rowOf } from './results.js';
import type { FreshDatabase } from './stage.js';

/** The processor time of each process, in seconds or per response in microseconds. */
export type CpuTimes = Readonly<Record<string, number>>;

/** Measures the processor time of processes, and, of a database, of its sessions as `PostgreSQL`. */
export class CpuMeter {
  constructor(
    private readonly database: FreshDatabase | undefined,
    private readonly pids: Readonly<Record<string, number | undefined>>,
  ) {}

  /** Runs `work`, and returns its result with the processor time per response. */
  async during<T extends { readonly count: number }>(work: () => Promise<T>): Promise<T & { readonly cpu: CpuTimes }> {
    const before = await this.read();
    const report = await work();
    const after = await this.read();
    const perResponse = (name: string) => (((after[name] ?? 0) - (before[name] ?? 0)) * 1e6) / report.count;
    return { ...report, cpu: Object.fromEntries(Object.keys(after).map((name) => [name, perResponse(name)])) };
  }

  private async read(): Promise<CpuTimes> {
    const processes = Object.entries(this.pids).map(([name, pid]) => [name, cpuSeconds(pid)] as const);
    const PostgreSQL = this.database && (await sessionSeconds(this.database));
    return { ...Object.fromEntries(processes), ...(PostgreSQL !== undefined && { PostgreSQL }) };
  }
}

/** Without our own session. One that ended in between is missing from the difference; the pools keep theirs open. */
async function sessionSeconds(database: FreshDatabase): Promise<number> {
  const { sessions } = await database.one<{ sessions: number[] }>(
    `SELECT coalesce(array_agg(pid), '{}') AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  return sessions.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/** A measurement with its processor times. */
interface WithCpu {
  readonly cpu: CpuTimes;
}

const total = ({ cpu }: WithCpu) => Object.values(cpu).reduce((sum, one) => sum + one, 0);

const has = (process: string) => (one: WithCpu) => process in one.cpu;

/**
 * Returns a row for each process, and one for all of them together. A process that the baseline does not have is not compared.
 * @param names of the processes, in the rows
 */
export function cpuRows(
  { what, ...row }: { readonly bench: string; readonly what: string; readonly against?: string },
  names: Readonly<Record<string, string>>,
  { ours, baseline }: { readonly ours: readonly WithCpu[]; readonly baseline?: readonly WithCpu[] },
): Row[] {
  const rowFor = (name: string, isIn: (one: WithCpu) => boolean, of: (one: WithCpu) => number): Row => {
    const each = { ...row, what: `${what}: CPU of ${name}`, unit: 'µs', ours: ours.map(of) };
    if (row.against === undefined || !baseline?.every(isIn)) return rowAlone(each);
    return rowOf({ ...each, against: row.against, baseline: baseline.map(of) });
  };
  const measured = Object.entries(names).filter(([process]) => ours.every(has(process)));
  const rows = measured.map(([process, name]) => rowFor(name, has(process), ({ cpu }) => cpu[process] ?? Number.NaN));
  return [...rows, rowFor('all these', () => true, total)];
}
