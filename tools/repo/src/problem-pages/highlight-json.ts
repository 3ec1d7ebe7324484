const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Text as HTML shows it. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** JSON as HTML, with keys, strings and other values marked. */
export function highlightJson(json: string): string {
  let html = '';
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    const [token, text, colon] = match;
    const mark = text === undefined ? 'v' : colon === undefined ? 's' : 'k';
    html += `${escaped(json.slice(end, match.index))}<span class="${mark}">${escaped(text ?? token)}</span>${colon ?? ''}`;
    end = match.index + token.length;
  }
  return html + escaped(json.slice(end));
}
