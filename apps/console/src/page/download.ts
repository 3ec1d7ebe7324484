/** Saves a text as a file of the reader. */
export function download(file: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  // The browser has begun to read it by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
