import { fallbackOf, mayBeAbsent, metaOf, type SettingsSchema } from '../setting.js';

/** One setting as the documentation shows it. */
export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly secret: boolean;
  /** The default as one would write it; undefined when there is none. */
  readonly fallback?: string;
  readonly example?: string;
}

/** What the settings of a schema say about themselves, in their order. Throws when one says nothing. */
export function describeConfig(schema: SettingsSchema): SettingDescription[] {
  return Object.entries(schema.shape).map(([name, setting]) => {
    const { description, secret = false, example } = metaOf(setting);
    if (!description) throw new Error(`${name} has no description`);
    const fallback = fallbackOf(setting);
    return {
      name,
      description,
      required: !mayBeAbsent(setting),
      secret,
      ...(fallback !== undefined && { fallback }),
      ...(example !== undefined && { example }),
    };
  });
}
