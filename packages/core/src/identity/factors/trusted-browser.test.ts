import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { tenantData } from "../../store/tenant-data.ts";
import { createMemoryAdapter } from "@postern/memory";
import { forgetTrustedBrowsers, isBrowserTrusted, trustBrowser, trustedBrowsersOf } from "./trusted-browser.ts";

const [ann, bob] = ["auth0|ann", "auth0|bob"];
let logins: Logins;
/** The cookie of the browser. */
let cookie: string;

beforeEach(async () => {
  logins = await createLogins();
  cookie = "";
});

/** A user chooses to trust the browser. */
const trust = async (userId: string): Promise<void> => {
  cookie = await trustBrowser(logins.tenant, userId, cookie);
};
const isTrusted = (userId: string, text = cookie): Promise<boolean> => isBrowserTrusted(logins.tenant, userId, text);
const rowCount = (userId: string): Promise<number> => logins.data.trusted_browsers.count({ user_id: userId });

test("a browser is trusted for the user who passed a factor in it", async () => {
  expect(await isTrusted(ann)).toBe(false);
  await trust(ann);
  expect(await isTrusted(ann)).toBe(true);
});

test("one cookie holds the trust of several users, each after their own factor and with its own secret", async () => {
  await trust(ann);
  const noted = cookie;
  expect(await isTrusted(bob)).toBe(false);
  await trust(bob);
  expect([await isTrusted(ann), await isTrusted(bob)]).toEqual([true, true]);
  // Ann may have copied the cookie before Bob used the browser.
  expect([await isTrusted(ann, noted), await isTrusted(bob, noted)]).toEqual([true, false]);
  const [bobs = ""] = cookie.split(".");
  expect([await isTrusted(ann, bobs), await isTrusted(bob, bobs)]).toEqual([false, true]);
});

test("a secret that another party put into the cookie does not become the secret of a trust", async () => {
  const planted = "a".repeat(43);
  cookie = planted;
  await trust(bob);
  expect(cookie).not.toContain(planted);
  expect([await isTrusted(bob), await isTrusted(bob, planted)]).toEqual([true, false]);
});

test("another trust of the same user replaces the earlier one in the browser", async () => {
  await trust(bob);
  await trust(ann);
  const noted = cookie;
  await trust(ann);
  expect(cookie.split(".")).toHaveLength(2);
  expect([await isTrusted(ann), await isTrusted(bob), await isTrusted(ann, noted), await rowCount(ann)]).toEqual([true, true, false, 1]);
});

test("the cookie holds ten trusts; an eleventh ends the oldest", async () => {
  const users = Array.from({ length: 11 }, (_, i) => `auth0|${i}`);
  const [first = "", ...others] = users;
  for (const userId of users) {
    await trust(userId);
    logins.clock.advance("1s");
  }
  expect(cookie.split(".")).toHaveLength(10);
  expect(await isTrusted(first)).toBe(false);
  for (const userId of others) expect(await isTrusted(userId)).toBe(true);
  expect([await rowCount(first), await rowCount("auth0|1")]).toEqual([0, 1]);
});

test("a trust that ended leaves the cookie when another user trusts the browser", async () => {
  await trust(ann);
  await forgetTrustedBrowsers(logins.data, ann);
  await trust(bob);
  expect(cookie).toHaveLength(43);
  logins.clock.advance("8d");
  await trust(ann);
  expect(cookie).toHaveLength(43);
  expect(await rowCount(bob)).toBe(0);
});

test("the cookie of another browser is not trusted, whatever its text is", async () => {
  await trust(ann);
  for (const text of ["", "|", ".", cookie.slice(1), `${cookie}|${ann}`, "\u0000", "x".repeat(100_000), ".x".repeat(100_000)])
    expect(await isTrusted(ann, text)).toBe(false);
  expect(await isTrusted(ann, `${`${"c".repeat(43)}.`.repeat(10)}${cookie}`)).toBe(false);
});

test("sends no statement if the cookie contains no secret", async () => {
  logins.statements.length = 0;
  for (const text of ["", "undefined", "x.y"]) expect(await isTrusted(ann, text)).toBe(false);
  expect(logins.statements).toEqual([]);
});

