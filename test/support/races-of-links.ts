import type { Mail } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { list, jsonBody } from "./api.ts";
import { openBrowser, type Browser } from "./browser.ts";
import { fakeHasher, login, openService, type TestAccount, type LoginService } from "./flow.ts";
import { addUnverifiedUser, openLink, submitLinkForm, createTicketLink, type LinkPage } from "./links.ts";
import { createTestPostern } from "./postern.ts";

const many = Array.from({ length: 32 }, (_, i) => i);

/**
 * Adds the tests that submit thirty-two forms on link pages in parallel, through two services on one store, for any
 * store.
 */
export function testLinkRaces(store: () => Promise<DataAdapter>): void {
  let service: LoginService;
  let browsers: readonly Browser[];
  let eve: TestAccount;
  let accounts = 0;
  const mails: Mail[] = [];

  beforeAll(async () => {
    const options = { data: await store(), messages: { mail: { send: async (mail: Mail) => void mails.push(mail) } } };
    service = await openService(options);
    const second = await createTestPostern({ ...options, testing: { clock: service.clock }, crypto: { hasher: fakeHasher } });
    browsers = [openBrowser(service.postern), openBrowser(second.postern)];
  });

  beforeEach(async () => {
    mails.length = 0;
    eve = await addUnverifiedUser(service, `eve-${accounts++}@example.test`);
  });

  const through = (i: number): Browser => browsers[i % 2] ?? service.browser();
  const sendMany = async (link: string, fields: (i: number) => { readonly [name: string]: string }): Promise<readonly LinkPage[]> => {
    const page = await openLink(through(0), link);
    return Promise.all(many.map((i) => submitLinkForm(through(i), page, fields(i))));
  };
  const events = async (type: string): Promise<number> =>
    list(await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}/logs?per_page=100`)).filter(
      (event) => event["type"] === type,
    ).length;
  const signsIn = (password: string): Promise<boolean> =>
    login(service.browser(), service.web, { ...eve, password }).then(
      () => true,
      () => false,
    );

  test("logs one of thirty-two parallel confirmations of one email address, and tells all visitors that the address is confirmed", async () => {
    const link = await createTicketLink(service, "email-verification", { user_id: eve.userId });
    const result = await sendMany(link, () => ({ action: "yes" }));
    expect(new Set(result.map(({ title }) => title))).toEqual(new Set(["Your address is confirmed"]));
    expect(await events("sv")).toBe(1);
    expect(await signsIn(eve.password)).toBe(true);
  });

  test("logs one of thirty-two parallel yes and no answers to one link, and displays the stored answer", async () => {
    const link = await createTicketLink(service, "email-verification", { user_id: eve.userId });
    await sendMany(link, (i) => ({ action: i % 3 === 0 ? "no" : "yes" }));
    const { email_verified: verified } = jsonBody(await service.manage("GET", `/api/v2/users/${encodeURIComponent(eve.userId)}`));
    const { title } = await openLink(through(1), link);
    expect(title).toBe(verified === true ? "Your address is confirmed" : "Thank you for letting us know");
    expect((await events("sv")) + (await events("fv"))).toBe(1);
  });

  test("sets one of thirty-two passwords that are submitted for one link, and invalidates the old password", async () => {
    const link = await createTicketLink(service, "password-change", { user_id: eve.userId, mark_email_as_verified: true });
    await sendMany(link, (i) => ({ password: `password-number-${i}` }));
    expect(await events("scp")).toBe(1);
    expect(await signsIn(eve.password)).toBe(false);
    const result = await Promise.all(browsers.map((browser) => openLink(browser, link)));
    expect(result.map(({ title }) => title)).toContain("Your password was changed");
    expect(await openLink(service.browser(), link)).toMatchObject({ title: "This link was already used" });
    expect(mails.map(({ template }) => template)).toEqual(["password_changed"]);
  });

  test("sets one of thirty-two passwords that are submitted for different links of one user", async () => {
    const links = await Promise.all(many.map(() => createTicketLink(service, "password-change", { user_id: eve.userId })));
    const pages = await Promise.all(links.map((link) => openLink(through(0), link)));
    const result = await Promise.all(pages.map((page, i) => submitLinkForm(through(i), page, { password: `password-number-${i}` })));
    expect(result.filter(({ title }) => title === "Your password was changed")).toHaveLength(1);
    expect(result.filter(({ title }) => title === "This link is no longer valid")).toHaveLength(31);
    const winner = result.findIndex(({ title }) => title === "Your password was changed");
    expect(await signsIn(`password-number-${winner}`)).toBe(true);
    expect(await events("scp")).toBe(1);
  });

  test("sends one email for thirty-two parallel requests to renew one expired link", async () => {
    const link = await createTicketLink(service, "email-verification", { user_id: eve.userId, ttl_sec: 1 });
    service.clock.advance("2s");
    const result = await sendMany(link, () => ({ action: "renew" }));
    expect(new Set(result.map(({ title }) => title))).toEqual(new Set(["Check your email"]));
    expect(mails).toHaveLength(1);
  });
}
