import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, rightPassword, type Logins } from "../../../test/password-logins.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { clearFactorAttempts, nextFactorAttempt, reserveFactorAttempt, type FactorAttempt } from "./factor-attempts.ts";

const user = "auth0|ann";
let logins: Logins;

beforeEach(async () => {
  logins = await createLogins();
});

async function reserve(type: FactorType = "totp", userId = user): Promise<FactorAttempt | "throttled"> {
  return reserveFactorAttempt(logins.tenant, userId, type);
}

/** Makes attempts until one is throttled. @returns those that were counted. */
async function useUp(type: FactorType = "totp", userId = user): Promise<readonly FactorAttempt[]> {
  const attempts: FactorAttempt[] = [];
  for (;;) {
    const attempt = await reserve(type, userId);
    if (attempt === "throttled") return attempts;
    attempts.push(attempt);
  }
}

test("a user has ten attempts, and the tenth is the last", async () => {
  const attempts = await useUp();
  expect(attempts.map(({ isLast }) => isLast)).toEqual([...Array.from({ length: 9 }, () => false), true]);
});

test("one attempt comes back every six minutes, and never more than ten", async () => {
  await useUp();
  logins.clock.advance("359s");
  expect(await reserve()).toBe("throttled");
  logins.clock.advance("1s");
  expect(await useUp()).toHaveLength(1);
  logins.clock.advance("12m");
  expect(await useUp()).toHaveLength(2);
  logins.clock.advance("10d");
  expect(await useUp()).toHaveLength(10);
});

test("a user who has no attempt left learns when the next one comes back", async () => {
  expect(await nextFactorAttempt(logins.tenant, user, "totp")).toBeUndefined();
  await useUp();
  expect(await nextFactorAttempt(logins.tenant, user, "totp")).toBe(logins.clock.now() + 6 * 60_000);
  expect(await nextFactorAttempt(logins.tenant, user, "phone")).toBeUndefined();
  logins.clock.advance("359s");
  expect(await nextFactorAttempt(logins.tenant, user, "totp")).toBe(logins.clock.now() + 1000);
  logins.clock.advance("1s");
  expect(await nextFactorAttempt(logins.tenant, user, "totp")).toBeUndefined();
  expect(await useUp()).toHaveLength(1);
});

test("a user is warned once an hour, although single attempts come back and are used up again", async () => {
  expect((await useUp()).filter(({ isLast }) => isLast)).toHaveLength(1);
  for (let i = 0; i < 9; i++) {
    logins.clock.advance("6m");
    expect((await useUp()).map(({ isLast }) => isLast)).toEqual([false]);
  }
  logins.clock.advance("6m");
  expect((await useUp()).map(({ isLast }) => isLast)).toEqual([true]);
});

test("200 parallel guesses share ten attempts", async () => {
  const results = await Promise.all(Array.from({ length: 200 }, async () => reserve()));
  const attempts = results.filter((result) => result !== "throttled");
  expect(attempts).toHaveLength(10);
  expect(attempts.filter(({ isLast }) => isLast)).toHaveLength(1);
});

test("attempts are counted separately for each user and factor type", async () => {
  await useUp("totp");
  expect(await useUp("recovery-code")).toHaveLength(10);
  expect(await useUp("totp", "auth0|bob")).toHaveLength(10);
});

test("a right code gives all attempts back", async () => {
  const attempts = await useUp();
  await attempts[0]?.succeed();
  expect(await useUp()).toHaveLength(10);
});

test("an administrator can give all attempts of a type back", async () => {
  await useUp("totp");
  await useUp("phone");
  await clearFactorAttempts(logins.tenant, user, "totp");
  expect(await reserve("phone")).toBe("throttled");
  expect(await useUp("totp")).toHaveLength(10);
});

test("a right password gives no attempts back, and factors lock no password login", async () => {
  const { user_id: userId } = await logins.addUser();
  await useUp("totp", userId);
  expect(await logins.login("ann@example.com", rightPassword)).toMatchObject({ kind: "signed-in" });
  expect(await reserve("totp", userId)).toBe("throttled");
});

test("failed password logins use up no attempts of a factor", async () => {
  const { user_id: userId } = await logins.addUser();
  for (let i = 0; i < 12; i++) await logins.login("ann@example.com", "wrong");
  expect(await useUp("totp", userId)).toHaveLength(10);
});

test("an attempt sends one statement if no attempt is stored", async () => {
  logins.statements.length = 0;
  await reserve();
  expect(logins.statements).toEqual(["login_attempts.insert"]);
});

test("the row of a user's attempts expires when all attempts are available again", async () => {
  await reserve();
  await reserve();
  const rows = await logins.data.login_attempts.find({ where: {}, limit: 2 });
  expect(rows.map(({ expires_at: at }) => at - logins.clock.now())).toEqual([12 * 60_000]);
});

test("a clock that was set back does not throttle a user for longer than two hours", async () => {
  const behind = { ...logins.tenant, now: () => logins.clock.now() - 3 * 60 * 60_000 };
  await useUp();
  expect(await reserveFactorAttempt(behind, user, "totp")).not.toBe("throttled");
});

describe("a form that is submitted repeatedly", () => {
  const submit = async (form: string) => reserveFactorAttempt(logins.tenant, user, "totp", form);

  async function submitWrong(form: string): Promise<FactorAttempt> {
    const attempt = await submit(form);
    if (typeof attempt === "string") throw new Error(attempt);
    await attempt.fail();
    return attempt;
  }

  test("counts as one attempt if its code is wrong, also after the last attempt", async () => {
    for (let count = 0; count < 10; count++) {
      expect(await submitWrong(`form ${count}`)).toMatchObject({ isLast: count === 9 });
      expect(await submit(`form ${count}`)).toBe("repeated");
    }
    expect(await submit("another form")).toBe("throttled");
    expect(await submit("form 0")).toBe("repeated");
  });

  test("is compared again after a correct code, because a correct code resets the attempts", async () => {
    const attempt = await submit("form");
    if (typeof attempt === "string") throw new Error(attempt);
    await attempt.succeed();
    expect(await submit("form")).toMatchObject({ isLast: false });
  });

  test("waits for the result of the first submission", async () => {
    const first = await submit("form");
    if (typeof first === "string") throw new Error(first);
    const second = submit("form");
    await first.fail();
    expect(await second).toBe("repeated");
    expect(await useUp()).toHaveLength(9);
  });

  test("is compared again without another count if the first submission has no result after two seconds", async () => {
    await submit("form");
    expect(await submit("form")).toMatchObject({ isLast: false });
    expect(await useUp()).toHaveLength(9);
  });
});
