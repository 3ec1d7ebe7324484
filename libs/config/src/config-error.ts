/** One wrong setting: its name, and what is wrong and what to do as the rest of a sentence. */
export interface ConfigFault {
  readonly name: string;
  readonly detail: string;
}

/** Every wrong setting at once. Holds no secret's value. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly ConfigFault[]) {
    super(`The configuration cannot be used:\n${faults.map(({ name, detail }) => `  ${name} ${detail}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