test("a browser is not trusted in another tenant", async () => {
  const { collections } = createMemoryAdapter({ strict: true });
  const [one, other] = ["t1", "t2"].map((id) => ({ ...logins.tenant, data: tenantData(collections, id) }));
  if (one === undefined || other === undefined) throw new Error("two tenants are expected");
  cookie = await trustBrowser(one, ann, undefined);
  expect([await isBrowserTrusted(one, ann, cookie), await isBrowserTrusted(other, ann, cookie)]).toEqual([true, false]);
});

test("the trust ends after seven days without use", async () => {
  await trust(ann);
  logins.clock.advance("6d");
  expect(await isTrusted(ann)).toBe(true);
  logins.clock.advance("6d");
  expect(await isTrusted(ann)).toBe(true);
  logins.clock.advance("7d");
  expect(await isTrusted(ann)).toBe(false);
});

test("the trust ends after 30 days, even if the browser is used every day", async () => {
  await trust(ann);
  for (let i = 1; i < 30; i++) {
    logins.clock.advance("1d");
    expect(await isTrusted(ann)).toBe(true);
  }
  logins.clock.advance("1d");
  expect(await isTrusted(ann)).toBe(false);
});

test.each([
  ["overall", { overall: 2 * 86_400_000, idle: 2 * 86_400_000 }],
  ["idle", { overall: 30 * 86_400_000, idle: 2 * 86_400_000 }],
])("a shorter %s lifetime also ends trust that exists already", async (_, lifetimes) => {
  await trust(ann);
  logins.clock.advance("2d");
  expect(await isBrowserTrusted(logins.tenant, ann, cookie, lifetimes)).toBe(false);
  expect(await isTrusted(ann)).toBe(true);
});

test("trust that existed when the tenant ended all trust is not valid", async () => {
  const lifetimes = { overall: 30 * 86_400_000, idle: 7 * 86_400_000 };
  await trust(ann);
  const endedAt = logins.clock.now();
  expect(await isBrowserTrusted(logins.tenant, ann, cookie, { ...lifetimes, endedAt })).toBe(false);
  expect(await trustedBrowsersOf(logins.tenant, ann, { ...lifetimes, endedAt })).toBeUndefined();
  logins.clock.advance("1s");
  await trust(ann);
  expect(await isBrowserTrusted(logins.tenant, ann, cookie, { ...lifetimes, endedAt })).toBe(true);
  expect(await trustedBrowsersOf(logins.tenant, ann, { ...lifetimes, endedAt })).toMatchObject({ count: 1 });
});

test("a factor that the user passes again renews the trust", async () => {
  await trust(ann);
  logins.clock.advance("29d");
  await trust(ann);
  for (let i = 0; i < 4; i++) {
    logins.clock.advance("6d");
    expect(await isTrusted(ann)).toBe(true);
  }
});

test("forgetting the browsers of a user leaves those of other users", async () => {
  await trust(ann);
  await trust(bob);
  const second = await trustBrowser(logins.tenant, ann, undefined);
  expect([await isTrusted(ann), await isTrusted(ann, second)]).toEqual([true, true]);
  await forgetTrustedBrowsers(logins.data, ann);
  expect([await isTrusted(ann), await isTrusted(ann, second), await isTrusted(bob)]).toEqual([false, false, true]);
});

test("a browser that is forgotten while its trust is checked is not trusted", async () => {
  await trust(ann);
  const { trusted_browsers: browsers } = logins.data;
  const forgotten: typeof browsers = {
    ...browsers,
    find: async (query) => {
      const found = await browsers.find(query);
      await forgetTrustedBrowsers(logins.data, ann);
      return found;
    },
  };
  const context = { ...logins.tenant, data: { ...logins.data, trusted_browsers: forgotten } };
  expect(await isBrowserTrusted(context, ann, cookie)).toBe(false);
});

test("only a hash of the secret is stored", async () => {
  await trust(ann);
  const rows = await logins.data.trusted_browsers.find({ where: {}, limit: 2 });
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(cookie);
});
