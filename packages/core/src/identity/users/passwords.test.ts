import { describe, expect, test, vi } from "vitest";
import { createLogins, countingHasher, type Logins } from "../../../test/password-logins.ts";
import { withHost } from "../../../test/service-context.ts";
import type { BreachedPasswords } from "../../adapters/breached-passwords.ts";
import type { JsonObject } from "../../store/value.ts";
import { systemWait } from "../../adapters/wait.ts";
import { findPasswordFault } from "./passwords.ts";

/** The SHA-1 of `drawbridge-9`. */
const password = "drawbridge-9";
const [prefix, rest] = ["0D7CD", "573EFDFBAFB93722C44FA358E8EE9573733"];

const name = { name: "PasswordLeakedError", code: "password_leaked" };

async function loginsWith(range: BreachedPasswords["range"], settings: JsonObject = {}, options: object = {}): Promise<Logins> {
  const logins = await createLogins(countingHasher(), {
    connection: { options },
    breachedPasswords: { range },
    attackProtection: { breached_password_detection: settings },
  });
  // Timeouts run twenty times faster here: one second takes fifty milliseconds.
  return { ...logins, tenant: withHost(logins.tenant, { wait: (ms, signal) => systemWait(ms / 20, signal) }) };
}

const check = ({ tenant, connection }: Logins, typed = password, user?: Awaited<ReturnType<Logins["addUser"]>>) =>
  findPasswordFault(tenant, connection, typed, {}, user);

test("rejects a breached password, and sends only five digits of its hash to the list", async () => {
  const range = vi.fn<BreachedPasswords["range"]>(async () => ["0".repeat(35), rest]);
  const logins = await loginsWith(range);
  expect(await check(logins)).toMatchObject(name);
  expect(range.mock.calls.map(([asked]) => asked)).toEqual([prefix]);
  expect(await check(logins, "drawbridge-10")).toBeUndefined();
});

describe("the list of breached passwords may return its lines", () => {
  test.each([
    ["with counts", [`${rest}:21`], true],
    ["in lower case, with line ends", [`${rest.toLowerCase()}:3\r`], true],
    ["as a set", new Set([rest]), true],
    ["with padding, which counts 0", [`${rest}:0`], false],
    ["with hashes that are longer", [`${rest}0`], false],
    ["with no lines", [], false],
  ])("%s", async (_, lines, breached) => {
    const fault = await check(await loginsWith(async () => lines));
    expect(fault !== undefined).toBe(breached);
  });
});

describe("the tenant's settings enable the check separately for sign-ups and for password changes:", () => {
  test.each([
    [{}, true, true],
    [{ enabled: false }, false, false],
    [{ stage: { "pre-user-registration": { shields: [] } } }, false, true],
    [{ stage: { "pre-change-password": { shields: ["admin_notification"] } } }, true, false],
    [{ shields: [] }, true, true],
  ])("%j", async (settings, atSignUp, atChange) => {
    const range = vi.fn<BreachedPasswords["range"]>(async () => [rest]);
    const logins = await loginsWith(range, settings);
    const ann = await logins.addUser();
    expect((await check(logins)) !== undefined).toBe(atSignUp);
    expect((await check(logins, password, ann)) !== undefined).toBe(atChange);
    expect(range).toHaveBeenCalledTimes(Number(atSignUp) + Number(atChange));
    const pwd_leak = [...(atSignUp ? ["signup_pwd_leak"] : []), ...(atChange ? ["reset_pwd_leak"] : [])];
    expect(logins.audited.map(({ type }) => type)).toEqual(pwd_leak);
  });
});

test("does not query the list of breached passwords for a password that the policy rejects, or if the host has no list", async () => {
  const range = vi.fn<BreachedPasswords["range"]>(async () => [rest]);
  const logins = await loginsWith(range, {}, { passwordPolicy: "good", password_complexity_options: { min_length: 30 } });
  expect(await check(logins)).toMatchObject({ name: "PasswordStrengthError" });
  expect(range).not.toHaveBeenCalled();
  expect(await check(await createLogins(countingHasher(), { attackProtection: { breached_password_detection: { enabled: true } } }))).toBe(
    undefined,
  );
});

test.each([
  ["rejects", () => Promise.reject(new Error("connection lost"))],
  [
    "throws",
    () => {
      throw new Error("connection lost");
    },
  ],
  ["does not respond", () => new Promise<never>(() => {})],
  // Values that JavaScript hosts may return.
  ["returns no lines", async () => JSON.parse('{"count":1}')],
] as const)("allows the password and writes an audit event if the list of breached passwords %s", async (_, range) => {
  const logins = await loginsWith(range);
  expect(await check(logins)).toBeUndefined();
  expect(logins.logged).toMatchObject([{ level: "warn", event: "breached_passwords_failed" }]);
  expect(logins.audited).toMatchObject([{ type: "wum", connection: { name: "Users" } }]);
  expect(JSON.stringify([logins.audited, logins.logged])).not.toContain(prefix);
});

test("aborts the signal of a query that times out, and ignores its late result", async () => {
  let aborted = false;
  const late: BreachedPasswords["range"] = async (_prefix, { signal }) => {
    await systemWait(500, signal);
    aborted = signal.aborted;
    throw new Error("too late");
  };
  const logins = await loginsWith(late);
  expect(await check(logins)).toBeUndefined();
  await systemWait(20);
  expect([aborted, logins.logged.length]).toEqual([true, 1]);
});
