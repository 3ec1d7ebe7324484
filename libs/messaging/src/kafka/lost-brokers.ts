import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const GROUP_MODULE = 'kafkajs/src/consumer/consumerGroup.js';
const BROKER_MODULE = 'kafkajs/src/broker/index.js';

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Broker {
  readonly connectionPool: Address;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

interface ConsumerGroup {
  lastRequest: number;
  readonly sessionTimeout: number;
  readonly cluster: {
    readonly brokerPool: { readonly brokers: Readonly<Record<string, Broker>> };
    removeBroker(address: Address): void;
  };
  heartbeat(options: { readonly interval: number }): Promise<void>;
  recoverFromFetch(error: Error): Promise<void>;
}

const UNREACHABLE = ['KafkaJSConnectionError', 'KafkaJSConnectionClosedError', 'KafkaJSRequestTimeoutError'];

/**
 * kafkajs sends heartbeats to the coordinator that it found when it joined, even if that broker is gone: only after all
 * retries, a minute or more, does it look for the new one. Here it joins again after a session without a heartbeat, because
 * the group has removed the member by then. A clock that was set back must not stop the heartbeats either.
 */
export function leaveLostCoordinators(): void {
  const { prototype } = require(GROUP_MODULE) as { prototype: ConsumerGroup };
  const { heartbeat } = prototype;
  prototype.heartbeat = async function (options) {
    this.lastRequest = Math.min(this.lastRequest, Date.now());
    try {
      await heartbeat.call(this, options);
    } catch (error) {
      const isOver = Date.now() - this.lastRequest > this.sessionTimeout;
      if (isOver && error instanceof Error && UNREACHABLE.includes(error.name))
        Object.assign(error, { type: 'NOT_COORDINATOR_FOR_GROUP' });
      throw error;
    }
  };
}

/**
 * kafkajs goes on fetching from a broker that does not answer until its metadata are a minute old, and each failure stops the
 * fetches from all other brokers. Here the broker is removed while there are others, so that the metadata are read again; while
 * Kafka still lists it, it is tried again.
 */
export function leaveLostLeaders(): void {
  const { prototype } = require(GROUP_MODULE) as { prototype: ConsumerGroup };
  const { recoverFromFetch } = prototype;
  prototype.recoverFromFetch = function (error) {
    const brokers = Object.values(this.cluster.brokerPool.brokers);
    const addressOf = ({ connectionPool: { host, port } }: Broker) => `${host}:${port}`;
    const lost = brokers.find((broker) => 'broker' in error && addressOf(broker) === error.broker);
    if (lost !== undefined && brokers.length > 1 && UNREACHABLE.includes(error.name)) {
      this.cluster.removeBroker(lost.connectionPool);
      // Not awaited: it waits for requests in flight.
      void lost.disconnect().catch(() => {});
    }
    return recoverFromFetch.call(this, error);
  };
}

/**
 * kafkajs takes a broker of KAFKA_BROKERS for connected that accepts connections and does not answer, such as one that is
 * suspended: every request of the client then fails. Here the connection is closed, and the next broker is tried, as when it is
 * refused.
 */
export function skipSilentBrokers(): void {
  const { prototype } = require(BROKER_MODULE) as { prototype: Broker };
  const { connect } = prototype;
  prototype.connect = async function () {
    try {
      await connect.call(this);
    } catch (error) {
      if (error instanceof Error && error.name === 'KafkaJSRequestTimeoutError') {
        await this.disconnect();
        error.name = 'KafkaJSConnectionError';
      }
      throw error;
    }
  };
}
