import { expect, test, vi } from "vitest";
import { canDerive, type DerivedHash } from "./derive.ts";
import { createPasswordHasher } from "./hasher.ts";
import { maximumPasswordBytes } from "./limits.ts";

/**
 * The computed keys, in order. The test compares the work and not its time, which other threads of the process affect.
 * `pnpm timing` measures the time over HTTP.
 */
const work: unknown[] = [];
vi.mock("./derive.ts", async (load) => {
  const actual = await load<typeof import("./derive.ts")>();
  const deriveKey: typeof actual.deriveKey = (password, hash) => (work.push(costOf(hash)), actual.deriveKey(password, hash));
  return { ...actual, deriveKey };
});

/** The parameters that decide what a hash costs, without its salt and key. */
const costOf = ({ salt: _, key, ...parameters }: DerivedHash) => ({ ...parameters, keyLength: key.length });

const workOf = async (run: () => Promise<unknown>) => {
  work.splice(0);
  await run();
  return [...work];
};

const algorithms = (["argon2id", "scrypt", "pbkdf2"] as const).filter((algorithm) =>
  canDerive(algorithm === "argon2id" ? "argon2" : algorithm),
);
test.each(algorithms)("an unknown user costs as much as a known one, with %s", async (algorithm) => {
  const hasher = createPasswordHasher({ algorithm });
  const stored = await hasher.hash("correct horse");
  for (const wrong of ["wrong", "\u{fb01}sh, which another form writes otherwise", "a".repeat(maximumPasswordBytes + 1)]) {
    const known = await workOf(() => hasher.verify(wrong, stored));
    const unknown = await workOf(() => hasher.verifyDummy(wrong));
    expect(known.length).toBeGreaterThan(0);
    expect(unknown).toEqual(known);
  }
});

test("a user with a cheap imported hash costs as much as an unknown user, plus the digest", async () => {
  const hasher = createPasswordHasher();
  const unknown = await workOf(() => hasher.verifyDummy("wrong"));
  const known = await workOf(() =>
    hasher.verify("wrong", "$digest$a=sha256,c=prefix$c2FsdHNhbHQ$cq5KD8iJ4trt5nDnt15Oo+gNQpjO/i0bR65SZxSptHM"),
  );
  expect(known).toEqual([...unknown, expect.objectContaining({ kind: "digest" })]);
});
