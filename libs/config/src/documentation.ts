import { fallbackOf, metaOf, type SettingsSchema } from './setting.js';

/** The documentation of one setting. */
export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** The text of the default; undefined when there is none. */
  readonly fallback?: string;
  readonly example?: string;
  /** A range or a list of words; undefined for free text. */
  readonly values?: string;
}

/** Returns the documentation of the settings of a schema, in order. @throws Error when a setting has no description */
export function describeConfig(schema: SettingsSchema): SettingDescription[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, secret = false, example, values } = metaOf(setting);
    if (!description) throw new Error(`${name} has no description`);
    const fallback = fallbackOf(setting);
    return {
      name,
      description,
      required: !setting.safeParse(undefined).success,
      secret,
      ...(fallback !== undefined && { fallback }),
      ...(example !== undefined && { example }),
      ...(values !== undefined && { values }),
    };
  });
}
