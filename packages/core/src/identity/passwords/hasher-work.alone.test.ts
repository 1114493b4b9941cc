import { describe, expect, test, vi } from "vitest";
import { canDerive, type DerivedHash } from "./derive.ts";
import { createPasswordHasher } from "./hasher.ts";
import { maximumPasswordBytes } from "./limits.ts";

/**
 * The parameters of the requested keys, in order. The tests compare the work instead of the elapsed time, which other
 * threads in the process affect. `pnpm timing` measures the time over HTTP. Only the length of the keys is as requested,
 * because a key with the real parameters costs a tenth of a second.
 */
const work: unknown[] = [];
vi.mock("./derive.ts", async (load) => {
  const actual = await load<typeof import("./derive.ts")>();
  const deriveKey: typeof actual.deriveKey = async (password, hash) => {
    work.push(costOf(hash));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", password));
    return digest.slice(0, hash.key.length);
  };
  return { ...actual, deriveKey };
});

/** Returns the parameters that the cost of a hash depends on, without its salt and key. */
const costOf = ({ salt: _, key, ...parameters }: DerivedHash) => ({ ...parameters, keyLength: key.length });

const workOf = async (run: () => Promise<unknown>) => {
  work.splice(0);
  await run();
  return [...work];
};

const algorithms = (["argon2id", "scrypt", "pbkdf2"] as const).filter((algorithm) =>
  canDerive(algorithm === "argon2id" ? "argon2" : algorithm),
);
test.each(algorithms)("with %s, a login of an unknown user does the same hashing work as a login of a known user", async (algorithm) => {
  const hasher = createPasswordHasher({ algorithm });
  const stored = await hasher.hash("correct horse");
  for (const wrong of ["wrong", "\u{fb01}sh, which another form writes otherwise", "a".repeat(maximumPasswordBytes + 1)]) {
    const known = await workOf(() => hasher.verify(wrong, stored));
    const unknown = await workOf(() => hasher.verifyDummy(wrong));
    expect(known.length).toBeGreaterThan(0);
    expect(unknown).toEqual(known);
  }
});

test("a login of a user with an imported digest does the hashing work of a login of an unknown user, and computes the digest", async () => {
  const hasher = createPasswordHasher();
  const unknown = await workOf(() => hasher.verifyDummy("wrong"));
  const known = await workOf(() =>
    hasher.verify("wrong", "$digest$a=sha256,c=prefix$c2FsdHNhbHQ$cq5KD8iJ4trt5nDnt15Oo+gNQpjO/i0bR65SZxSptHM"),
  );
  expect(known).toEqual([...unknown, expect.objectContaining({ kind: "digest" })]);
});

describe("for a password that normalization changes, the maximum cost holds for both forms together", () => {
  const typed = "\u{fb01}sh and chips";
  const storedFor = async (password: string, iterations: number): Promise<string> => {
    const key = new Uint8Array(await crypto.subtle.digest("SHA-512", new TextEncoder().encode(password))).slice(0, 32);
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
    return `$pbkdf2-sha256$i=${iterations}$c2FsdHNhbHRzYWx0c2FsdA$${text(key)}`;
  };

  test.each([
    [2_500_000, 2],
    [2_500_001, 1],
    [5_000_000, 1],
  ])("%d iterations are computed %d times at most", async (iterations, times) => {
    const hasher = createPasswordHasher();
    const stored = await storedFor("another password", iterations);
    expect(await workOf(() => hasher.verify(typed, stored))).toHaveLength(times);
    // An import from a system that does not normalize.
    expect(await hasher.verify(typed, await storedFor(typed, iterations))).toBe("match-rehash");
    expect(await hasher.verify("plain", await storedFor("plain", iterations))).toBe("match-rehash");
  });
});
