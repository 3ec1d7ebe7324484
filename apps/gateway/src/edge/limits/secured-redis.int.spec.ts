import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CertificateAuthority,
  type RunningEngines,
  startEngines,
  startTlsProxy,
  type TemporaryDir,
  type TlsProxy,
  temporaryDir,
} from '@carbon/local';
import { eventually } from '@carbon/testing';
import { Logger } from '@nestjs/common';
import { RedisCounters } from './redis-counters.js';
import { redisAdvice, type TlsFiles } from './redis-link.js';

const authority = new CertificateAuthority();
let folder: TemporaryDir;
let engines: RunningEngines;
let proxy: TlsProxy;
let url: URL;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryDir();
  engines = await startEngines({ dir: folder.dir, which: ['redis'] });
  url = new URL(engines.addresses.redisUrl ?? '');
  const issued = authority.issue({ name: 'redis', hosts: ['localhost'] });
  const target = { host: url.hostname, port: Number(url.port) };
  proxy = await startTlsProxy(target, { ...issued, clientAuthority: authority.certificate });
});

afterAll(async () => {
  proxy.close();
  await engines.stop();
  folder.remove();
});

function file(name: string, content: string): string {
  const path = join(folder.dir, name);
  writeFileSync(path, content);
  return path;
}

function filesOf(by: CertificateAuthority, trusted = authority): TlsFiles {
  const { certificate, key } = by.issue({ name: 'gateway' });
  return {
    ca: file('ca.pem', trusted.certificate),
    certificate: file('client.pem', certificate),
    key: file('client.key', key),
  };
}

function counters(tls: TlsFiles, password = url.password): RedisCounters {
  const secured = `rediss://:${password}@localhost:${proxy.port}`;
  return new RedisCounters({ url: secured, tls, prefix: 'secured:', deadlineMs: 10_000, lookEveryMs: 200 });
}

function whyNot(redis: RedisCounters): string | undefined {
  try {
    redis.check();
    return 'it answers';
  } catch (error) {
    return redisAdvice(error);
  }
}

describe('Redis over TLS', () => {
  it('counts, verified both ways', async () => {
    const redis = counters(filesOf(authority));
    await eventually(() => redis.check());
    expect(await redis.take('one', { perSecond: 1, burst: 2 }, 0)).toMatchObject({ admitted: true });
    redis.close();
  });

  it.each<[string, () => RedisCounters, RegExp]>([
    [
      'an unknown authority',
      () => counters(filesOf(authority, new CertificateAuthority())),
      /RATE_LIMIT_REDIS_CA_FILE/,
    ],
    ['a wrong password', () => counters(filesOf(authority), 'wrong'), /user or the password/],
  ])('%s is said, with what to change', async (_, start, sentence) => {
    const redis = start();
    await eventually(() => expect(whyNot(redis)).toMatch(sentence));
    redis.close();
  });
});
