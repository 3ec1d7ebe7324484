/** The ports of a Kafka node. */
export interface KafkaPorts {
  readonly port: number;
  readonly controllerPort: number;
  /** The port that clients are told instead of its own, and one by which brokers reach each other and the launcher. */
  readonly advertised?: { readonly port: number; readonly internalPort: number };
}

/** The settings of a node's listeners, without TLS. */
export function listenerProperties({ port, controllerPort, advertised }: KafkaPorts): Record<string, string> {
  const [client, controller] = [`PLAINTEXT://127.0.0.1:${port}`, `CONTROLLER://127.0.0.1:${controllerPort}`];
  const protocols = 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT';
  if (advertised === undefined) {
    return {
      listeners: `${client},${controller}`,
      'advertised.listeners': client,
      'listener.security.protocol.map': protocols,
    };
  }
  const internal = `INTERNAL://127.0.0.1:${advertised.internalPort}`;
  return {
    listeners: `${client},${internal},${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised.port},${internal}`,
    'inter.broker.listener.name': 'INTERNAL',
    'listener.security.protocol.map': `${protocols},INTERNAL:PLAINTEXT`,
  };
}
