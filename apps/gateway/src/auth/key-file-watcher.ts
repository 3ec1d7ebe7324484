import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { KeyFileError, KeyRing, MAX_KEY_FILE_BYTES, MAX_LIVE_KEYS, readKeyFile } from '@carbon/auth';
import { ConfigError } from '@carbon/config';
import type { Metrics } from '@carbon/observability';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EXPIRING_DAYS, keyMetrics } from '../gateway.metrics.js';

/** A revoked key is refused everywhere within a few of these intervals. */
const RELOAD_INTERVAL_MS = 1_000;
/** The keys count as stale when the last successful reload is older than this: a read may hang. */
const STALE_AFTER_MS = 5_000;
/** Keys that end sooner are exported as expiring, unless they are short-lived. Milliseconds. */
const EXPIRING_MS = EXPIRING_DAYS * 86_400_000;

class UnusableFile extends Error {}

/**
 * The API keys of the key file, as last read successfully. The whole file is read every second, through any link that its name
 * links to: that misses no rename, no change of a Kubernetes link, and no write on a network file system.
 */
export class KeyFileWatcher implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('auth');
  private text: string;
  private ring: KeyRing;
  private reloadedAt = performance.now();
  /** Why the last reload failed. */
  private failure: string | undefined;
  private invalid: { readonly text: string; readonly reason: string } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  /** @throws ConfigError for a file that is missing or invalid, with everything that is wrong with it */
  constructor(private readonly path: string) {
    try {
      requireUsable(statSync(path));
      this.text = readFileSync(path, 'utf8');
      this.ring = parseKeys(this.text);
    } catch (error) {
      const issues = reasonsOf(error).map((reason) => ({ name: 'API_KEYS_FILE', detail: `names ${path}: ${reason}` }));
      throw new ConfigError(issues);
    }
  }

  /** Exports whether the keys are current, how many there are, and how many end soon. */
  exportMetrics(metrics: Metrics): this {
    const { reloadSuccessful, activeKeys, expiringKeys } = metrics.of(keyMetrics);
    metrics.onScrape(() => {
      const isCurrent = this.failure === undefined && performance.now() - this.reloadedAt <= STALE_AFTER_MS;
      reloadSuccessful.set(isCurrent ? 1 : 0);
      const now = Date.now();
      activeKeys.set(this.ring.live(now));
      expiringKeys.set(this.ring.expiring(now, EXPIRING_MS));
    });
    return this;
  }

  /** The keys to authenticate one request with; they may have changed by the next request. */
  get keys(): KeyRing {
    return this.ring;
  }

  onApplicationBootstrap(): void {
    this.logKeys(`API keys are read from ${this.path}`);
    this.schedule();
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.reload().finally(() => this.schedule()), RELOAD_INTERVAL_MS).unref();
  }

  private async reload(): Promise<void> {
    let text: string | undefined;
    try {
      requireUsable(await stat(this.path));
      text = await readFile(this.path, 'utf8');
      // An invalid text is not parsed again, because a large one takes a while.
      if (text === this.invalid?.text) return this.logFailure(this.invalid.reason);
      if (text !== this.text) this.replace(text);
      else if (this.failure !== undefined) this.logger.log('The key file can be read again, and has not changed');
      this.reloadedAt = performance.now();
      this.failure = undefined;
      this.invalid = undefined;
    } catch (error) {
      const reason = reasonsOf(error).join('; ');
      if (text !== undefined) this.invalid = { text, reason };
      this.logFailure(reason);
    }
  }

  private replace(text: string): void {
    this.ring = parseKeys(text);
    this.text = text;
    this.logKeys('The key file was reloaded');
  }

  /** Too many keys are no reason to refuse a file: a clock ahead of ours may already see an account's third key expired. */
  private logKeys(message: string): void {
    const now = Date.now();
    this.logger.log(message, { count: this.ring.live(now) });
    const accountsAtLimit = this.ring.accountsAtLimit(now);
    if (accountsAtLimit.length === 0) return;
    const details = { count: accountsAtLimit.length, account: accountsAtLimit[0] };
    this.logger.warn(`Some accounts have more than ${MAX_LIVE_KEYS} active keys; all are valid. Revoke some`, details);
  }

  /** Logs each reason once, not at each reload. */
  private logFailure(reason: string): void {
    if (this.failure === reason) return;
    this.failure = reason;
    this.logger.error(`The key file cannot be used; the last valid keys stay in effect: ${reason}`);
  }
}

function parseKeys(text: string): KeyRing {
  return new KeyRing(readKeyFile(text));
}

function requireUsable(file: { readonly size: number; isFile(): boolean }): void {
  if (!file.isFile()) throw new UnusableFile('it is not a file');
  if (file.size > MAX_KEY_FILE_BYTES) throw new UnusableFile(`it is larger than ${MAX_KEY_FILE_BYTES} bytes`);
}

/** Returns one reason for each error. */
function reasonsOf(error: unknown): string[] {
  if (error instanceof KeyFileError) return error.issues.map(({ place, detail }) => `${place} ${detail}`);
  if (error instanceof UnusableFile) return [error.message];
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown reason';
  if (code !== 'ENOENT') return [`it cannot be read (${code})`];
  return ['there is no such file; `npm run keys -- create` creates one'];
}
