import { z } from 'zod';

/** What schemathesis says of a run in its JSON report; of it, what the verdict needs. */
const reportSchema = z.object({
  seed: z.number().nullable(),
  running_time: z.number().nullable(),
  stop_reason: z.string(),
  complete: z.boolean(),
  operations: z.object({ total: z.number(), selected: z.number(), tested: z.number() }).nullable(),
  phases: z.record(z.string(), z.object({ status: z.string() })).nullable(),
  test_cases: z.object({
    generated: z.number(),
    with_failures: z.number(),
    unique_failures: z.number(),
    without_checks: z.number(),
    errored: z.number(),
  }),
  failures: z.array(z.object({ title: z.string(), count: z.number(), operations: z.array(z.unknown()) })),
  errors: z.array(z.object({ title: z.string(), count: z.number() })),
});

/** A run's report. */
export type Report = z.output<typeof reportSchema>;

/** Reads the report. @throws when it is none */
export function readReport(text: string): Report {
  return reportSchema.parse(JSON.parse(text));
}

/** Why a run proves too little or too much; nothing when every answer was as described and enough were asked for. */
export function faultsOf({ operations, test_cases, errors, complete, stop_reason }: Report, atLeast: number): string[] {
  const faults: string[] = [];
  if (!complete) faults.push(`the run did not come to its end (${stop_reason})`);
  if (operations === null || operations.tested < operations.selected) {
    faults.push(`${operations?.tested ?? 0} of ${operations?.selected ?? 0} operations were tested`);
  }
  if (test_cases.generated < atLeast) faults.push(`${test_cases.generated} cases are fewer than ${atLeast}`);
  if (test_cases.with_failures > 0) faults.push(`${test_cases.with_failures} cases failed a check`);
  for (const { title, count } of errors) faults.push(`${count} times: ${title}`);
  return faults;
}

/** The counts of a run, a line each. */
export function countsOf({ seed, running_time, operations, phases, test_cases, failures }: Report): string[] {
  const told = Object.entries(phases ?? {}).map(([name, { status }]) => `${name} ${status}`);
  return [
    `operations  ${operations?.tested ?? 0} of ${operations?.total ?? 0}`,
    `phases      ${told.join(', ')}`,
    `cases       ${test_cases.generated} in ${Math.round(running_time ?? 0)} s, seed ${seed}`,
    `failed      ${test_cases.with_failures} (${test_cases.unique_failures} different)`,
    ...failures.map(({ title, count }) => `            ${count} × ${title}`),
  ];
}
