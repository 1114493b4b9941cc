import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { formFields, type Browser } from "../support/browser.ts";
import type { JsonBody } from "../support/api.ts";
import { managementAudience } from "../support/postern.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import {
  sendAuthorization,
  authorizeParameters,
  codeGrant,
  successParameters,
  login,
  loginState,
  obtainTokens,
  offline,
  openService,
  openStep,
  refreshGrant,
  sendForm,
  submit,
  readResult,
  tokens,
  type App,
  type FlowStep,
  type LoginService,
} from "../support/flow.ts";
import { setPasskeys } from "../factors/passkey-api-support.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { stores } from "./stores.ts";

/** One in 256 wrong passwords, for which a random byte is 0, also deletes expired rows. It is not part of a budget. */
const neverZero = {
  bytes: (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length)).map((byte) => (length === 1 ? byte || 1 : byte)),
};

const otpGrant = "http://auth0.com/oauth/grant-type/passwordless/otp";

describe.each(stores)("statements and sequential round trips of user requests on $name", ({ open }) => {
  let data: CountingAdapter;
  let service: LoginService;
  const outbox = createOutbox();
  let app: App;
  beforeAll(async () => {
    data = countingAdapter(await open());
    service = await openService({ data, messages: { mail: outbox.mail }, testing: { random: neverZero } });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    app = await service.register({ grant_types: [otpGrant, "refresh_token", "authorization_code"] });
  });
  afterAll(() => data.close?.());

  /** Requests a code or a link by mail. Every test first creates the account of the email address. */
  const startCode = (email: string, more: object = {}): Promise<unknown> =>
    service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, connection: "email", email, send: "code", ...more } });
  const redeem = async (username: string, more: object = {}): Promise<void> => {
    const otp = codeOf(outbox.take(username));
    const scope = "openid offline_access";
    tokens(await service.exchange({ grant_type: otpGrant, client_id: app.clientId, username, otp, realm: "email", scope, ...more }));
  };

  // Fills the settings cache at the current instant.
  beforeEach(async () => {
    await obtainTokens(service, service.spa, service.ada, offline);
    await obtainTokens(service, service.web, service.ada, offline);
    await service.call("POST", "/passwordless/start", { body: { client_id: app.clientId } });
    // Custom texts of a tenant are read when a page is rendered.
    const browser = service.browser();
    await pageOf(browser, loginState(await sendAuthorization(browser, service.web)), "identifier");
  });

  const costs = async (request: () => Promise<unknown>, [statements, roundTrips]: readonly [number, number]): Promise<void> => {
    const cost = await data.costOf(request);
    const costText = `${cost.roundTrips} round trips: ${cost.statements.join(", ")}`;
    expect(cost.statements.length, costText).toBeLessThanOrEqual(statements);
    expect(cost.roundTrips, costText).toBeLessThanOrEqual(roundTrips);
  };

  const pageOf = async (browser: Browser, state: string, name: string): Promise<string> => {
    const response = await openStep(browser, state, name);
    expect(response.status).toBe(200);
    return response.text();
  };
  const expectRedirect = async (response: Promise<Response>, name: string): Promise<void> => {
    expect(await readResult(await response)).toMatchObject({ kind: "login", step: name });
  };

  /** Starts a login and returns the page that prompts for the password. */
  const passwordPage = async (browser: Browser, requested = {}): Promise<string> => {
    const state = loginState(await sendAuthorization(browser, service.web, requested));
    await submit(browser, state, { action: "continue", identifier: service.ada.email });
    return pageOf(browser, state, "password");
  };
  const right = (): FlowStep => ({ action: "sign-in", password: service.ada.password });

  test("/authorize with a session stays within its budget", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    await costs(async () => successParameters(await sendAuthorization(browser, service.web)), [7, 4]);
    await costs(async () => successParameters(await sendAuthorization(browser, service.web, { prompt: "none" })), [7, 4]);
    await costs(async () => successParameters(await sendAuthorization(browser, service.spa)), [7, 4]);
  });

  test("/authorize without a session stays within its budget", () =>
    costs(async () => loginState(await sendAuthorization(service.browser(), service.web)), [1, 1]));

  test("each login page and the identifier form stay within their budgets", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await costs(() => pageOf(browser, state, "identifier"), [2, 2]);
    await costs(() => pageOf(browser, state, "identifier"), [1, 1]);
    const html = await pageOf(browser, state, "identifier");
    await costs(() => expectRedirect(sendForm(browser, html, { action: "continue", identifier: service.ada.email }), "password"), [2, 2]);
    await costs(() => pageOf(browser, state, "password"), [1, 1]);
  });

  test("a password login stays within its budget", async () => {
    const browser = service.browser();
    const html = await passwordPage(browser);
    await costs(async () => successParameters(await readResult(await sendForm(browser, html, right()))), [10, 7]);
  });

  test("a password login stays within the same budget if users are offered a passkey, and after they declined it", async () => {
    await setPasskeys(service, true);
    onTestFinished(async () => void (await setPasskeys(service, false)));
    const browser = service.browser();
    // Fills the settings cache with the changed connection.
    await passwordPage(service.browser());
    const html = await passwordPage(browser);
    let offered = "";
    await costs(async () => {
      const result = await readResult(await sendForm(browser, html, { ...right(), passkeys: "available" }));
      expect(result).toMatchObject({ kind: "login", step: "add-passkey" });
      offered = loginState(result);
    }, [10, 7]);
    successParameters(await submit(browser, offered, { action: "decline-passkey" }));
    const again = await passwordPage(browser, { prompt: "login" });
    await costs(
      async () => successParameters(await readResult(await sendForm(browser, again, { ...right(), passkeys: "available" }))),
      [12, 8],
    );
  });

  test("a wrong password and the page with the error stay within their budgets", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submit(browser, state, { action: "continue", identifier: service.ada.email });
    const html = await pageOf(browser, state, "password");
    await costs(() => expectRedirect(sendForm(browser, html, { action: "sign-in", password: "not the password" }), "password"), [7, 6]);
    await costs(() => pageOf(browser, state, "password"), [1, 1]);
  });

  test("a password login in a browser that has a session stays within its budget, which includes one more read of the session", async () => {
    const browser = service.browser();
    await login(browser, service.web, service.ada);
    const html = await passwordPage(browser, { prompt: "login" });
    await costs(async () => successParameters(await readResult(await sendForm(browser, html, right()))), [12, 8]);
  });

  test("a sign-up and its email verification code stay within their budgets", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { screen_hint: "signup" }));
    const form = await pageOf(browser, state, "sign-up");
    const email = `${state.slice(-12).toLowerCase()}@example.test`;
    const made: FlowStep = { action: "make-account", email, password: service.ada.password };
    await costs(() => expectRedirect(sendForm(browser, form, made), "code"), [12, 11]);
    const html = await pageOf(browser, state, "code");
    const returned: FlowStep = { action: "enter-code", code: codeOf(outbox.take(email)) };
    await costs(async () => successParameters(await readResult(await sendForm(browser, html, returned))), [15, 13]);
  });

  test("a password reset with a code stays within its budget", async () => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    const named = await pageOf(browser, state, "identifier");
    await sendForm(browser, named, { action: "continue", identifier: service.bob.email });
    await submit(browser, state, { action: "forgot-password" });
    const request = await pageOf(browser, state, "reset-password");
    await costs(() => expectRedirect(sendForm(browser, request, { action: "send-reset", identifier: service.bob.email }), "code"), [10, 8]);
    const html = await pageOf(browser, state, "code");
    const returned: FlowStep = { action: "enter-code", code: codeOf(outbox.take(service.bob.email)) };
    await costs(() => expectRedirect(sendForm(browser, html, returned), "new-password"), [8, 8]);
    const choose = await pageOf(browser, state, "new-password");
    await costs(
      async () =>
        successParameters(await readResult(await sendForm(browser, choose, { action: "set-password", password: service.bob.password }))),
      [21, 19],
    );
  });

  test("a code exchange stays within its budget", async () => {
    const { code = "" } = await login(service.browser(), service.web, service.ada, offline);
    await costs(async () => tokens(await service.exchange(codeGrant(service.web, code))), [6, 5]);
  });

  test("a token refresh stays within its budget, with and without rotation", async () => {
    const spa = await obtainTokens(service, service.spa, service.ada, offline);
    await costs(async () => tokens(await service.exchange(refreshGrant(service.spa, spa.refresh))), [6, 5]);
    // Sends the same token again within the leeway.
    await costs(async () => tokens(await service.exchange(refreshGrant(service.spa, spa.refresh))), [6, 5]);
    const web = await obtainTokens(service, service.web, service.ada, offline);
    await costs(async () => tokens(await service.exchange(refreshGrant(service.web, web.refresh))), [6, 5]);
  });

  test("a replayed refresh token that revokes its family stays within its budget", async () => {
    const { refresh } = await obtainTokens(service, service.spa, service.ada, offline);
    tokens(await service.exchange(refreshGrant(service.spa, tokens(await service.exchange(refreshGrant(service.spa, refresh))).refresh)));
    service.clock.advance("31s");
    // The settings cache expires after five seconds, so this fills it again.
    await obtainTokens(service, service.spa, service.ada, offline);
    await costs(async () => expect((await service.exchange(refreshGrant(service.spa, refresh))).status).toBe(400), [9, 7]);
  });

  test("a Management API request with a user token stays within its budget, which includes one more round trip to reread the user, the session and the permissions", async () => {
    const user = `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
    const permissions = [{ resource_server_identifier: managementAudience, permission_name: "read:users" }];
    await service.manage("POST", `${user}/permissions`, { permissions });
    const { access } = await obtainTokens(service, service.web, service.ada, { audience: managementAudience, scope: "openid read:users" });
    const read = async () => expect((await service.call("GET", user, { token: access })).status).toBe(200);
    await read();
    await costs(read, [6, 2]);
  });

  test("sending and redeeming a one-time code stay within their budgets, also if the first code creates an account", async () => {
    for (const [email, redeemed] of [
      ["mira@example.test", [10, 8]],
      ["mira@example.test", [9, 7]],
    ] as const) {
      await costs(() => startCode(email), [7, 5]);
      await costs(() => redeem(email), redeemed);
    }
  });

  test("sending a login link, opening its page, submitting its form and the response to the client stay within their budgets", async () => {
    const { client_id: _, ...authParams } = authorizeParameters(app);
    const browser = service.browser();
    const email = "jonas@example.test";
    await startCode(email);
    await redeem(email);
    let [page, redirected] = ["", ""];
    await costs(() => startCode(email, { send: "link", authParams }), [7, 5]);
    const { link = "" } = outbox.take(email);
    await costs(async () => (page = await (await browser.get(link)).text()), [0, 0]);
    const form = formFields(page);
    await costs(
      async () => (redirected = (await browser.post("/passwordless/verify_redirect", { form })).headers.get("location") ?? ""),
      [8, 6],
    );
    await costs(async () => successParameters(await readResult(await browser.get(redirected))), [7, 4]);
  });

  test("a sign-up, a password reset mail and a login ticket of the Authentication API stay within their budgets", async () => {
    const [connection, password] = ["Username-Password-Authentication", "Correct-horse-7"];
    const send = (path: string, body: object) => service.call("POST", path, { body: { client_id: own.clientId, ...body } });
    const own = await service.register({ cross_origin_authentication: true });
    const signUp = async (email: string) => {
      expect((await send("/dbconnections/signup", { connection, email, password })).status).toBe(200);
    };
    await signUp("first@example.test");
    await costs(() => signUp("second@example.test"), [7, 5]);
    await costs(async () => {
      expect((await send("/dbconnections/signup", { connection, email: "second@example.test", password })).status).toBe(400);
    }, [10, 8]);
    for (const email of ["second@example.test", "unknown@example.test"]) {
      await costs(async () => {
        expect((await send("/dbconnections/change_password", { connection, email })).status).toBe(200);
      }, [7, 6]);
    }
    const json = {
      client_id: own.clientId,
      credential_type: "http://auth0.com/oauth/grant-type/password-realm",
      realm: connection,
      username: service.ada.email,
      password: service.ada.password,
    };
    const browser = service.browser();
    let ticket: unknown;
    await costs(async () => {
      const response = await browser.post("/co/authenticate", { json, headers: { origin: "https://app.example.test" } });
      ({ login_ticket: ticket } = (await response.json()) as JsonBody);
    }, [8, 6]);
    await costs(async () => successParameters(await sendAuthorization(browser, own, { login_ticket: String(ticket) })), [7, 7]);
  });

  test("userinfo stays within its budget", async () => {
    const { access } = await obtainTokens(service, service.web, service.ada);
    await costs(async () => expect((await service.userinfo(access)).status).toBe(200), [3, 1]);
  });
});
