const KEPT_MS = 40_000;

/** Saves a text as a file of the reader. */
export function download(file: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  // No event says when the browser has read it, and some begin late.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
