import { expect, test } from "vitest";
import { sendAuthorization, login, signInAtLoginPage, type TestAccount, type LoginService } from "../support/flow.ts";
import { openMailing } from "../support/mailing.ts";
import type { Browser } from "../support/browser.ts";

/** Opens a service that notifies users about new devices, with a user who has signed in once. */
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

/** Returns the name of the cookie with the known accounts. */
const cookieOf = ({ cookies }: Browser): string => [...cookies.keys()].find((name) => name.includes("postern_accounts")) ?? "";
const knownOf = (browser: Browser): string | undefined => browser.cookies.get(cookieOf(browser));

/** Signs in again, even if the browser has a session. */
const signInAgain = async (service: LoginService, browser: Browser, account: TestAccount): Promise<unknown> =>
  signInAtLoginPage(browser, await sendAuthorization(browser, service.spa, { prompt: "login" }), account);

test("notifies a user once about a sign-in from a new device, but not about their first login", async () => {
  const { service, mails, account, laptop } = await opened();
  const phone = service.browser();
  expect(mails).toEqual([]);

  await login(phone, service.spa, account);
  expect(mails.map(({ to, template, subject }) => [to, template, subject])).toEqual([
    [account.email, "new_device", "New sign-in to your account"],
  ]);
  for (const browser of [laptop, phone]) {
    await signInAgain(service, browser, account);
    service.clock.advance("100d"); // longer than any session
    await login(browser, service.spa, account);
  }
  expect(mails).toHaveLength(1);
});

test("a browser is a known device for each user who has signed in with it", async () => {
  const { service, mails, account, laptop } = await opened();
  const bea = await service.addUser("bea@example.test");
  await login(service.browser(), service.spa, bea);
  await signInAgain(service, laptop, bea);
  expect(mails.map(({ to }) => to)).toEqual([bea.email]);
  await signInAgain(service, laptop, account);
  expect(mails).toHaveLength(1);
});

test("a browser is a new device for a user if its cookie contains only other accounts or invalid values", async () => {
  const { service, mails, account, laptop } = await opened();
  const known = knownOf(laptop) ?? "";
  expect(known).toMatch(/^[A-Za-z0-9_-]{22}$/);
  const bea = await service.addUser("bea@example.test");
  await login(service.browser(), service.spa, bea);
  const stranger = service.browser();
  stranger.cookies.set(cookieOf(laptop), `${known}..%00.${"x".repeat(3000)}`);
  await login(stranger, service.spa, bea);
  expect(mails.map(({ to }) => to)).toEqual([bea.email]);
  await signInAgain(service, stranger, account);
  expect(mails).toHaveLength(1);
});

test("sends no notification while the tenant has disabled notifications, but remembers the browser", async () => {
  const { service, mails, account, laptop } = await opened(false);
  await login(service.browser(), service.spa, account);
  expect(mails).toEqual([]);
  expect(knownOf(laptop)).toMatch(/^[A-Za-z0-9_-]{22}$/);
  await service.manage("PATCH", "/api/v2/tenants/settings", { new_device_notification: true });
  service.clock.advance("10s");
  await signInAgain(service, laptop, account);
  expect(mails).toEqual([]);
  expect(knownOf(laptop)).toMatch(/^[A-Za-z0-9_-]{22}$/);
});
