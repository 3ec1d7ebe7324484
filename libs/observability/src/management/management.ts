/** The settings of an app that say where it tells about itself. */
export interface ManagementSettings {
  readonly MANAGEMENT_PORT?: number | undefined;
  readonly MANAGEMENT_HOST?: string | undefined;
}

/**
 * Where an app tells those who run it about itself: beside its own routes, or, once a port is set, there alone, so that
 * who may call the app need not be who may see its inside.
 */
export class Management {
  readonly port: number | undefined;
  readonly host: string;

  constructor({ MANAGEMENT_PORT, MANAGEMENT_HOST = '127.0.0.1' }: ManagementSettings = {}) {
    this.port = MANAGEMENT_PORT;
    this.host = MANAGEMENT_HOST;
  }

  /** Whether it has a port of its own. */
  get isApart(): boolean {
    return this.port !== undefined;
  }
}
