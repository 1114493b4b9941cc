/**
 * Has a test take something from the npm registry. Where `CI` is set, as `.ci/run` does, what cannot be had fails the test;
 * elsewhere the test is skipped, and says why.
 */
export async function fromRegistry(what: string, skip: (reason: string) => never, take: () => Promise<unknown>): Promise<void> {
  const failure = await take().then(
    () => undefined,
    (cause: unknown) => new Error(`${what} could not be had from the npm registry`, { cause }),
  );
  if (failure === undefined) return;
  if (process.env["CI"] !== undefined) throw failure;
  skip(`${failure.message}: ${String(failure.cause).slice(0, 1000)}`);
}
