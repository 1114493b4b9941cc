import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { Row } from "../../store/schema.ts";
import { storeFactor, findFactors, type Factor } from "./factors.ts";
import { freezeFactors, freezeLifetime } from "./frozen-factors.ts";
import { createRecoveryCode } from "./recovery-code.ts";
import { removeOwnFactor } from "./remove-own-factor.ts";

const required = multifactorSettings({ multifactor: { policies: ["all-applications"], factors: { sms: true, otp: true } }, settings: {} });
const optional = multifactorSettings({ multifactor: { factors: { sms: true, otp: true } }, settings: {} });

let logins: Logins;
let user: Row<"users">;
let first: Factor;
let second: Factor;

beforeEach(async () => {
  logins = await createLogins();
  user = await logins.addUser({ email: "ann@example.com" });
  const add = (address: string) => storeFactor(logins.tenant, user, { type: "phone", address, confirmed: true });
  first = await add("+4915112345678");
  second = await add("+4915112345679");
});

const remove = (factor: Factor, settings = required) => removeOwnFactor(logins.tenant, { user, client: undefined }, factor, settings);
const ids = async () => (await findFactors(logins.data, user)).map(({ id }) => id).toSorted();
const row = async () => (await logins.data.users.find({ where: { user_id: user.user_id }, limit: 1 }))[0];

test("removes a factor if another one stays, and keeps the last one that the tenant requires", async () => {
  expect([await remove(first), await remove(first), await remove(second)]).toEqual(["removed", "absent", "required"]);
  expect(await ids()).toEqual([second.id]);
  expect(await row()).toMatchObject({ removing_factor: null, enrolled_factors: ["phone"] });
});

test("completes a removal that a crash interrupted before it decides about the next one", async () => {
  await logins.data.users.update({ user_id: user.user_id }, { set: { removing_factor: first.id }, add: { revision: 1 } });
  expect(await remove(second)).toBe("required");
  expect(await ids()).toEqual([second.id]);
});

test("of parallel removals of all factors, one factor stays", async () => {
  const outcomes = await Promise.allSettled([first, second, first, second].map((factor) => remove(factor)));
  expect(outcomes.filter((one) => one.status === "fulfilled" && one.value === "removed").length).toBeLessThan(2);
  expect((await ids()).length).toBeGreaterThan(0);
});

test("removes the recovery code with the last factor", async () => {
  await createRecoveryCode(logins.tenant, user);
  expect([await remove(first, optional), await remove(second, optional)]).toEqual(["removed", "removed"]);
  expect(await ids()).toEqual([]);
  expect((await row())?.enrolled_factors).toBeNull();
});

test("removes and adds no factor while the factors are frozen", async () => {
  await freezeFactors(logins.tenant, user.user_id);
  expect(await remove(first)).toBe("frozen");
  const add = (by: "user" | "administrator") =>
    storeFactor(logins.tenant, user, { type: "phone", address: "+4915112345670", confirmed: true, by });
  await expect(add("user")).rejects.toMatchObject({ code: "access_denied" });
  expect(await ids()).toEqual([first.id, second.id].toSorted());
  expect(await add("administrator")).toMatchObject({ type: "phone" });
  logins.clock.advance(`${freezeLifetime / 60_000}m`);
  expect(await remove(first)).toBe("removed");
});

test("the factor of another user is absent", async () => {
  const other = await logins.addUser({ email: "bob@example.com" });
  expect(await removeOwnFactor(logins.tenant, { user: other, client: undefined }, first, optional)).toBe("absent");
  expect(await ids()).toEqual([first.id, second.id].toSorted());
});

test("repeats a removal that a crash interrupted, with the recovery code, once", async () => {
  await createRecoveryCode(logins.tenant, user);
  await remove(second, optional);
  await logins.data.users.update({ user_id: user.user_id }, { set: { removing_factor: first.id }, add: { revision: 1 } });
  const outcomes = await Promise.all([1, 2, 3].map(() => remove(first, optional)));
  expect(outcomes.toSorted()).toEqual(["absent", "absent", "removed"]);
  expect(await ids()).toEqual([]);
  expect(await row()).toMatchObject({ removing_factor: null, enrolled_factors: null });
});
