import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import type { Row } from "../../store/schema.ts";
import { deleteUser } from "../users/delete-user.ts";
import {
  confirmedFactors,
  confirmFactor,
  storeFactor,
  enrollmentLifetime,
  findFactor,
  findFactors,
  isPendingFactor,
  maximumFactors,
  maximumPasskeys,
  removeAllFactors,
  removeFactor,
  updateFactor,
  useFactor,
  type Factor,
  type NewFactor,
} from "./factors.ts";
import { isBrowserTrusted, trustBrowser } from "./trusted-browser.ts";

let logins: Logins;
let user: Row<"users">;

beforeEach(async () => {
  logins = await createLogins();
  user = await logins.addUser();
});

const enroll = (input: NewFactor): Promise<Factor> => storeFactor(logins.tenant, user, input);
const enrollPhone = (confirmed = false): Promise<Factor> => enroll({ type: "phone", address: "+4915112345678", channel: "sms", confirmed });
const stored = (): Promise<readonly Factor[]> => findFactors(logins.data, user);

async function listedTypes(): Promise<readonly string[] | null | undefined> {
  const [row] = await logins.data.users.find({ where: { user_id: user.user_id }, limit: 1 });
  return row?.enrolled_factors;
}

/** Requires that the user's list lacks no type of a confirmed factor. */
async function expectCompleteList(): Promise<void> {
  const listed = (await listedTypes()) ?? [];
  for (const { type } of confirmedFactors(await stored())) expect(listed).toContain(type);
}

test("an enrolled factor is unconfirmed and not listed, and expires after ten minutes", async () => {
  const factor = await enrollPhone();
  expect(factor.id).toMatch(/^phone\|dev_[A-Za-z0-9]{16}$/);
  expect(await stored()).toEqual([factor]);
  expect(confirmedFactors(await stored())).toEqual([]);
  expect(await listedTypes()).toBeNull();
  expect(factor.expires_at).toBe(logins.clock.now() + enrollmentLifetime);
  expect(isPendingFactor(logins.tenant, factor)).toBe(true);
  logins.clock.advance(enrollmentLifetime);
  expect(isPendingFactor(logins.tenant, factor)).toBe(false);
  expect(await confirmFactor(logins.tenant, factor)).toBe("unavailable");
  expect(confirmedFactors(await stored())).toEqual([]);
});

test("a confirmed factor is listed in the user and no longer expires", async () => {
  const factor = await enrollPhone();
  expect(await confirmFactor(logins.tenant, factor)).toBe("confirmed");
  expect(confirmedFactors(await stored())).toMatchObject([{ id: factor.id, expires_at: null, last_used_at: logins.clock.now() }]);
  expect(await listedTypes()).toEqual(["phone"]);
  expect(await confirmFactor(logins.tenant, factor)).toBe("unavailable");
});

test("a factor can be enrolled as confirmed, without a use", async () => {
  const factor = await enrollPhone(true);
  expect(await stored()).toEqual([factor]);
  expect(factor).toMatchObject({ confirmed_at: logins.clock.now(), expires_at: null, last_used_at: null });
  expect(await listedTypes()).toEqual(["phone"]);
});

test("an unconfirmed factor does not replace a confirmed one of the same type", async () => {
  const confirmed = await enrollPhone(true);
  await enroll({ type: "phone", address: "+4915187654321" });
  expect(confirmedFactors(await stored())).toEqual([confirmed]);
});

test("of 32 parallel calls, one confirms a factor", async () => {
  const factor = await enrollPhone();
  const results = await Promise.allSettled(Array.from({ length: 32 }, async () => confirmFactor(logins.tenant, factor)));
  expect(results.filter((result) => result.status === "fulfilled" && result.value === "confirmed")).toHaveLength(1);
  expect(await listedTypes()).toEqual(["phone"]);
});

