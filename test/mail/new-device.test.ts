import { expect, test } from "vitest";
import { authorize, login, signIn, type Account, type LoginService } from "../support/flow.ts";
import { openMailing } from "../support/mailing.ts";
import type { Browser } from "../support/browser.ts";

/** A service that tells of new devices, and somebody who signed in once. */
async function opened(on = true) {
  const mailing = await openMailing();
  const { service } = mailing;
  await service.manage("PATCH", "/api/v2/tenants/settings", { new_device_notification: on });
  service.clock.advance("10s");
  const account = await service.addUser("augusta@example.test");
  const laptop = service.browser();
  await login(laptop, service.spa, account);
  return { ...mailing, account, laptop };
}

/** The name of the cookie that holds accounts. */
const cookieOf = ({ cookies }: Browser): string => [...cookies.keys()].find((name) => name.includes("postern_accounts")) ?? "";
const knownOf = (browser: Browser): string | undefined => browser.cookies.get(cookieOf(browser));

/** Signs in anew, whatever session the browser has. */
const signInAnew = async (service: LoginService, browser: Browser, account: Account): Promise<unknown> =>
  signIn(browser, await authorize(browser, service.spa, { prompt: "login" }), account);

test("who signs in on a device that is new to their account is told by mail, once; never at their first login", async () => {
  const { service, mails, account, laptop } = await opened();
  const phone = service.browser();
  expect(mails).toEqual([]);

  await login(phone, service.spa, account);
  expect(mails.map(({ to, template, subject }) => [to, template, subject])).toEqual([
    [account.email, "new_device", "New sign-in to your account"],
  ]);
  for (const browser of [laptop, phone]) {
    await signInAnew(service, browser, account);
    service.clock.advance("100d"); // longer than any session
    await login(browser, service.spa, account);
  }
  expect(mails).toHaveLength(1);
});

test("two people at one browser each have it for their own", async () => {
  const { service, mails, account, laptop } = await opened();
  const bea = await service.addUser("bea@example.test");
  await login(service.browser(), service.spa, bea);
  await signInAnew(service, laptop, bea);
  expect(mails.map(({ to }) => to)).toEqual([bea.email]);
  await signInAnew(service, laptop, account);
  expect(mails).toHaveLength(1);
});

test("cookies that name no account, or another's, make no device known", async () => {
  const { service, mails, account, laptop } = await opened();
  const known = knownOf(laptop) ?? "";
  expect(known).toMatch(/^[A-Za-z0-9_-]{22}$/);
  const bea = await service.addUser("bea@example.test");
  await login(service.browser(), service.spa, bea);
  const stranger = service.browser();
  stranger.cookies.set(cookieOf(laptop), `${known}..%00.${"x".repeat(3000)}`);
  await login(stranger, service.spa, bea);
  expect(mails.map(({ to }) => to)).toEqual([bea.email]);
  await signInAnew(service, stranger, account);
  expect(mails).toHaveLength(1);
});

test("nobody is told where the tenant did not ask for it; the browser is known all the same", async () => {
  const { service, mails, account, laptop } = await opened(false);
  await login(service.browser(), service.spa, account);
  expect(mails).toEqual([]);
  expect(knownOf(laptop)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  await service.manage("PATCH", "/api/v2/tenants/settings", { new_device_notification: true });
  service.clock.advance("10s");
  await signInAnew(service, laptop, account);
  expect(mails).toEqual([]);
  expect(knownOf(laptop)).toMatch(/^[A-Za-z0-9_-]{22}$/);
});
