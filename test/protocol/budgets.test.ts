import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formFields, type Browser } from "../support/browser.ts";
import { managementAudience } from "../support/postern.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import {
  ask,
  codeGrant,
  granted,
  login,
  loginState,
  obtain,
  offline,
  openService,
  refreshGrant,
  submit,
  told,
  tokens,
  type LoginService,
} from "../support/flow.ts";
import { stores } from "./stores.ts";

describe.each(stores)("what a person's requests cost on $name, in statements and sequential legs", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;
  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openService({ data });
  });
  afterAll(() => data.close?.());

  // Everything is warm: settings that were read at the same instant.
  beforeEach(async () => {
    await obtain(service, service.spa, service.ada, offline);
    await obtain(service, service.web, service.ada, offline);
  });

  const costs = async (request: () => Promise<unknown>, [statements, legs]: readonly [number, number]): Promise<void> => {
    const cost = await data.costOf(request);
    const what = `${cost.legs} legs: ${cost.statements.join(", ")}`;
    expect(cost.statements.length, what).toBeLessThanOrEqual(statements);
    expect(cost.legs, what).toBeLessThanOrEqual(legs);
  };

  /** A login page up to the password, and the form that posts it. */
  const passwordForm = async (browser: Browser, asked = {}): Promise<{ readonly [name: string]: string }> => {
    const state = loginState(await ask(browser, service.web, asked));
    const page = await submit(browser, state, { action: "continue", identifier: service.ada.email });
    const { csrf = "" } = formFields(page.kind === "page" ? page.html : "");
    return { state, csrf, action: "sign-in", password: service.ada.password };
  };

  test("/authorize with a session", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    await costs(async () => granted(await ask(browser, service.web)), [7, 4]);
    await costs(async () => granted(await ask(browser, service.web, { prompt: "none" })), [7, 4]);
    await costs(async () => granted(await ask(browser, service.spa)), [7, 4]);
  });

  test("/authorize without a session", () => costs(async () => loginState(await ask(service.browser(), service.web)), [1, 1]));

  test("a password", async () => {
    const browser = service.browser();
    const form = await passwordForm(browser);
    await costs(async () => granted(await told(await browser.post("/u/login", { form }))), [10, 7]);
  });

  test("a password again, of whoever is signed in: their session is read besides", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const form = await passwordForm(browser, { prompt: "login" });
    await costs(async () => granted(await told(await browser.post("/u/login", { form }))), [12, 8]);
  });

  test("a code", async () => {
    const { code = "" } = await login(service.browser(), service.web, service.ada, offline);
    await costs(async () => tokens(await service.exchange(codeGrant(service.web, code))), [6, 5]);
  });

  test("a refresh, rotating and not", async () => {
    const spa = await obtain(service, service.spa, service.ada, offline);
    await costs(async () => tokens(await service.exchange(refreshGrant(service.spa, spa.refresh))), [6, 5]);
    // The same again, within the leeway.
    await costs(async () => tokens(await service.exchange(refreshGrant(service.spa, spa.refresh))), [6, 5]);
    const web = await obtain(service, service.web, service.ada, offline);
    await costs(async () => tokens(await service.exchange(refreshGrant(service.web, web.refresh))), [6, 5]);
  });

  test("a replayed refresh token, whose family ends", async () => {
    const { refresh } = await obtain(service, service.spa, service.ada, offline);
    tokens(await service.exchange(refreshGrant(service.spa, tokens(await service.exchange(refreshGrant(service.spa, refresh))).refresh)));
    service.clock.advance("31s");
    // Settings are read again after five seconds: warm them up.
    await obtain(service, service.spa, service.ada, offline);
    await costs(async () => expect((await service.exchange(refreshGrant(service.spa, refresh))).status).toBe(400), [9, 7]);
  });

  test("the Management API by a person's token: one round trip more, in which the person, their session and what they may do are looked at again", async () => {
    const user = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "read:users" }];
    await service.manage("POST", `${user}/permissions`, { permissions });
    const { access } = await obtain(service, service.web, service.ada, { audience: managementAudience, scope: "openid read:users" });
    const read = async () => expect((await service.call("GET", user, { token: access })).status).toBe(200);
    await read();
    await costs(read, [6, 2]);
  });

  test("userinfo", async () => {
    const { access } = await obtain(service, service.web, service.ada);
    await costs(async () => expect((await service.userinfo(access)).status).toBe(200), [3, 1]);
  });
});
