import { useEffect, useEffectEvent, useState } from 'react';

interface Props {
  readonly error: Error;
  readonly seconds: number;
  /** Done when the time is over; without it somebody has to press the button. */
  readonly then?: (() => void) | undefined;
}

/** Counts down to the next try after an error. Not read aloud: it would be at every second. */
export function Countdown({ error, seconds, then }: Props) {
  const [state, setState] = useState({ error, left: seconds });
  const isNew = state.error !== error;
  if (isNew) setState({ error, left: seconds });
  const left = isNew ? seconds : state.left;
  const expire = useEffectEvent(() => then?.());
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => {
      setState({ error, left: left - 1 });
      if (left === 1) expire();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [error, left]);
  if (left <= 0) return then === undefined ? null : <span>Trying again …</span>;
  return (
    <span role="timer">
      {then === undefined ? 'Try again' : 'Trying again'} in {left} s
    </span>
  );
}
