const ANSWER_WITHIN_MS = 1_500;

/** Whether this address answers 200 now. */
export async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await answer.body?.cancel();
  return answer.status === 200;
}
