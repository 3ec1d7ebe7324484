import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { httpSettings } from '@carbon/config';
import { hardExitMs } from '@carbon/observability';
import { Ajv } from 'ajv';
import dockerfileUtils from 'dockerfile-utils';
import { parse } from 'yaml';
import { ROOT, textOf } from './tracked-files.js';

/** Severities of the Language Server Protocol. */
const [ERROR, WARNING] = [1, 2];

interface Service {
  readonly build?: { readonly args: { readonly APP?: string; readonly DIR?: string } };
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
}

/** Building and testing this project needs no container engine, so its container files are checked without one. */
describe('docker-compose.yml', () => {
  const compose = parse(textOf('docker-compose.yml'), { merge: true });
  const services: readonly [string, Service][] = Object.entries(compose.services);

  it('is valid by the Compose Specification', () => {
    const { $schema: _, ...schema } = JSON.parse(textOf('infra/docker/compose-spec.schema.json'));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
    expect(ajv.validate(schema, compose) ? [] : ajv.errors).toEqual([]);
  });

  it('waits only for services that it defines', () => {
    const awaited = services.flatMap(([, service]) => Object.keys(service.depends_on ?? {}));
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(awaited));
  });

  it('builds only existing packages, and runs files that their build creates', () => {
    const wrong = services.flatMap(([name, { build, command = ['node', 'dist/main.js'] }]) => {
      if (build === undefined) return [];
      const { APP = '', DIR = `apps/${APP}` } = build.args;
      const source = `${DIR}/${command[1]?.replace(/^dist\/(.*)\.js$/, 'src/$1.ts')}`;
      const named = existsSync(resolve(ROOT, DIR, 'package.json')) && JSON.parse(textOf(`${DIR}/package.json`)).name;
      return named === `@carbon/${APP}` && existsSync(resolve(ROOT, source)) ? [] : [`${name}: ${DIR} ${source}`];
    });
    expect(wrong).toEqual([]);
  });

  it('publishes no port except the gateway’s, on the loopback address', () => {
    const ports = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(ports).toEqual(['gateway 127.0.0.1:3000:3000']);
  });

  it('gives an app time to exit by itself before it is killed, as docs/configuration.md says', () => {
    const exit = hardExitMs(httpSettings(0).SHUTDOWN_GRACE_MS.parse(undefined));
    for (const app of ['gateway', 'offsets', 'catalog']) {
      expect(Number(/^(\d+)s$/.exec(compose.services[app].stop_grace_period)?.[1]) * 1_000).toBeGreaterThan(exit);
    }
    expect(textOf('docs/configuration.md')).toContain(
      `exits at the latest ${hardExitMs(0) / 1_000} s after this period`,
    );
  });

  it('exposes the metrics of the apps where Prometheus scrapes them', () => {
    const { scrape_configs: jobs } = parse(textOf('infra/prometheus/prometheus.yml'));
    const targets: string[] = jobs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
      job.static_configs.flatMap(({ targets }) => targets),
    );
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) {
      const { MANAGEMENT_PORT, MANAGEMENT_HOST } = compose.services[target.split(':')[0] ?? ''].environment;
      expect([target.split(':')[1], '0.0.0.0']).toEqual([MANAGEMENT_PORT, MANAGEMENT_HOST]);
    }
  });
});

describe('infra/docker/Dockerfile', () => {
  it('has no errors and no warnings of the linter', () => {
    const errors = dockerfileUtils
      .validate(textOf('infra/docker/Dockerfile'))
      .filter(({ severity }) => severity === ERROR || severity === WARNING);
    expect(errors.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });
});
