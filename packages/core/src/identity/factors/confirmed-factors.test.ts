import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import { confirmOwnFactor } from "./confirm-own-factor.ts";
import { readConfirmedFactors } from "./confirmed-factors.ts";
import { confirmFactor, storeFactor, enrollmentLifetime, findFactors, type Factor } from "./factors.ts";
import { createRecoveryCode, recoveryCodeId, useRecoveryCode } from "./recovery-code.ts";

let logins: Logins;
let user: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  user = await logins.addUser();
});

async function currentUser(): Promise<Row<"users">> {
  const [row = user] = await logins.data.users.find({ where: { user_id: user.user_id }, limit: 1 });
  return row;
}

/** Returns the types of the confirmed factors, and then the types that the user's row lists. */
async function read(): Promise<readonly [readonly string[], readonly string[] | null]> {
  const factors = await readConfirmedFactors(logins.tenant, await currentUser());
  return [factors.map(({ type }) => type), (await currentUser()).enrolled_factors];
}

const list = (types: readonly string[]) => logins.data.users.update({ user_id: user.user_id }, { set: { enrolled_factors: types } });
const enrollPhone = (confirmed = false): Promise<Factor> => storeFactor(logins.tenant, user, { type: "phone", address: "+1", confirmed });

test("a user without factors costs no statement", async () => {
  logins.statements.length = 0;
  expect(await readConfirmedFactors(logins.tenant, user)).toEqual([]);
  expect(logins.statements).toEqual([]);
});

test("a complete list costs one statement", async () => {
  const factor = await enrollPhone(true);
  const row = await currentUser();
  logins.statements.length = 0;
  expect(await readConfirmedFactors(logins.tenant, row)).toEqual([factor]);
  expect(logins.statements).toEqual(["factors.find"]);
});

test("a type without a factor is removed from the list", async () => {
  await enrollPhone(true);
  await list(["phone", "totp"]);
  expect(await read()).toEqual([["phone"], ["phone"]]);
  await list(["recovery-code", "totp", "phone"]);
  expect(await read()).toEqual([["phone"], ["phone"]]);
});

test("a type stays listed while its factor can be confirmed, and does not count", async () => {
  const pending = await enrollPhone();
  await list(["phone"]);
  expect(await read()).toEqual([[], ["phone"]]);
  expect(await confirmFactor(logins.tenant, pending)).toBe("confirmed");
  expect(await read()).toEqual([["phone"], ["phone"]]);
});

test("a type whose factor has expired is removed, and a slow request cannot confirm the factor any more", async () => {
  const pending = await enrollPhone();
  const { factors } = logins.data;
  // Between the write that lists the type and the write that confirms the factor, the factor expires and the list is read.
  const update: typeof factors.update = async (where, change) => {
    logins.clock.advance(enrollmentLifetime);
    expect(await read()).toEqual([[], null]);
    logins.clock.advance(-enrollmentLifetime);
    return factors.update(where, change);
  };
  const slow = { ...logins.tenant, data: { ...logins.data, factors: { ...factors, update } } };
  expect(await confirmFactor(slow, pending)).toBe("unavailable");
  expect(await findFactors(logins.data, user)).toEqual([]);
});

test("the list lacks no confirmed type when it is healed and factors are confirmed in parallel", async () => {
  for (let round = 0; round < 20; round++) {
    const pending = await enrollPhone();
    await list(["totp", "email"]);
    await Promise.all([read(), confirmFactor(logins.tenant, pending), read(), read()]);
    expect((await currentUser()).enrolled_factors).toContain("phone");
  }
});

const codeHash = async (code: string) => sha256(code);
const code = "A".repeat(24);

test("the recovery code of a factor becomes valid with the factor, and its hash is removed from the factor", async () => {
  const factor = await storeFactor(logins.tenant, user, { type: "totp", codeHash: await codeHash(code) });
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
  expect(await confirmOwnFactor(logins.tenant, { user, client: undefined }, factor, {})).toBe("confirmed");
  expect((await findFactors(logins.data, user)).find(({ id }) => id === factor.id)?.code_hash).toBeNull();
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeDefined();
});

test("a crash after the confirmation does not lose the recovery code: the next read stores it", async () => {
  const factor = await enrollPhone();
  await confirmFactor(logins.tenant, factor, { codeHash: await codeHash(code) });
  const [types] = await read();
  expect(types.toSorted()).toEqual(["phone", "recovery-code"]);
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeDefined();
  await Promise.all([read(), read(), read()]);
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
});

test("a factor is confirmed although parallel requests keep changing the user: the next read stores the recovery code", async () => {
  const factor = await enrollPhone();
  const { users } = logins.data;
  let isConfirmed = false;
  // Every change of the user after the confirmation of the factor loses a race.
  const update: typeof users.update = async (where, change) => {
    if (isConfirmed) return 0;
    isConfirmed = true;
    return users.update(where, change);
  };
  const busy = { ...logins.tenant, data: { ...logins.data, users: { ...users, update } } };
  expect(await confirmOwnFactor(busy, { user, client: undefined }, factor, { codeHash: await codeHash(code) })).toBe("confirmed");
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
  await read();
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeDefined();
});

test("the recovery code of a factor does not replace the user's recovery code, nor return after its removal", async () => {
  const own = await createRecoveryCode(logins.tenant, user);
  await confirmOwnFactor(logins.tenant, { user, client: undefined }, await enrollPhone(), { codeHash: await codeHash(code) });
  expect(await useRecoveryCode(logins.tenant, user, code)).toBeUndefined();
  expect(await useRecoveryCode(logins.tenant, user, own)).toBeDefined();
  await logins.data.factors.delete({ id: await recoveryCodeId(user.user_id) });
  expect(await read()).toEqual([["phone"], ["phone"]]);
});

test("of two first factors, only the confirmed one has a valid recovery code", async () => {
  const other = "B".repeat(24);
  const first = await storeFactor(logins.tenant, user, { type: "totp", codeHash: await codeHash(code) });
  const second = await storeFactor(logins.tenant, user, { type: "totp", codeHash: await codeHash(other) });
  const outcomes = await Promise.all(
    [first, second].map((factor) => confirmOwnFactor(logins.tenant, { user, client: undefined }, factor, { onlyIfFirst: true })),
  );
  expect(outcomes.toSorted()).toEqual(["already-enrolled", "confirmed"]);
  const used = [await useRecoveryCode(logins.tenant, user, code), await useRecoveryCode(logins.tenant, user, other)];
  expect(used.map((next) => next !== undefined)).toEqual(outcomes.map((outcome) => outcome === "confirmed"));
});
