import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountSectionNames } from "../../packages/core/src/model/tenant/account-page.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import type { Browser } from "../support/browser.ts";
import { login, obtainTokens, offline, openService, type LoginService } from "../support/flow.ts";
import { stores } from "../protocol/stores.ts";
import { openSection, showSections } from "./page.ts";

describe.each(stores)("each section on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;
  let browser: Browser;

  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openService({ data });
    await showSections(service, Object.fromEntries(accountSectionNames.map((name) => [name, "shown"])));
    const second = await service.addUser("second@example.test");
    await service.manage("POST", `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities`, {
      provider: "auth0",
      user_id: second.userId,
    });
    browser = service.browser();
    await obtainTokens(service, service.web, service.ada, offline, browser);
    await login(browser, service.web, service.ada);
    // Fills the cache of settings.
    await openSection(browser, "");
  });
  afterAll(() => data.close?.());

  test.each(accountSectionNames)("%s costs at most three statements in two round trips more than session and user", async (name) => {
    const open = async () => expect((await browser.get(`/u/account/${name}?tenant=main`)).status).toBe(200);
    await open();
    const { statements, roundTrips } = await data.costOf(open);
    expect(statements.slice(0, 2)).toEqual(["sessions.find", "users.find"]);
    expect(statements.length).toBeLessThanOrEqual(2 + 3);
    expect(roundTrips).toBeLessThanOrEqual(2 + 2);
  });
});
