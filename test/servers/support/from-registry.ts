/**
 * Runs an install from the npm registry in a test. If the install fails, the test is skipped with the reason. With `CI`
 * set, as in `.ci/run`, the test fails instead.
 */
export async function fromRegistry(name: string, skip: (reason: string) => never, install: () => Promise<unknown>): Promise<void> {
  const result = await tryRegistry(name, install);
  if ("absent" in result) skip(result.absent);
}

/**
 * The same for a whole test file: returns the reason as `absent`, and the file skips its tests.
 * @throws {Error} if the install fails and `CI` is set.
 */
export async function tryRegistry<T>(
  name: string,
  install: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly absent: string }> {
  try {
    return { value: await install() };
  } catch (cause) {
    const failure = new Error(`${name} could not be installed from the npm registry`, { cause });
    if (process.env["CI"] !== undefined) throw failure;
    return { absent: `${failure.message}: ${String(cause).slice(0, 1000)}` };
  }
}
