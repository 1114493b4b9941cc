import { beforeEach, expect, test } from "vitest";
import { createLogins, type Logins } from "../../../test/password-logins.ts";
import { tenantData } from "../../store/tenant-data.ts";
import { createMemoryAdapter } from "@postern/memory";
import { forgetTrustedBrowsers, isBrowserTrusted, newBrowserToken, trustBrowser } from "./trusted-browser.ts";

const [ann, bob] = ["auth0|ann", "auth0|bob"];
let logins: Logins;
let token: string;

beforeEach(async () => {
  logins = await createLogins();
  token = newBrowserToken(logins.tenant.random);
});

const isTrusted = (userId = ann, text = token): Promise<boolean> => isBrowserTrusted(logins.tenant, userId, text);

test("a browser is trusted for the user who passed a factor in it", async () => {
  expect(await isTrusted()).toBe(false);
  await trustBrowser(logins.tenant, ann, token);
  expect(await isTrusted()).toBe(true);
});

test("one cookie serves several users, each after their own factor", async () => {
  await trustBrowser(logins.tenant, ann, token);
  expect(await isTrusted(bob)).toBe(false);
  await trustBrowser(logins.tenant, bob, token);
  expect([await isTrusted(ann), await isTrusted(bob)]).toEqual([true, true]);
});

test("the cookie of another browser is not trusted, whatever its text is", async () => {
  await trustBrowser(logins.tenant, ann, token);
  for (const text of ["", "|", token.slice(1), `${token}|${ann}`, "\u0000", "x".repeat(100_000)])
    expect(await isTrusted(ann, text)).toBe(false);
});

test("a browser is not trusted in another tenant", async () => {
  const { collections } = createMemoryAdapter({ strict: true });
  const [one, other] = ["t1", "t2"].map((id) => ({ ...logins.tenant, data: tenantData(collections, id) }));
  if (one === undefined || other === undefined) throw new Error("two tenants are expected");
  await trustBrowser(one, ann, token);
  expect([await isBrowserTrusted(one, ann, token), await isBrowserTrusted(other, ann, token)]).toEqual([true, false]);
});

test("the trust ends after seven days without use", async () => {
  await trustBrowser(logins.tenant, ann, token);
  logins.clock.advance("6d");
  expect(await isTrusted()).toBe(true);
  logins.clock.advance("6d");
  expect(await isTrusted()).toBe(true);
  logins.clock.advance("7d");
  expect(await isTrusted()).toBe(false);
});

test("the trust ends after 30 days, even if the browser is used every day", async () => {
  await trustBrowser(logins.tenant, ann, token);
  for (let i = 1; i < 30; i++) {
    logins.clock.advance("1d");
    expect(await isTrusted()).toBe(true);
  }
  logins.clock.advance("1d");
  expect(await isTrusted()).toBe(false);
});

test.each([
  ["overall", { overall: 2 * 86_400_000, idle: 2 * 86_400_000 }],
  ["idle", { overall: 30 * 86_400_000, idle: 2 * 86_400_000 }],
])("a shorter %s lifetime also ends trust that exists already", async (_, lifetimes) => {
  await trustBrowser(logins.tenant, ann, token);
  logins.clock.advance("2d");
  expect(await isBrowserTrusted(logins.tenant, ann, token, lifetimes)).toBe(false);
  expect(await isTrusted()).toBe(true);
});

test("a factor that the user passes again renews the trust", async () => {
  await trustBrowser(logins.tenant, ann, token);
  logins.clock.advance("29d");
  await trustBrowser(logins.tenant, ann, token);
  for (let i = 0; i < 4; i++) {
    logins.clock.advance("6d");
    expect(await isTrusted()).toBe(true);
  }
});

test("forgetting the browsers of a user leaves those of other users", async () => {
  const second = newBrowserToken(logins.tenant.random);
  await trustBrowser(logins.tenant, ann, token);
  await trustBrowser(logins.tenant, ann, second);
  await trustBrowser(logins.tenant, bob, token);
  await forgetTrustedBrowsers(logins.data, ann);
  expect([await isTrusted(ann), await isTrusted(ann, second), await isTrusted(bob)]).toEqual([false, false, true]);
});

test("a browser that is forgotten while its trust is checked is not trusted", async () => {
  await trustBrowser(logins.tenant, ann, token);
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
  expect(await isBrowserTrusted(context, ann, token)).toBe(false);
});

test("only a hash of the token and the user is stored", async () => {
  await trustBrowser(logins.tenant, ann, token);
  const rows = await logins.data.trusted_browsers.find({ where: {}, limit: 2 });
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});
