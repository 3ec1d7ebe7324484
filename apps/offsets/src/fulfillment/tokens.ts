/** The leases under which some offsets are held, each once. */
export function tokensOf(held: readonly { readonly token: string }[]): string[] {
  return [...new Set(held.map(({ token }) => token))];
}
