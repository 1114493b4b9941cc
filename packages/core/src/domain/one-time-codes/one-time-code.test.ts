import { beforeEach, describe, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { createCode, findCode, spendCode, type CodePlace, type OneTimeCode } from "./one-time-code.ts";

const place: CodePlace = { purpose: "login", connectionId: "con_1", identifier: "ada@example.com", clientId: "app" };

let logins: Logins;

beforeEach(async () => {
  logins = await createLogins();
});

const make = async (more: object = {}): Promise<string> =>
  (await createCode(logins.environment, logins.data, { ...place, ...more })) ?? "not made";
const find = (typed: string, at: Partial<CodePlace> = {}): Promise<OneTimeCode | undefined> =>
  findCode(logins.environment, logins.data, { ...place, ...at }, typed);
const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a code has six digits, is found as it was typed, and is kept as no text that says it", async () => {
  const code = await make();
  expect(code).toMatch(/^\d{6}$/);
  expect(await find(` ${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ client_id: "app" });
  expect(JSON.stringify(await logins.data.one_time_codes.find({ where: { purpose: "login" }, limit: 9 }))).not.toContain(code);
});

test("the fifth wrong try ends a code, however many are made at the same time", async () => {
  const code = await make();
  const tries = await Promise.all(Array.from({ length: 32 }, () => find(other(code))));
  expect(tries.filter((row) => row !== undefined)).toEqual([]);
  expect(await find(code)).toBeUndefined();
  const [row] = await logins.data.one_time_codes.find({ where: { purpose: "login" }, limit: 1 });
  expect(row?.attempts).toBe(5);
});

test("four wrong tries leave it good", async () => {
  const code = await make();
  for (let i = 0; i < 4; i++) await find(other(code));
  expect(await find(code)).toBeDefined();
});

test("of 32 who bring it at the same time one has it", async () => {
  const row = await find(await make());
  if (row === undefined) throw new Error("the code was not found");
  const spent = await Promise.all(Array.from({ length: 32 }, () => spendCode(logins.environment, logins.data, row)));
  expect(spent.filter(Boolean)).toHaveLength(1);
});

test("a code that was spent, or is over, is unknown", async () => {
  const spent = await find(await make());
  if (spent === undefined) throw new Error("the code was not found");
  await spendCode(logins.environment, logins.data, spent);
  const late = await make();
  expect(await find(late)).toBeDefined();
  logins.clock.advance("10m");
  expect(await find(late)).toBeUndefined();
  expect(await spendCode(logins.environment, logins.data, spent)).toBe(false);
});

test("who asks again has two codes that count", async () => {
  const [first, second] = [await make(), await make()];
  expect(await find(first)).toBeDefined();
  expect(await find(second)).toBeDefined();
});

test("a form that is sent several times at once makes one code", async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => make({ form: "rendering" })));
  expect(made.filter((code) => /^\d{6}$/.test(code))).toHaveLength(1);
  expect(await make({ form: "another rendering" })).toMatch(/^\d{6}$/);
});

describe("a code is unknown", () => {
  test.each<[string, Partial<CodePlace>]>([
    ["for another purpose", { purpose: "reset-password" }],
    ["at another connection", { connectionId: "con_2" }],
    ["for another address", { identifier: "eve@example.com" }],
    ["at another client", { clientId: "other" }],
    ["in a login that did not ask for it", { loginId: "login" }],
  ])("%s, and the try is not counted", async (_, at) => {
    const code = await make();
    for (let i = 0; i < 6; i++) expect(await find(code, at)).toBeUndefined();
    expect(await find(code)).toBeDefined();
  });

  test("where nobody has the address", async () => {
    expect(await find(await make({ pretend: true }))).toBeUndefined();
  });
});

test("after ten codes for one address no further is made until one is over", async () => {
  for (let i = 0; i < 10; i++) await make();
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS", headers: { "retry-after": "600" } });
  await expect(make({ identifier: "bob@example.com" })).resolves.toMatch(/^\d{6}$/);
  logins.clock.advance("10m");
  await expect(make()).resolves.toMatch(/^\d{6}$/);
});

test("after twenty wrong tries for one address no further code is made", async () => {
  for (let codes = 0; codes < 4; codes++) {
    const code = await make();
    for (let i = 0; i < 5; i++) await find(other(code));
  }
  await expect(make()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
});
