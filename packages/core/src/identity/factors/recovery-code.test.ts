import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import type { Row } from "../../store/schema.ts";
import { confirmedFactors, storeFactor, findFactors, maximumFactors, type Factor } from "./factors.ts";
import { createRecoveryCode, findNextRecoveryCode, recoveryCodeId, useRecoveryCode } from "./recovery-code.ts";

let logins: Logins;
let user: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  user = await logins.addUser();
});

const stored = (): Promise<readonly Factor[]> => findFactors(logins.data, user);

test("a recovery code has 24 letters and digits, and only its hash is stored", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  expect(code).toMatch(/^[A-Z0-9]{24}$/);
  const factors = await stored();
  expect(confirmedFactors(factors)).toHaveLength(1);
  expect(factors[0]).toMatchObject({ type: "recovery-code", last_used_at: null, expires_at: null });
  expect(JSON.stringify(factors)).not.toContain(code);
  const [{ enrolled_factors: types } = user] = await logins.data.users.find({ where: { user_id: user.user_id }, limit: 1 });
  expect(types).toEqual(["recovery-code"]);
});

test("a recovery code is used once and replaced by the next code", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const next = await useRecoveryCode(logins.tenant, user, code);
  expect(next).toMatch(/^[A-Z0-9]{24}$/);
  expect(next).not.toBe(code);
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
  expect((await stored())[0]?.last_used_at).toBe(logins.clock.now());
  expect(await useRecoveryCode(logins.tenant, user, String(next))).toMatch(/^[A-Z0-9]{24}$/);
  expect(await stored()).toHaveLength(1);
});

test("a recovery code is accepted in one of 32 parallel calls", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const results = await Promise.all(Array.from({ length: 32 }, async () => useRecoveryCode(logins.tenant, user, code)));
  const accepted = results.filter((next) => next !== undefined);
  expect(accepted).toHaveLength(1);
  expect(await useRecoveryCode(logins.tenant, user, String(accepted[0]))).toBeDefined();
});

test("spaces, dashes and letter case in a typed recovery code are ignored", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const groups = (code.toLowerCase().match(/.{4}/g) ?? []).join(" - ");
  expect(await useRecoveryCode(logins.tenant, user, `  ${groups}\n`)).toBeDefined();
});

test("full-width characters, Arabic digits and direction marks in a typed recovery code are read", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const shifted = (character: string, zero: number, from: string): string =>
    String.fromCodePoint(zero + character.charCodeAt(0) - from.charCodeAt(0));
  const typed = code.replaceAll(/./g, (each) => (/[0-9]/.test(each) ? shifted(each, 0x0660, "0") : shifted(each, 0xff21, "A")));
  expect(await useRecoveryCode(logins.tenant, user, `\u200e${typed}\u200f`)).toBeDefined();
});

test("a wrong recovery code is rejected and does not replace the code", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const other = code.startsWith("A") ? `B${code.slice(1)}` : `A${code.slice(1)}`;
  for (const text of ["", other, `${code}A`, code.slice(1), "É".repeat(24), "x".repeat(1_000_000)]) {
    expect(await useRecoveryCode(logins.tenant, user, text)).toBeUndefined();
  }
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeDefined();
});

test("a recovery code of another user is rejected", async () => {
  const other = await logins.addUser({ email: "bob@example.com" });
  const code = await createRecoveryCode(logins.tenant, user);
  await createRecoveryCode(logins.tenant, other);
  expect(await useRecoveryCode(logins.tenant, other, code)).toBeUndefined();
});

test("a new recovery code replaces the former one", async () => {
  const former = await createRecoveryCode(logins.tenant, user);
  const code = await createRecoveryCode(logins.tenant, user);
  expect(await useRecoveryCode(logins.tenant, user, former)).toBeUndefined();
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeDefined();
  expect(await stored()).toHaveLength(1);
});

test("of the recovery codes that parallel calls create, one is valid", async () => {
  const results = await Promise.allSettled(Array.from({ length: 4 }, async () => createRecoveryCode(logins.tenant, user)));
  const codes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  expect(codes).not.toEqual([]);
  const accepted = [];
  for (const code of codes) accepted.push(await useRecoveryCode(logins.tenant, user, code));
  expect(accepted.filter((next) => next !== undefined)).toHaveLength(1);
  expect(confirmedFactors(await stored())).toHaveLength(1);
});

test("a recovery code that a crashed request did not confirm is invalid, and is replaced", async () => {
  const code = await createRecoveryCode(logins.tenant, user);
  const set = { confirmed_at: null, expires_at: logins.clock.now() + 1000 };
  await logins.data.factors.update({ id: await recoveryCodeId(user.user_id) }, { set });
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
  logins.clock.advance("1h");
  expect(await useRecoveryCode(logins.tenant, user, await createRecoveryCode(logins.tenant, user))).toBeDefined();
});

test("a user with the maximum number of factors gets an error instead of a recovery code", async () => {
  for (let i = 0; i < maximumFactors; i++) await storeFactor(logins.tenant, user, { type: "email", address: `${i}@example.com` });
  await expect(createRecoveryCode(logins.tenant, user)).rejects.toMatchObject({ code: "conflict" });
  expect(confirmedFactors(await stored())).toEqual([]);
});

describe("a recovery code that is used again", () => {
  const repeatable = { id: "place", isRepeatable: true };
  const once = { id: "place", isRepeatable: false };

  test("has the same successor for ten minutes, also for 32 parallel calls, in a place that is repeatable", async () => {
    const code = await createRecoveryCode(logins.tenant, user);
    const results = await Promise.all(Array.from({ length: 32 }, async () => useRecoveryCode(logins.tenant, user, code, repeatable)));
    expect(new Set(results).size).toBe(1);
    const [next = ""] = results;
    logins.clock.advance("9m");
    expect(await useRecoveryCode(logins.tenant, user, code, repeatable)).toBe(next);
    expect(await findNextRecoveryCode(logins.tenant, user, code, "place")).toBe(next);
    logins.clock.advance("1m");
    expect(await useRecoveryCode(logins.tenant, user, code, repeatable)).toBeUndefined();
    expect(await useRecoveryCode(logins.tenant, user, next, repeatable)).toBeDefined();
  });

  test("is accepted again only after ten seconds, and once, in another place", async () => {
    const code = await createRecoveryCode(logins.tenant, user);
    const next = await useRecoveryCode(logins.tenant, user, code, once);
    expect(await useRecoveryCode(logins.tenant, user, code, once)).toBeUndefined();
    logins.clock.advance("10s");
    const results = await Promise.all([1, 2].map(async () => useRecoveryCode(logins.tenant, user, code, once)));
    expect(results.filter((result) => result !== undefined)).toEqual([next]);
  });

  test("is wrong elsewhere, and after its successor was used or replaced", async () => {
    const code = await createRecoveryCode(logins.tenant, user);
    const next = String(await useRecoveryCode(logins.tenant, user, code, repeatable));
    expect(await useRecoveryCode(logins.tenant, user, code, { ...repeatable, id: "elsewhere" })).toBeUndefined();
    expect(await findNextRecoveryCode(logins.tenant, user, next, "place")).toBeUndefined();
    await useRecoveryCode(logins.tenant, user, next, { ...repeatable, id: "elsewhere" });
    expect(await useRecoveryCode(logins.tenant, user, code, repeatable)).toBeUndefined();
    expect(await findNextRecoveryCode(logins.tenant, user, code, "place")).toBeUndefined();
  });
});
