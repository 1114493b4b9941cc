/**
 * Has a test take something from the npm registry. Where `CI` is set, as `.ci/run` does, what cannot be had fails the test;
 * elsewhere the test is skipped, and says why.
 */
export async function fromRegistry(what: string, skip: (reason: string) => never, take: () => Promise<unknown>): Promise<void> {
  const taken = await tryRegistry(what, take);
  if ("absent" in taken) skip(taken.absent);
}

/**
 * The same for a whole file, which skips its tests where it gets `absent`, the reason.
 * @throws where `CI` is set and it cannot be had.
 */
export async function tryRegistry<T>(what: string, take: () => Promise<T>): Promise<{ readonly taken: T } | { readonly absent: string }> {
  try {
    return { taken: await take() };
  } catch (cause) {
    const failure = new Error(`${what} could not be had from the npm registry`, { cause });
    if (process.env["CI"] !== undefined) throw failure;
    return { absent: `${failure.message}: ${String(cause).slice(0, 1000)}` };
  }
}
