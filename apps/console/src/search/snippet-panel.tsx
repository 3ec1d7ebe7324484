import { CopyButton } from '../page/copy-button.js';
import { type SearchState, snippetsOf } from './snippets.js';

/** The search as a command and as code, to copy. */
export function SnippetPanel({ search, hasKey }: { readonly search: SearchState; readonly hasKey: boolean }) {
  return (
    <details className="snippets">
      <summary>Copy as curl, TypeScript or command line</summary>
      {snippetsOf(search, location.origin, hasKey).map(({ title, code }) => (
        <div key={title} className="snippet">
          <h2>{title}</h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
          <pre tabIndex={0}>{code}</pre>
          <CopyButton key={code} text={code} label={title} />
        </div>
      ))}
    </details>
  );
}