test("the type is listed before the factor is confirmed", async () => {
  const factor = await enrollPhone();
  logins.statements.length = 0;
  await confirmFactor(logins.tenant, factor);
  const writes = logins.statements.filter((statement) => statement.endsWith(".update"));
  expect(writes).toEqual(["users.update", "factors.update"]);
});

test("a removed factor is deleted before its type is removed from the list", async () => {
  const factor = await enrollPhone(true);
  await enroll({ type: "email", address: "ann@example.com", confirmed: true });
  expect(await listedTypes()).toEqual(["email", "phone"]);
  logins.statements.length = 0;
  expect(await removeFactor(logins.tenant, user.user_id, factor.id)).toBe(true);
  const writes = logins.statements.filter((statement) => /^(users|factors)\.(update|delete)$/.test(statement));
  expect(writes).toEqual(["factors.delete", "users.update"]);
  expect(await listedTypes()).toEqual(["email"]);
  expect(await removeFactor(logins.tenant, user.user_id, factor.id)).toBe(false);
});

test("a type stays listed as long as the user has another factor of it", async () => {
  const one = await enrollPhone(true);
  const other = await enroll({ type: "phone", address: "+4915187654321", confirmed: true });
  await removeFactor(logins.tenant, user.user_id, one.id);
  expect(await listedTypes()).toEqual(["phone"]);
  await removeFactor(logins.tenant, user.user_id, other.id);
  expect(await listedTypes()).toBeNull();
});

test("removing all factors also removes unconfirmed ones, and can be repeated", async () => {
  await enrollPhone(true);
  await enroll({ type: "email", address: "ann@example.com" });
  expect(await removeAllFactors(logins.tenant, user.user_id)).toBe(2);
  expect(await removeAllFactors(logins.tenant, user.user_id)).toBe(0);
  expect([await stored(), await listedTypes()]).toEqual([[], null]);
});

test("the list lacks no confirmed type when factors are confirmed and removed in parallel", async () => {
  for (let round = 0; round < 20; round++) {
    const old = await enrollPhone(true);
    const pending = await enrollPhone();
    await Promise.allSettled([
      removeFactor(logins.tenant, user.user_id, old.id),
      confirmFactor(logins.tenant, pending),
      enroll({ type: "email", address: "ann@example.com", confirmed: true }),
      removeFactor(logins.tenant, user.user_id, old.id),
    ]);
    await expectCompleteList();
    await removeAllFactors(logins.tenant, user.user_id);
  }
});

test("a factor that is enrolled and confirmed while another is removed stays listed", async () => {
  const old = await enrollPhone(true);
  const { factors } = logins.data;
  let isFirst = true;
  // The removal has read the factors, and a parallel request confirms one before the removal writes the list.
  const overtaken: typeof factors = {
    ...factors,
    find: async (query) => {
      const found = await factors.find(query);
      if (isFirst) {
        isFirst = false;
        await enrollPhone(true);
      }
      return found;
    },
  };
  await removeFactor({ ...logins.tenant, data: { ...logins.data, factors: overtaken } }, user.user_id, old.id);
  expect(await listedTypes()).toEqual(["phone"]);
  await expectCompleteList();
});

test("a factor is found only by its own user", async () => {
  const factor = await enrollPhone(true);
  const other = await logins.addUser({ email: "bob@example.com" });
  expect(await findFactor(logins.data, user.user_id, factor.id)).toEqual(factor);
  expect(await findFactor(logins.data, other.user_id, factor.id)).toBeUndefined();
  for (const id of ["", "phone|dev_", "\u0000", "é".repeat(500)]) expect(await findFactor(logins.data, user.user_id, id)).toBeUndefined();
  const foreign = { ...factor, user_id: other.user_id };
  expect([
    await removeFactor(logins.tenant, foreign.user_id, foreign.id),
    await updateFactor(logins.tenant, foreign, { name: "x" }),
  ]).toEqual([false, false]);
  expect(await stored()).toEqual([factor]);
});

