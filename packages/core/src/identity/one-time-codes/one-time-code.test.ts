import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { createCode, findCode, useCode, type CodeGuess, type CodePlace, type OneTimeCode } from "./one-time-code.ts";

const place: CodePlace = {
  purpose: "login",
  connectionId: "con_1",
  channel: "email",
  identifier: "ada@example.com",
  clientId: "app",
  ip: undefined,
};

let logins: Logins;

beforeEach(async () => {
  logins = await createLogins();
});

const make = async (more: object = {}): Promise<string> => (await createCode(logins.tenant, { ...place, ...more }))?.code ?? "not made";
const find = (typed: string, at: Partial<CodeGuess> = {}): Promise<OneTimeCode | undefined> =>
  findCode(logins.tenant, { ...place, ...at, typed });
const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a code has six digits, is found if it is typed with spaces, and is not stored in plain text", async () => {
  const code = await make();
  expect(code).toMatch(/^\d{6}$/);
  expect(await find(` ${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ client_id: "app" });
  expect(JSON.stringify(await logins.data.one_time_codes.find({ where: { purpose: "login" }, limit: 9 }))).not.toContain(code);
});

test("the fifth wrong guess invalidates a code, even if guesses are parallel", async () => {
  const code = await make();
  const tries = await Promise.all(Array.from({ length: 32 }, () => find(other(code))));
  expect(tries.filter((row) => row !== undefined)).toEqual([]);
  expect(await find(code)).toBeUndefined();
  const [row] = await logins.data.one_time_codes.find({ where: { purpose: "login" }, limit: 1 });
  expect(row?.attempts).toBe(5);
});

test("a code is still valid after four wrong guesses", async () => {
  const code = await make();
  for (let i = 0; i < 4; i++) await find(other(code));
  expect(await find(code)).toBeDefined();
});

test("of 32 parallel redemptions of a code, one succeeds", async () => {
  const row = await find(await make());
  if (row === undefined) throw new Error("the code was not found");
  const spent = await Promise.all(Array.from({ length: 32 }, () => useCode(logins.tenant, row)));
  expect(spent.filter(Boolean)).toHaveLength(1);
});

test("a used or expired code is not found", async () => {
  const spent = await find(await make());
  if (spent === undefined) throw new Error("the code was not found");
  await useCode(logins.tenant, spent);
  const late = await make();
  expect(await find(late)).toBeDefined();
  logins.clock.advance("10m");
  expect(await find(late)).toBeUndefined();
  expect(await useCode(logins.tenant, spent)).toBe(false);
});

test("several codes without a login session are valid at the same time", async () => {
  const [first, second] = [await make(), await make()];
  expect(await find(first)).toBeDefined();
  expect(await find(second)).toBeDefined();
});

test("a form that is submitted several times in parallel creates one code", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => make({ form: "rendering" })));
  expect(made.filter((code) => /^\d{6}$/.test(code))).toHaveLength(1);
  expect(await make({ form: "another rendering" })).toMatch(/^\d{6}$/);
});

test("a form that is submitted again after its code expired and was deleted is counted again", async () => {
  for (let i = 0; i < 25; i++) {
    await make({ form: "rendering", lifetime: 60 }).catch(() => undefined);
    logins.clock.advance("60s");
    await logins.data.one_time_codes.delete({ expires_at: { lte: logins.clock.now() } });
  }
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

describe("a code is not found", () => {
  test.each<[string, Partial<CodePlace>]>([
    ["for another purpose", { purpose: "reset-password" }],
    ["in another connection", { connectionId: "con_2" }],
    ["for another email address", { identifier: "eve@example.com" }],
    ["for another client", { clientId: "other" }],
    ["in a login session that did not request it", { loginId: "login" }],
  ])("%s, and the guess is not counted", async (_, at) => {
    const code = await make();
    for (let i = 0; i < 6; i++) expect(await find(code, at)).toBeUndefined();
    expect(await find(code)).toBeDefined();
  });

  test("if no account has the email address that the code was requested for", async () => {
    expect(await find(await make({ pretend: true }))).toBeUndefined();
  });
});

test("after ten codes for one email address, no code is created until ten minutes have passed", async () => {
  for (let i = 0; i < 10; i++) await make();
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", headers: { "retry-after": "600" } });
  await expect(make({ identifier: "bob@example.com" })).resolves.toMatch(/^\d{6}$/);
  logins.clock.advance("10m");
  await expect(make()).resolves.toMatch(/^\d{6}$/);
});

test("a newer code for a login session replaces the older code but no code for another session", async () => {
  const [elsewhere, first] = [await make({ loginId: "two" }), await make({ loginId: "one" })];
  logins.clock.advance("30s");
  const newer = await make({ loginId: "one" });
  expect(await find(first, { loginId: "one" })).toBeUndefined();
  expect(await find(newer, { loginId: "one" })).toBeDefined();
  expect(await find(elsewhere, { loginId: "two" })).toBeDefined();
  // After the newer code was used, the older one stays replaced.
  const used = await find(newer, { loginId: "one" });
  if (used === undefined) throw new Error("the code was not found");
  await useCode(logins.tenant, used);
  expect(await find(first, { loginId: "one" })).toBeUndefined();
});

test("of 64 parallel requests for a code, ten create one", async () => {
  const made = await Promise.allSettled(Array.from({ length: 64 }, () => make()));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
});

test("at most twenty codes are created for one email address within any three hours", async () => {
  const sendAll = async (): Promise<number> => {
    let sent = 0;
    const isSent = () =>
      make().then(
        () => true,
        () => false,
      );
    while (await isSent()) sent++;
    return sent;
  };
  expect(await sendAll()).toBe(10);
  logins.clock.advance("10m");
  expect(await sendAll()).toBe(10);
  logins.clock.advance("10m");
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", headers: { "retry-after": "10200" } });
  // The first ten codes could be guessed until ten minutes after they were sent.
  logins.clock.advance("2h");
  logins.clock.advance("50m");
  expect(await sendAll()).toBe(10);
});

test("a browser that has signed in to the account before has a separate budget for codes", async () => {
  for (let i = 0; i < 10; i++) await make();
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  for (let i = 0; i < 10; i++) await make({ knownUserId: "auth0|ada" });
  await expect(make({ knownUserId: "auth0|ada" })).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});

describe("guesses from IP addresses that did not request the code", () => {
  const owner = { ip: "192.0.2.1" };
  const strangers = Array.from({ length: 6 }, (_, i) => ({ ip: `2001:db8:${i + 1}::${i + 1}` }));

  test("never use up the tries of a code, and neither do requests for codes", async () => {
    const code = await make(owner);
    await Promise.allSettled(
      strangers.flatMap((stranger) => Array.from({ length: 17 }, () => [make(stranger), find(other(code), stranger)]).flat()),
    );
    for (let i = 0; i < 4; i++) expect(await find(other(code), owner)).toBeUndefined();
    expect(await find(code, owner)).toBeDefined();
  });

  test("are compared with the codes of one destination at most a hundred times in three hours, across clients and login sessions", async () => {
    const compared = countComparisons();
    for (let hour = 0; hour < 3; hour++) {
      for (const stranger of strangers) {
        for (let i = 0; i < 10; i++) {
          const loginId = `login ${hour} ${stranger.ip} ${i}`;
          const at = { ...stranger, clientId: `app ${i % 3}` };
          await make(at).catch(() => undefined);
          await make({ ...at, loginId }).catch(() => undefined);
          for (let guess = 0; guess < 7; guess++) {
            await Promise.all([find("000000", at), find("000000", { ...at, ip: "203.0.113.7" }), find("000000", { ...at, loginId })]);
          }
        }
      }
      logins.clock.advance("59m");
    }
    expect(compared()).toBeGreaterThan(50);
    expect(compared()).toBeLessThanOrEqual(100);
  });

  test("find the code until the budget is used up, and cost one comparison for each valid code", async () => {
    const [first, second] = [await make(owner), await make(owner)];
    const compared = countComparisons();
    expect(await find(first, { ip: "198.51.100.1" })).toBeDefined();
    expect(compared()).toBe(2);
    for (let i = 0; i < 60; i++) await find(other(second), { ip: "198.51.100.1" });
    // Ten of the hundred comparisons are reserved for the tries of the two codes.
    expect(compared()).toBe(90);
    expect(await find(second, { ip: "198.51.100.1" })).toBeUndefined();
    expect(await find(second, owner)).toBeDefined();
  });

  test("guesses from a browser that has signed in to the account before use a separate budget", async () => {
    const code = await make(owner);
    for (let i = 0; i < 100; i++) await find(other(code), { ip: "198.51.100.1" });
    const known = { ip: "198.51.100.1", findKnownUserId: async () => "auth0|ada" };
    expect(await find(code, { ip: "198.51.100.1" })).toBeUndefined();
    expect(await find(code, known)).toBeDefined();
  });

  test("share the tries of a code if their IPv6 addresses have the same first 64 bits", async () => {
    const code = await make({ ip: "2001:db8::1" });
    for (let i = 0; i < 5; i++) await find(other(code), { ip: `2001:db8::${i}:2` });
    expect(await find(code, { ip: "2001:db8::1" })).toBeUndefined();
  });

  test("that contain the key from a code's link use the tries of that code, even if the budget is used up", async () => {
    const { code, linkKey } = (await createCode(logins.tenant, { ...place, ...owner })) ?? { code: "", linkKey: "" };
    for (let i = 0; i < 100; i++) await find(other(code), { ip: "198.51.100.1" });
    expect(await find(code, { ip: "198.51.100.1", linkKey: "x".repeat(linkKey.length) })).toBeUndefined();
    for (let i = 0; i < 4; i++) expect(await find(other(code), { ip: "198.51.100.1", linkKey })).toBeUndefined();
    expect(await find(code, { ip: "198.51.100.1", linkKey })).toBeDefined();
    expect(await find(code, { ip: "198.51.100.1", linkKey })).toBeUndefined();
  });
});

/**
 * Counts the fingerprints that are created from now on: one for each comparison of a guess with a code, and one for
 * each new code.
 */
function countComparisons(): () => number {
  const { tenant } = logins;
  let [made, inserted] = [0, 0];
  const { one_time_codes: codes, ...data } = tenant.data;
  const { fingerprints } = tenant.secrets;
  logins = {
    ...logins,
    tenant: {
      ...tenant,
      secrets: {
        ...tenant.secrets,
        fingerprints: {
          of: (...texts) => {
            if (texts[0] === "one-time code") made++;
            return fingerprints.of(...texts);
          },
        },
      },
      data: {
        ...data,
        tenantId: tenant.data.tenantId,
        destination_budgets: tenant.data.destination_budgets,
        one_time_codes: {
          ...codes,
          insert: (rows) => {
            inserted += rows.length;
            return codes.insert(rows);
          },
        },
      },
    },
  };
  return () => made - inserted;
}
