/** One who calls. */
export interface Identity {
  readonly name: string;
  readonly key: string;
}

/** The gateway that is tested. */
export interface Target {
  readonly url: string;
  /** Who calls, the first of them; the others must not see what is the first's. Nobody where the gateway is open. */
  readonly identities: readonly Identity[];
  stop(): Promise<void>;
}