test("a use and a new name of a factor are stored", async () => {
  const factor = await enrollPhone(true);
  logins.clock.advance("1d");
  await useFactor(logins.tenant, factor.id);
  expect(await updateFactor(logins.tenant, factor, { name: "Work", channel: "voice" })).toBe(true);
  expect(await stored()).toMatchObject([{ last_used_at: logins.clock.now(), name: "Work", channel: "voice" }]);
});

test("a factor that is confirmed while another is removed stays listed", async () => {
  const old = await enrollPhone(true);
  const pending = await enrollPhone();
  const { factors } = logins.data;
  // The type is listed, and the other factor is removed before the write that confirms this factor.
  const delayed: typeof factors = {
    ...factors,
    update: async (where, change) => {
      await removeFactor(logins.tenant, user.user_id, old.id);
      return factors.update(where, change);
    },
  };
  expect(await confirmFactor({ ...logins.tenant, data: { ...logins.data, factors: delayed } }, pending)).toBe("confirmed");
  expect(await listedTypes()).toEqual(["phone"]);
});

describe("a factor that is confirmed only if it is the first one", () => {
  const confirmFirst = (factor: Factor) => confirmFactor(logins.tenant, factor, { onlyIfFirst: true });

  test("is confirmed if the user has no independent factor", async () => {
    await enroll({ type: "email", address: "ann@example.com", confirmed: true });
    expect(await confirmFirst(await enrollPhone())).toBe("confirmed");
    expect(await listedTypes()).toEqual(["email", "phone"]);
  });

  test("is deleted if the user has another one", async () => {
    const other = await enrollPhone(true);
    expect(await confirmFirst(await enroll({ type: "totp" }))).toBe("already-enrolled");
    expect(await stored()).toEqual([other]);
    expect(await listedTypes()).toEqual(["phone"]);
  });

  test("is one of 32 that are confirmed in parallel", async () => {
    const pending: Factor[] = [];
    for (let i = 0; i < 32; i++) pending.push(await enrollPhone());
    const outcomes = await Promise.all(pending.map(confirmFirst));
    expect(outcomes.filter((outcome) => outcome === "confirmed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "already-enrolled")).toHaveLength(31);
    expect(confirmedFactors(await stored())).toHaveLength(1);
  });

  test("is confirmed once by 32 parallel calls", async () => {
    const factor = await enrollPhone();
    const results = await Promise.allSettled(Array.from({ length: 32 }, async () => confirmFirst(factor)));
    expect(results.filter((result) => result.status === "fulfilled" && result.value === "confirmed")).toHaveLength(1);
  });

  /** Confirms a factor, and runs a function between the write that lists its type and the write that confirms it. */
  async function confirmAround(factor: Factor, between: () => Promise<void>) {
    const { factors } = logins.data;
    const update: typeof factors.update = async (where, change) => {
      await between();
      return factors.update(where, change);
    };
    return confirmFactor({ ...logins.tenant, data: { ...logins.data, factors: { ...factors, update } } }, factor, { onlyIfFirst: true });
  }

  test("loses against a later one that is confirmed before it", async () => {
    const [slow, fast] = [await enrollPhone(), await enrollPhone()];
    const outcomes: string[] = [];
    outcomes.push(await confirmAround(slow, async () => void outcomes.push(await confirmFirst(fast))));
    expect(outcomes).toEqual(["confirmed", "already-enrolled"]);
    expect(confirmedFactors(await stored()).map(({ id }) => id)).toEqual([fast.id]);
  });

  test("replaces one whose confirmation a crash interrupted, which can then not be confirmed", async () => {
    const lost = await enrollPhone();
    const crash = confirmAround(lost, async () => Promise.reject(new Error("lost")));
    await expect(crash).rejects.toThrow("lost");
    expect(await listedTypes()).toEqual(["phone"]);
    expect(await confirmFirst(await enroll({ type: "totp" }))).toBe("confirmed");
    expect(await confirmFactor(logins.tenant, lost)).toBe("unavailable");
    expect(confirmedFactors(await stored()).map(({ type }) => type)).toEqual(["totp"]);
  });

  test("can be confirmed again after a crash, and after the former first factor was removed", async () => {
    const factor = await enrollPhone();
    await expect(confirmAround(factor, async () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await confirmFirst(factor)).toBe("confirmed");
    await removeFactor(logins.tenant, user.user_id, factor.id);
    expect(await confirmFirst(await enrollPhone())).toBe("confirmed");
  });
});

test("a user has at most 50 factors, and expired ones do not count", async () => {
  for (let i = 0; i < maximumFactors; i++) await enrollPhone();
  await expect(enrollPhone()).rejects.toMatchObject({ code: "conflict" });
  expect(await stored()).toHaveLength(maximumFactors);
  logins.clock.advance(enrollmentLifetime + 1);
  await enrollPhone(true);
  expect(await stored()).toHaveLength(1);
});

test("parallel enrollments do not exceed the maximum", async () => {
  for (let i = 0; i < maximumFactors - 1; i++) await enrollPhone();
  await Promise.allSettled(Array.from({ length: 32 }, async () => enrollPhone()));
  expect(await logins.data.factors.count({ user_id: user.user_id })).toBeLessThanOrEqual(maximumFactors);
});

test("a user has at most 20 passkeys, and no two have the same credential", async () => {
  const enrollPasskey = (i: number): Promise<Factor> => enroll({ type: "passkey", credentialHash: `hash-${i}`, confirmed: true });
  for (let i = 0; i < maximumPasskeys; i++) await enrollPasskey(i);
  await expect(enrollPasskey(maximumPasskeys)).rejects.toMatchObject({ code: "conflict" });
  expect(await stored()).toHaveLength(maximumPasskeys);
  await removeAllFactors(logins.tenant, user.user_id);
  await enrollPasskey(0);
  await expect(enrollPasskey(0)).rejects.toMatchObject({ code: "conflict" });
  expect(await stored()).toHaveLength(1);
});

test("a change of the factors ends the trust in all browsers of the user", async () => {
  let cookie = "";
  const isTrusted = (): Promise<boolean> => isBrowserTrusted(logins.tenant, user.user_id, cookie);
  const trusted = async (): Promise<void> => {
    cookie = await trustBrowser(logins.tenant, user.user_id, undefined);
    expect(await isTrusted()).toBe(true);
  };
  await trusted();
  const factor = await enrollPhone();
  expect(await isTrusted()).toBe(true);
  await confirmFactor(logins.tenant, factor);
  expect(await isTrusted()).toBe(false);
  await trusted();
  await removeFactor(logins.tenant, user.user_id, factor.id);
  expect(await isTrusted()).toBe(false);
  await trusted();
  await removeAllFactors(logins.tenant, user.user_id);
  expect(await isTrusted()).toBe(false);
});

test("a deleted user loses all factors and trusted browsers, and gets no new factors", async () => {
  const pending = await enrollPhone();
  await enroll({ type: "email", address: "ann@example.com", confirmed: true });
  const cookie = await trustBrowser(logins.tenant, user.user_id, undefined);
  await logins.data.users.update({ user_id: user.user_id }, { set: { deleting_at: logins.clock.now() } });
  expect(await confirmFactor(logins.tenant, pending)).toBe("unavailable");
  await deleteUser(logins.tenant, user.user_id, new WorkLimit());
  expect([await stored(), await isBrowserTrusted(logins.tenant, user.user_id, cookie)]).toEqual([[], false]);
  await expect(enrollPhone(true)).rejects.toMatchObject({ code: "not_found", errorCode: "inexistent_user" });
  expect(await stored()).toEqual([]);
});
