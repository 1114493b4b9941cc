import { expect, test } from "vitest";
import { cheapTarget } from "../../../test/cheap-target.ts";
import { BusyError, PasswordTooLongError, UnsupportedHashError } from "../../adapters/hasher.ts";
import { isUnavailable } from "../../store/conflicts.ts";
import { canDerive } from "./derive.ts";
import { createPasswordHasher, createTargetHasher, type PasswordHasherOptions } from "./hasher.ts";
import { maximumPasswordBytes } from "./limits.ts";
import type { HashTarget } from "./targets.ts";

const password = "correct horse";
/** Parameters with the lowest cost. Tests use them unless they are about the cost of new hashes. */
const cheapTargets: readonly HashTarget[] = [
  { kind: "argon2", variant: "argon2id", memory: 8, passes: 1, parallelism: 1 },
  { kind: "scrypt", cost: 2, blockSize: 1, parallelism: 1 },
  cheapTarget,
];
const createCheapHasher = (options?: PasswordHasherOptions) => createTargetHasher(cheapTarget, options);
const forms = {
  argon2id: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  scrypt: /^\$scrypt\$ln=14,r=8,p=5\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  pbkdf2: /^\$pbkdf2-sha256\$i=600000,l=32\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
};

test.for([
  ["argon2id", "argon2id", { algorithm: "argon2id" }],
  ["the default algorithm, scrypt,", "scrypt", {}],
  ["pbkdf2", "pbkdf2", { algorithm: "pbkdf2" }],
] as const)("%s writes hashes in the PHC format and verifies them", async ([, algorithm, options], { skip }) => {
  skip(algorithm === "argon2id" && !canDerive("argon2"), "this runtime has no Argon2");
  const hasher = createPasswordHasher(options);
  const stored = await hasher.hash(password);
  expect(stored).toMatch(forms[algorithm]);
  expect(hasher.accepts(stored)).toBe(true);
  expect(await hasher.verify(password, stored)).toBe("match");
});

test.for(cheapTargets)("a hash of kind $kind matches only its password", async (target, { skip }) => {
  skip(!canDerive(target.kind), "this runtime has no Argon2");
  const hasher = createTargetHasher(target);
  const stored = await hasher.hash(password);
  expect(await hasher.verify(password, stored)).toBe("match");
  expect(await hasher.verify("correct horsf", stored)).toBe("no-match");
});

test.each([
  ["another supported algorithm", { kind: "scrypt", cost: 2, blockSize: 1, parallelism: 1 }],
  ["another cost", { ...cheapTarget, iterations: 2 }],
] as const)("a match with a hash that uses %s requests a rehash", async (_, target) => {
  const stored = await createCheapHasher().hash(password);
  const hasher = createTargetHasher(target);
  expect(await hasher.verify(password, stored)).toBe("match-rehash");
  expect(await hasher.verify("wrong", stored)).toBe("no-match");
});

test("hashes of the same password have different salts", async () => {
  const hasher = createCheapHasher();
  const [a, b] = await Promise.all([hasher.hash(password), hasher.hash(password)]);
  expect(a?.split("$").at(-2)).not.toBe(b?.split("$").at(-2));
});

test("salts come from the `random` option", async () => {
  const random = { bytes: (length: number) => new Uint8Array(length).fill(7) };
  expect(await createCheapHasher({ random }).hash(password)).toContain("$BwcHBwcHBwcHBwcHBwcHBw$");
});

test("a hash matches its password in every Unicode normalization form", async () => {
  const hasher = createCheapHasher();
  const stored = await hasher.hash("a\u030angstr\u00f6m \ufb01");
  expect(await hasher.verify("\u00e5ngstro\u0308m fi", stored)).toBe("match");
});

test("a hash that was computed without normalization matches the password as typed and requests a rehash", async () => {
  const stored = "$pbkdf2-sha256$i=1000$c2FsdHNhbHRzYWx0c2FsdA$xU9tYEkitfDQo9qadSZ0pzZ97NHXD5zZNsSZVBpw+N4"; // of U+212B
  const hasher = createPasswordHasher({ algorithm: "pbkdf2" });
  expect(await hasher.verify("\u212b", stored)).toBe("match-rehash");
  expect(await hasher.verify("\u00c5", stored)).toBe("no-match");
});

test("a password that is longer than the maximum cannot be hashed and matches no hash", async () => {
  const hasher = createCheapHasher();
  const longest = "\u00e9".repeat(maximumPasswordBytes / 2);
  const stored = await hasher.hash(longest);
  expect(await hasher.verify(longest, stored)).toBe("match");
  await expect(hasher.hash(`${longest}a`)).rejects.toBeInstanceOf(PasswordTooLongError);
  expect(await hasher.verify(`${longest}a`, stored)).toBe("no-match");
});

