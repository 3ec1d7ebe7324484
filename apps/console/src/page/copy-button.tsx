import { useState } from 'react';

/** Copies a text. Without a clipboard, as on a page without TLS, the text beside it can be selected. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, setState] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('Copied');
    } catch {
      setState('Select the text and copy it');
    }
  };
  return (
    <>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        Copy
      </button>
      <span role="status" className="note">
        {state}
      </span>
    </>
  );
}
