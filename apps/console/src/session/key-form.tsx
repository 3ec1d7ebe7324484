import { type SubmitEvent, useState } from 'react';
import { ViewTitle } from '../page/location.js';
import { useSession } from './session.js';

/** Asks for the key of a gateway that requires one. */
export function KeyForm() {
  const { key, enter } = useSession();
  const [text, setText] = useState(key ?? '');
  const [error, setError] = useState(
    key === undefined ? '' : 'The gateway does not accept this key: it is mistyped, expired or revoked.',
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    try {
      enter(text.trim());
    } catch {
      setError('This is no key: a key has letters, digits and signs only, without spaces.');
    }
  };
  return (
    <form className="card narrow" onSubmit={submit}>
      <ViewTitle>Enter your key</ViewTitle>
      <p>
        This gateway requires an API key. It stays in this tab until you close it or forget it, and goes only to this
        gateway.
      </p>
      <label htmlFor="key">API key</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-invalid={error !== ''}
        aria-describedby="key-error"
      />
      <p id="key-error" className="error" role="alert">
        {error}
      </p>
      <button type="submit" className="primary">
        Use this key
      </button>
    </form>
  );
}
