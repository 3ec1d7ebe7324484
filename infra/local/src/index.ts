export { CHECKOUT, checkedOutCommit, LIBRARY, type TemporaryDir, temporaryDir } from './checkout.js';
export { stopRequests } from './cli/start.js';
export { fetchLibfaketime, fetchPgbouncer } from './engines/debian-packages.js';
export { ENGINES, type EngineAddresses, type EngineName } from './engines/engine-parts.js';
export { DownloadError, fetchEngines } from './engines/fetch.js';
export { findJdk } from './engines/jdk.js';
export type { AppName } from './parts/app.js';
export { freePorts } from './ports.js';
export {
  copyRunningPostgres,
  copyStoppedPostgres,
  type PostgresCopy,
  restorePostgres,
} from './postgres/copies.js';
export { PostgresStandby } from './postgres/standby.js';
export { withPostgres } from './postgres/with-postgres.js';
export type { Command } from './processes/guarded-process.js';
export { waitUntil } from './processes/pids.js';
export { CertificateAuthority } from './secured/certificate.js';
export { type SecuredKafka, startSecuredKafka } from './secured/start-secured-kafka.js';
export {
  type RunningPgbouncer,
  type SecuredPostgres,
  startPgbouncer,
  startSecuredPostgres,
} from './secured/start-secured-postgres.js';
export { startTlsProxy, type TlsProxy } from './secured/tls-proxy.js';
export {
  type RunningKafkaCluster,
  type RunningOpensearchCluster,
  startKafkaCluster,
  startOpensearchCluster,
} from './start-cluster.js';
export { type RunningEngines, startEngines } from './start-engines.js';
export { type RunningSystem, startSystem } from './start-system.js';
export { type PartEvent, PartFailed } from './supervise/part.js';
export type { SupervisedPart } from './supervise/supervised-part.js';
export type { AppOptions, StartSystemOptions } from './system/options.js';
export { startProxyOf, startTcpProxy, TcpProxy } from './tcp-proxy.js';
