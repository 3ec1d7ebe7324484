import { Ajv } from 'ajv';
import dockerfileUtils from 'dockerfile-utils';
import { parse } from 'yaml';
import { textOf } from './tracked-files.js';

/** Severities of the Language Server Protocol. */
const [ERROR, WARNING] = [1, 2];

/** No container engine is needed to build or test this project, so its container files are proven by what can be. */
describe('docker-compose.yml', () => {
  const compose = parse(textOf('docker-compose.yml'), { merge: true });

  it('is what the Compose Specification calls valid', () => {
    const { $schema: _, ...schema } = JSON.parse(textOf('infra/docker/compose-spec.schema.json'));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, validateSchema: false });
    expect(ajv.validate(schema, compose) ? [] : ajv.errors).toEqual([]);
  });

  it('waits only for services that it defines', () => {
    const services: Record<string, { depends_on?: Record<string, unknown> }> = compose.services;
    const awaited = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}));
    expect(Object.keys(services)).toEqual(expect.arrayContaining(awaited));
  });

  it('opens nothing but the gateway, and that on the loopback address', () => {
    const services: Record<string, { ports?: string[] }> = compose.services;
    const ports = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(ports).toEqual(['gateway 127.0.0.1:3000:3000']);
  });
});

describe('infra/docker/Dockerfile', () => {
  it('has no fault a linter can see', () => {
    const faults = dockerfileUtils
      .validate(textOf('infra/docker/Dockerfile'))
      .filter(({ severity }) => severity === ERROR || severity === WARNING);
    expect(faults.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });
});
