export { checkedOutCommit, type TemporaryDir, temporaryDir } from './checkout.js';
export { fetchLibfaketime, fetchPgbouncer, type Libfaketime } from './engines/debian-packages.js';
export { ENGINES, type EngineAddresses, type EngineName } from './engines/engine-parts.js';
export { DownloadError, fetchEngines } from './engines/fetch.js';
export { findJdk } from './engines/jdk.js';
export { APPS, type AppName } from './parts/app.js';
export { freePorts, PORTS, type PortSetting, type Ports } from './ports.js';
export {
  copyRunningPostgres,
  copyStoppedPostgres,
  type PostgresCopy,
  postgresDataDir,
  restorePostgres,
  withPostgres,
} from './postgres/copies.js';
export { PostgresStandby, type PostgresStandbyOptions } from './postgres/standby.js';
export type { Command } from './processes/guarded-process.js';
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
export {
  type KafkaClusterOptions,
  type OpensearchClusterOptions,
  type RunningKafkaCluster,
  type RunningOpensearchCluster,
  startKafkaCluster,
  startOpensearchCluster,
} from './start-cluster.js';
export { type RunningEngines, type StartEnginesOptions, startEngines } from './start-engines.js';
export { type RunningSystem, startSystem } from './start-system.js';
export { type AdaptCommand, type PartEvent, PartFailed, type PartState } from './supervise/part.js';
export type { SupervisedPart } from './supervise/supervised-part.js';
export type { SystemAddresses } from './system/addresses.js';
export type { AppOptions, StartSystemOptions } from './system/options.js';
export { startTcpProxy, TcpProxy, type TcpProxyOptions } from './tcp-proxy.js';