test("verifying a password that is too long costs one hash, so that attempts with it are not faster", async () => {
  const hasher = createCheapHasher({ concurrency: 1, queueLimit: 0 });
  const stored = await hasher.hash(password);
  const tooLong = "a".repeat(maximumPasswordBytes + 1);
  for (const first of [() => hasher.verify(tooLong, stored), () => hasher.verifyDummy(tooLong)]) {
    const [done, busy] = await Promise.allSettled([first(), hasher.verify(password, stored)]);
    expect([done.status, busy.status]).toEqual(["fulfilled", "rejected"]);
  }
});

test("a bcrypt hash can be verified only with the `bcrypt` option", async () => {
  const stored = `$2y$10$${"a".repeat(53)}`;
  const without = createPasswordHasher();
  expect(without.accepts(stored)).toBe(false);
  await expect(without.verify(password, stored)).rejects.toThrow(UnsupportedHashError);

  const seen: string[] = [];
  const bcrypt = async (given: string, hash: string) => (seen.push(hash), given === password);
  const hasher = createPasswordHasher({ bcrypt });
  expect(hasher.accepts(stored)).toBe(true);
  expect(await hasher.verify(password, stored)).toBe("match-rehash");
  expect(await hasher.verify("wrong", stored)).toBe("no-match");
  expect(seen).toEqual(Array(2).fill(`$2b$10$${"a".repeat(53)}`)); // the package `bcrypt` does not know $2y$
});

test("a hash in an unknown format throws an error that does not contain the hash, and is never a wrong password", async () => {
  const hasher = createPasswordHasher();
  for (const stored of ["", "secret-md5", "$unknown$a=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo"]) {
    const error: unknown = await hasher.verify(password, stored).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnsupportedHashError);
    expect(String(error)).not.toMatch(/secret|aGFzaG/);
    expect(hasher.accepts(stored)).toBe(false);
  }
});

test("hashing a password does not block the event loop", async () => {
  const hasher = createTargetHasher({ kind: "scrypt", cost: 2 ** 14, blockSize: 8, parallelism: 1 });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await hasher.hash(password);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
});

test("rejects a password with a BusyError if `queueLimit` passwords are waiting", async () => {
  const waiting: (() => void)[] = [];
  const bcrypt = () => new Promise<boolean>((resolve) => waiting.push(() => resolve(true)));
  const hasher = createCheapHasher({ bcrypt, concurrency: 1, queueLimit: 1 });
  const stored = `$2b$10$${"a".repeat(53)}`;
  const first = hasher.verify(password, stored);
  const second = hasher.verify(password, stored);
  const third: unknown = await hasher.verify(password, stored).catch((error: unknown) => error);
  expect(third).toBeInstanceOf(BusyError);
  expect(isUnavailable(third)).toBe(true);
  await expect(hasher.verifyDummy(password)).rejects.toBeInstanceOf(BusyError);
  await expect(hasher.hash(password)).rejects.toBeInstanceOf(BusyError);
  waiting.shift()?.();
  expect(await first).toBe("match-rehash");
  await new Promise((resolve) => setTimeout(resolve));
  waiting.shift()?.();
  expect(await second).toBe("match-rehash");
});

test("a login waits only for running hashes, even if many expensive hashes from another tenant are waiting", async () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const bcrypt = (_: string, hash: string) => {
    started.push(hash.slice(4, 6));
    return new Promise<boolean>((resolve) => ends.push(() => resolve(true)));
  };
  const hasher = createCheapHasher({ bcrypt, concurrency: 2 });
  const cost = (log: string) => `$2b$${log}$${"a".repeat(53)}`;
  const hostile = Array.from({ length: 50 }, () => hasher.verify(password, cost("15"), "hostile"));
  const healthy = Array.from({ length: 20 }, () => hasher.verify(password, cost("10"), "healthy"));
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  await turn();
  expect(started).toEqual(["15", "15"]);
  // One running hash ends. The other slot is still used by the hostile tenant.
  ends.shift()?.();
  await turn();
  const other = ends.shift();
  for (const _ of healthy) {
    ends.shift()?.();
    await turn();
  }
  expect(started.slice(2, 22)).toEqual(healthy.map(() => "10"));
  expect(await Promise.all(healthy)).toEqual(healthy.map(() => "match-rehash"));
  other?.();
  for (let left = hostile.length; left > 0; left--) {
    await turn();
    ends.shift()?.();
  }
  await Promise.all(hostile);
});

test("by default, two passwords are hashed at the same time and 100 wait", async () => {
  const running: (() => void)[] = [];
  const bcrypt = () => new Promise<boolean>((resolve) => running.push(() => resolve(true)));
  const hasher = createPasswordHasher({ bcrypt });
  const verify = () => hasher.verify(password, `$2b$10$${"a".repeat(53)}`);
  const accepted = Array.from({ length: 102 }, verify);
  await expect(verify()).rejects.toBeInstanceOf(BusyError);
  expect(running).toHaveLength(2);
  for (const _ of accepted) {
    running.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(accepted)).toEqual(accepted.map(() => "match-rehash"));
});

test("rejects a concurrency or a queueLimit that is out of range", () => {
  for (const options of [{ concurrency: 0 }, { concurrency: 1.5 }, { queueLimit: -1 }]) {
    expect(() => createPasswordHasher(options)).toThrow(RangeError);
  }
});
