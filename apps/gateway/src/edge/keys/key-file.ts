import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { KeyFileError, KeyRing, MAX_LIVE_KEYS, readKeyFile } from '@carbon/auth';
import { ConfigError } from '@carbon/config';
import type { Gauge, Metrics } from '@carbon/observability';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { keyMetrics } from '../../gateway.metrics.js';

/** How often the file is looked at: a revoked key is refused everywhere within a few times this. */
const LOOK_EVERY_MS = 1_000;
/** So long after the last sound look the keys in force are said to be old: a look may hang. */
const OLD_AFTER_MS = 5_000;
/** Some 40,000 keys. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The keys in force: those of the key file as last read soundly. The file is read whole every second, whatever its name
 * leads to by then, which needs no notice of a change and so misses none: not a rename over it, nor Kubernetes' change of a
 * link, nor a write within the resolution of a time stamp, nor anything on a network's file system.
 */
export class KeyFileInForce implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('keys');
  private text: string;
  private ring: KeyRing;
  private soundAt = performance.now();
  /** Why the last look was not sound. */
  private wrong: string | undefined;
  private next: NodeJS.Timeout | undefined;
  private stopped = false;

  /** @throws ConfigError for a file that is missing or wrong, with everything that is wrong with it */
  constructor(private readonly path: string) {
    try {
      requireFile(statSync(path));
      this.text = readFileSync(path, 'utf8');
      this.ring = ringOf(this.text);
    } catch (error) {
      const said = (reason: string) => ({ name: 'API_KEYS_FILE', detail: `names ${path}: ${reason}` });
      throw new ConfigError(reasonsOf(error).map(said));
    }
  }

  /** Tells when the keys in force are old ones, and how many there are. */
  showOn(metrics: Metrics): this {
    const { current, live } = metrics.of(keyMetrics);
    metrics.onScrape(() => this.show(current, live));
    return this;
  }

  /** The keys to judge a request by. Not to be kept: the next request may meet others. */
  get keys(): KeyRing {
    return this.ring;
  }

  onApplicationBootstrap(): void {
    this.announce(`Callers are known by the keys of ${this.path}`);
    this.wait();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.next);
  }

  private wait(): void {
    if (this.stopped) return;
    this.next = setTimeout(() => void this.look().finally(() => this.wait()), LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    try {
      requireFile(await stat(this.path));
      const text = await readFile(this.path, 'utf8');
      if (text !== this.text) this.take(text);
      else if (this.wrong !== undefined) this.logger.log('The key file is sound again, and says what it said before');
      this.soundAt = performance.now();
      this.wrong = undefined;
    } catch (error) {
      this.report(reasonsOf(error).join('; '));
    }
  }

  private take(text: string): void {
    this.ring = ringOf(text);
    this.text = text;
    this.announce('The key file has changed, and is in force');
  }

  /** Too many keys are no reason to refuse a file: an account's third may be one that a clock ahead of ours sees expired. */
  private announce(sentence: string): void {
    const now = Date.now();
    this.logger.log(sentence, { count: this.ring.live(now) });
    const crowded = this.ring.crowded(now);
    if (crowded.length === 0) return;
    const detail = { count: crowded.length, account: crowded[0] };
    this.logger.warn(
      `Some accounts have more than ${MAX_LIVE_KEYS} live keys, which are all taken; revoke some`,
      detail,
    );
  }

  /** Once for each reason, not for each look. */
  private report(reason: string): void {
    if (this.wrong === reason) return;
    this.wrong = reason;
    this.logger.error(`The key file cannot be used, and the keys it last held stay in force: ${reason}`);
  }

  private show(current: Gauge, live: Gauge): void {
    const isCurrent = this.wrong === undefined && performance.now() - this.soundAt <= OLD_AFTER_MS;
    current.set(isCurrent ? 1 : 0);
    live.set(this.ring.live(Date.now()));
  }
}

function ringOf(text: string): KeyRing {
  return new KeyRing(readKeyFile(text));
}

function requireFile(found: { readonly size: number; isFile(): boolean }): void {
  if (!found.isFile()) throw new Unusable('it is no file');
  if (found.size > MOST_BYTES) throw new Unusable(`it is larger than ${MOST_BYTES} bytes`);
}

class Unusable extends Error {}

/** One for each fault. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof KeyFileError) return error.issues.map(({ place, detail }) => `${place} ${detail}`);
  if (error instanceof Unusable) return [error.message];
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown reason';
  if (code !== 'ENOENT') return [`it cannot be read (${code})`];
  return ['there is no such file; `npm run keys -- create` makes one'];
}
