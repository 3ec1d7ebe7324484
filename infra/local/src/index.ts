export { ENGINES, type EngineAddresses, type EngineName } from './engines/engine-parts.js';
export { freePorts, PORTS, type PortSetting, type Ports } from './ports.js';
export { type RunningEngines, type StartEnginesOptions, startEngines } from './start-engines.js';
export { type PartEvent, PartFailed, type PartState } from './supervise/part.js';
export type { SupervisedPart } from './supervise/supervised-part.js';
export { type TemporaryDir, temporaryDir } from './temporary-dir.js';
