/** Milliseconds for which a result is stored: the lifetime of an authorization code. */
const lifetime = 60_000;

/** Maximum number of stored results. */
const maximum = 1000;

/**
 * Creates a function that exchanges the code of a sign-in attempt once in this process. A browser may send the callback
 * twice, and a code that is used twice revokes the tokens of its first use. Concurrent and later calls with the same
 * state receive the result of the first. An error is not stored: a later call retries.
 * @param now milliseconds since 1970.
 */
export function createCodeExchanges<T>(now: () => number): (state: string, exchange: () => Promise<T>) => Promise<T> {
  const results = new Map<string, { readonly result: Promise<T>; readonly startedAt: number }>();
  return (state, exchange) => {
    for (const [known, { startedAt }] of results) {
      if (startedAt + lifetime > now() && results.size < maximum) break;
      results.delete(known);
    }
    const known = results.get(state);
    if (known !== undefined) return known.result;
    const result = exchange();
    results.set(state, { result, startedAt: now() });
    result.catch(() => results.delete(state));
    return result;
  };
}
