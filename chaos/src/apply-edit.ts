import type { Bug, Edit } from './bug.js';

/** The source has changed, and the bug must be adapted. */
export class EditDoesNotApply extends Error {
  override readonly name = 'EditDoesNotApply';
}

/**
 * Returns the files that a bug changes, by path, with its edits applied. Several edits of one file are applied in
 * order.
 * @param read returns the text of a file by its path from the root
 */
export function editedFiles(bug: Bug, read: (file: string) => string): Map<string, string> {
  const files = new Map<string, string>();
  for (const edit of bug.edits) {
    const { file } = edit;
    files.set(file, editText(bug.name, edit, files.get(file) ?? textOf(bug.name, edit, read)));
  }
  return files;
}

function textOf(bug: string, { file }: Edit, read: (file: string) => string): string {
  try {
    return read(file);
  } catch (cause) {
    throw new EditDoesNotApply(`The bug ${bug} cannot be applied: ${file} cannot be read.`, { cause });
  }
}

function editText(bug: string, { file, find, replace }: Edit, text: string): string {
  const parts = text.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new EditDoesNotApply(
    `The bug ${bug} cannot be applied: ${file} contains this text ${parts.length - 1} times instead of exactly once:\n${find}`,
  );
}
