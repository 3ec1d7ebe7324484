import { fallbackOf, metaOf, type SettingMeta, type SettingsSchema } from './setting.js';

/** The documentation of one setting. */
export interface SettingDescription extends SettingMeta {
  readonly name: string;
  readonly required: boolean;
  /** The text of the default; undefined when there is none. */
  readonly fallback: string | undefined;
}

/** Returns the documentation of the settings of a schema, in order. @throws Error when a setting has no description */
export function describeConfig(schema: SettingsSchema): SettingDescription[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, ...meta } = metaOf(setting);
    if (!description) throw new Error(`${name} has no description`);
    const required = !setting.safeParse(undefined).success;
    return { name, description, required, fallback: fallbackOf(setting), ...meta };
  });
}
