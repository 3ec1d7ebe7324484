import { useEffect, useEffectEvent, useState } from 'react';

interface Props {
  readonly error: Error;
  readonly seconds: number;
  /** Called when the time is over. Without it, the user has to press the button. */
  readonly onElapsed?: (() => void) | undefined;
}

/** Counts down to the next try after an error. Screen readers do not announce it, because it changes every second. */
export function Countdown({ error, seconds, onElapsed }: Props) {
  const [state, setState] = useState({ error, left: seconds });
  const isNew = state.error !== error;
  if (isNew) setState({ error, left: seconds });
  const left = isNew ? seconds : state.left;
  const expire = useEffectEvent(() => onElapsed?.());
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => {
      setState({ error, left: left - 1 });
      if (left === 1) expire();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [error, left]);
  if (left <= 0) return onElapsed === undefined ? null : <span>Trying again …</span>;
  return (
    <span role="timer">
      {onElapsed === undefined ? 'Try again' : 'Trying again'} in {left} s
    </span>
  );
}
