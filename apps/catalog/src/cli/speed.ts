/** Such as `45 % of 200,000 messages, 12,345 a second`. */
export function howFar(all: bigint, left: bigint, elapsedMs: number): string {
  if (all === 0n) return 'the topic is empty';
  const taken = all - left;
  const percent = (taken * 100n) / all;
  return `${percent} % of ${grouped(all)} messages, ${grouped(perSecond(taken, elapsedMs))} a second`;
}

/** Such as `200,000 messages in 12.3 s, 16,260 a second`. */
export function finished(all: bigint, elapsedMs: number): string {
  return `${grouped(all)} messages in ${(elapsedMs / 1000).toFixed(1)} s, ${grouped(perSecond(all, elapsedMs))} a second`;
}

/** With a comma between every three digits. */
export function grouped(count: bigint | number): string {
  return count.toLocaleString('en-US');
}

function perSecond(count: bigint, elapsedMs: number): bigint {
  return (count * 1000n) / BigInt(Math.max(1, Math.round(elapsedMs)));
}
