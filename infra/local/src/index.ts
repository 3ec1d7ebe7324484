export type { PackageSource } from './engines/debian-packages.js';
export { ENGINES, type EngineAddresses, type EngineName } from './engines/engine-parts.js';
export { fetchEngines, NotFetched } from './engines/fetch.js';
export { findJdk } from './engines/jdk.js';
export { fetchLibfaketime, type Libfaketime } from './engines/libfaketime.js';
export { fetchPgbouncer } from './engines/pgbouncer.js';
export { APPS, type AppName } from './parts/app.js';
export { freePorts, PORTS, type PortSetting, type Ports } from './ports.js';
export {
  copyRunningPostgres,
  copyStoppedPostgres,
  type PostgresCopy,
  postgresDataDir,
  putBackPostgres,
} from './postgres/copies.js';
export { PostgresStandby, type PostgresStandbyOptions } from './postgres/standby.js';
export { withPostgres } from './postgres/with-postgres.js';
export type { Command } from './processes/guard-protocol.js';
export { CertificateAuthority } from './secured/certificate.js';
export { type SecuredKafka, startSecuredKafka } from './secured/start-secured-kafka.js';
export {
  type RunningPgbouncer,
  type SecuredPostgres,
  startPgbouncer,
  startSecuredPostgres,
} from './secured/start-secured-postgres.js';
export { startTlsProxy, type TlsProxy } from './secured/tls-proxy.js';
export { launcherSettings } from './settings.js';
export { type RunningEngines, type StartEnginesOptions, startEngines } from './start-engines.js';
export {
  type KafkaClusterOptions,
  type RunningKafkaCluster,
  startKafkaCluster,
} from './start-kafka-cluster.js';
export {
  type OpensearchClusterOptions,
  type RunningOpensearchCluster,
  startOpensearchCluster,
} from './start-opensearch-cluster.js';
export { type RunningSystem, startSystem } from './start-system.js';
export { type AdaptCommand, type PartEvent, PartFailed, type PartState } from './supervise/part.js';
export type { SupervisedPart } from './supervise/supervised-part.js';
export type { SystemAddresses } from './system/addresses.js';
export type { AppOptions, StartSystemOptions } from './system/options.js';
export { startTcpProxy, TcpProxy, type TcpProxyOptions } from './tcp-proxy.js';
export { type TemporaryDir, temporaryDir } from './temporary-dir.js';
