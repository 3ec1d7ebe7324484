export * from './app-settings.js';
export * from './connection-errors.js';
export * from './documentation.js';
export * from './engine-settings.js';
export * from './environment.js';
export { ConfigError, exitOnConfigError, loadConfig, loadConfigOrExit } from './load-config.js';
export {
  brokers,
  bytes,
  choice,
  flag,
  milliseconds,
  origins,
  port,
  readableFile,
  type Setting,
  type SettingMeta,
  type SettingsSchema,
  secretList,
  setting,
  text,
  url,
  urls,
  whole,
} from './setting.js';
