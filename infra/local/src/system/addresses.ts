import type { EngineAddresses } from '../engines/engine-parts.js';
import type { Ports } from '../ports.js';

/** Where everything of a system answers. */
export interface SystemAddresses {
  readonly gateway: string;
  readonly offsets: string;
  readonly catalog: string;
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  readonly opensearchUrl: string;
}

/** The addresses of a system: its apps' by their ports, its engines' as they were given or started. */
export function addressesOf(ports: Ports, engines: EngineAddresses): SystemAddresses {
  const { kafkaBrokers, databaseUrl, opensearchUrl } = engines;
  if (!kafkaBrokers || !databaseUrl || !opensearchUrl) throw new Error('an engine is neither given nor started');
  return {
    gateway: loopback(ports.GATEWAY_PORT),
    offsets: loopback(ports.OFFSETS_PORT),
    catalog: loopback(ports.CATALOG_PORT),
    kafkaBrokers,
    databaseUrl,
    opensearchUrl,
  };
}

/** The address of a port of this machine. */
export function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}
