import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Setting, type SettingMeta, setting } from '../setting.js';

/** The path of a file that can be read at the start; absolute, so that a process in another folder finds the same file. */
export function readableFile(meta: SettingMeta): Setting<string> {
  const schema = z
    .string()
    .transform((path) => resolve(path))
    .superRefine((path, context) => {
      const reason = whyUnreadable(path);
      if (reason === undefined) return;
      const message = `names a file that cannot be read (${reason}); check the path and its permissions`;
      context.addIssue({ code: 'custom', message });
    });
  return setting(schema, meta);
}

function whyUnreadable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
  }
}
