import { decodeJwt } from "jose";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { sendAuthorization, loginState, openService, type App, type AuthorizationParameters, type LoginService } from "../support/flow.ts";
import { codeOf, createOutbox, differentCode, type Outbox } from "../support/outbox.ts";

/** Users sign up, sign in with codes and reset their passwords: the steps as the JSON flow API returns them. */

const password = "correct horse battery";

let outbox: Outbox;
let service: LoginService;
let number = 0;

beforeAll(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
});

beforeEach(() => {
  outbox.sent.length = 0;
});

/** A visitor at a login page. */
interface Visitor {
  /** Sends an action. @returns the next screen, or `{ done: url }`. */
  act(action: string, fields?: object): Promise<JsonBody>;
  look(): Promise<JsonBody>;
}

async function startLogin(app: App, parameters: AuthorizationParameters = {}, browser: Browser = service.browser()): Promise<Visitor> {
  const state = loginState(await sendAuthorization(browser, app, parameters));
  let csrf = "";
  const screenOf = (reply: JsonBody): JsonBody => {
    csrf = stringMember(reply, "csrf");
    return reply["screen"] === undefined
      ? { done: stringMember(reply, "redirect_to") }
      : jsonBody({ status: 200, headers: new Headers(), body: reply["screen"] });
  };
  const look = async (): Promise<JsonBody> =>
    screenOf((await (await browser.get(`/u/flow?${new URLSearchParams({ state })}`)).json()) as JsonBody);
  await look();
  return {
    look,
    act: async (action, fields = {}) => {
      const response = await browser.post("/u/flow", { json: { state, csrf, action, ...fields } });
      return response.status === 200 ? screenOf((await response.json()) as JsonBody) : look();
    },
  };
}

const newEmail = (): string => `new-${++number}@example.test`;

async function userBy(email: string): Promise<JsonBody> {
  const { body } = await service.manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`);
  const [user] = body as JsonBody[];
  if (user === undefined) throw new Error(`no user has ${email}`);
  return user;
}

describe("sign-up", () => {
  let email: string;
  let visitor: Visitor;

  beforeEach(async () => {
    email = newEmail();
    visitor = await startLogin(service.spa, { screen_hint: "signup" });
  });

  test("screen_hint=signup shows the sign-up page, a code verifies the address, and the user is redirected to the app", async () => {
    expect(await visitor.look()).toMatchObject({ name: "sign-up", fields: { email: "required", username: "inactive" } });
    expect(await visitor.act("make-account", { email, password })).toMatchObject({ name: "code", purpose: "sign-up", sentTo: email });
    expect(await userBy(email)).toMatchObject({ email_verified: false });
    const { done } = await visitor.act("enter-code", { code: codeOf(outbox.take(email)) });
    expect(done).toContain("code=");
    expect(await userBy(email)).toMatchObject({ email_verified: true, logins_count: 1 });
  });

  test("a new user can sign in with the password again", async () => {
    await visitor.act("make-account", { email, password });
    await visitor.act("enter-code", { code: codeOf(outbox.take(email)) });
    const later = await startLogin(service.spa);
    await later.act("continue", { identifier: email });
    expect(await later.act("sign-in", { password })).toHaveProperty("done");
  });

  test("returns the same response for an existing email address as for a new one, sends its owner a mail without a code, and accepts no code", async () => {
    const free = await visitor.act("make-account", { email, password });
    const existing = await (
      await startLogin(service.spa, { screen_hint: "signup" })
    ).act("make-account", { email: service.ada.email, password });
    expect({ ...existing, sentTo: email }).toEqual(free);
    expect(outbox.take(service.ada.email)).toMatchObject({
      template: "account_exists",
      link: expect.stringContaining("/u/reset-password?"),
    });
    expect(outbox.sent.filter(({ to }) => to === service.ada.email)).toEqual([]);
  });

  test("logs an existing address and a weak password as failed sign-ups", async () => {
    service.clock.advance("5s");
    const before = (await auditEvents(service.manage, "fs")).length;
    await visitor.act("make-account", { email, password: "abc" });
    await visitor.act("make-account", { email: service.ada.email, password });
    service.clock.advance("5s");
    const [existing, weak, ...others] = await auditEvents(service.manage, "fs");
    expect([existing, weak]).toMatchObject([
      { user_id: service.ada.userId, description: "An account already exists (email).", client_id: service.spa.clientId },
      { user_id: "", description: expect.stringContaining("weak"), client_id: service.spa.clientId },
    ]);
    expect(others).toHaveLength(before);
  });

  test("names the problem and keeps the typed values", async () => {
    expect(await visitor.act("make-account", { email: "mira@", password })).toMatchObject({
      problem: "email-malformed",
      typed: { email: "mira@" },
    });
    expect(await visitor.act("make-account", { email: "", password })).toMatchObject({ problem: "email-missing" });
    expect(await visitor.act("make-account", { email })).toMatchObject({ problem: "password-missing", typed: { email } });
    expect(await visitor.act("make-account", { email, password: "abc" })).toMatchObject({ problem: "password-too-weak" });
    expect(await visitor.act("sign-in-instead")).toMatchObject({ name: "identifier", signUp: true });
    expect(await visitor.act("sign-up")).toMatchObject({ name: "sign-up" });
  });

  test("a visitor who returns and chooses another password has one account with that password", async () => {
    await visitor.act("make-account", { email, password });
    outbox.take(email);
    expect(await visitor.act("change-address")).toMatchObject({ name: "sign-up", typed: { email } });
    expect(await visitor.act("make-account", { email, password: "another horse battery" })).toMatchObject({ name: "code" });
    expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toHaveProperty("done");
    const later = await startLogin(service.spa);
    await later.act("continue", { identifier: email });
    expect(await later.act("sign-in", { password })).toMatchObject({ problem: "wrong-credentials" });
    expect(await later.act("sign-in", { password: "another horse battery" })).toHaveProperty("done");
  });

  test("five wrong codes invalidate the correct one, and another code can be requested", async () => {
    await visitor.act("make-account", { email, password });
    const code = codeOf(outbox.take(email));
    for (let i = 0; i < 5; i++)
      expect(await visitor.act("enter-code", { code: differentCode(code) })).toMatchObject({ problem: "wrong-code" });
    expect(await visitor.act("enter-code", { code })).toMatchObject({ problem: "wrong-code" });
    expect(await visitor.act("resend-code")).toMatchObject({ name: "code", again: true });
    expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toHaveProperty("done");
  });

  test("a code is valid only in the login session that requested it", async () => {
    await visitor.act("make-account", { email, password });
    const code = codeOf(outbox.take(email));
    const other = await startLogin(service.spa, { screen_hint: "signup" });
    await other.act("make-account", { email, password });
    expect(await other.act("enter-code", { code })).toMatchObject({ problem: "wrong-code" });
    expect(await visitor.act("enter-code", { code })).toHaveProperty("done");
  });
});

describe("password reset", () => {
  async function startReset(email: string): Promise<Visitor> {
    const visitor = await startLogin(service.spa);
    await visitor.act("continue", { identifier: email });
    expect(await visitor.act("forgot-password")).toMatchObject({ name: "reset-password", identifier: email });
    return visitor;
  }

  test("a reset code lets the user set a password, which signs the user in, revokes other sessions, ends throttling and verifies the address", async () => {
    const { email } = await service.addUser(newEmail());
    const { user_id: userId } = await userBy(email);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(String(userId))}`, { email_verified: false });
    const elsewhere = service.browser();
    const before = await startLogin(service.spa, {}, elsewhere);
    await before.act("continue", { identifier: email });
    expect(await before.act("sign-in", { password })).toHaveProperty("done");

    const visitor = await startReset(email);
    expect(await visitor.act("send-reset", { identifier: email })).toMatchObject({
      name: "code",
      purpose: "reset-password",
      sentTo: email,
    });
    const mail = outbox.take(email);
    expect(mail.link).toContain("/u/reset-password?");
    expect(await visitor.act("enter-code", { code: codeOf(mail) })).toMatchObject({ name: "new-password", account: email });
    expect(await visitor.act("set-password", { password: "abc" })).toMatchObject({ problem: "password-too-weak" });
    expect(await visitor.act("set-password", { password: "another horse battery" })).toHaveProperty("done");
    expect(outbox.take(email).template).toBe("password_changed");
    expect(await userBy(email)).toMatchObject({ email_verified: true });
    expect((await sendAuthorization(elsewhere, service.spa)).kind).toBe("login");
  });

  test("returns the same response for an unknown email address as for a known one, and sends no mail to it", async () => {
    const known = await service.addUser(newEmail());
    const visitor = await startReset(known.email);
    const responded = await visitor.act("send-reset", { identifier: known.email });
    outbox.take(known.email);
    const unknown = newEmail();
    const stranger = await startReset(unknown);
    expect(await stranger.act("send-reset", { identifier: unknown })).toEqual({ ...responded, sentTo: unknown });
    expect(outbox.sent.filter(({ to }) => to === unknown)).toEqual([]);
    expect(await stranger.act("enter-code", { code: "000000" })).toMatchObject({ problem: "wrong-code" });
  });

  test("a reset code is invalid after the password changed", async () => {
    const { email } = await service.addUser(newEmail());
    const [first, second] = [await startReset(email), await startReset(email)];
    for (const visitor of [first, second]) {
      await visitor.act("send-reset", { identifier: email });
      expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toMatchObject({ name: "new-password" });
    }
    expect(await first.act("set-password", { password: "another horse battery" })).toHaveProperty("done");
    expect(await second.act("set-password", { password: "a third horse battery" })).toMatchObject({ name: "reset-password" });
  });

  test("is not offered if the connection does not allow it", async () => {
    const options = { disable_self_service_change_password: true, disable_signup: true };
    await service.manage.create("/api/v2/connections", { name: "locked", strategy: "auth0", options });
    const visitor = await startLogin(service.spa, { connection: "locked" });
    expect(await visitor.look()).not.toHaveProperty("signUp");
    expect(await visitor.act("continue", { identifier: "mira@example.test" })).not.toHaveProperty("reset");
  });
});

describe("passwordless codes", () => {
  let app: App;

  beforeAll(async () => {
    const { id } = await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    app = await service.register({ grant_types: ["authorization_code", "implicit"] });
    const response = await service.manage("PATCH", `/api/v2/clients/${app.clientId}/connections`, [id]);
    expect(response.status).toBe(200);
  });

  test("the first code for an email address creates the account and sets amr", async () => {
    const email = newEmail();
    const browser = service.browser();
    const visitor = await startLogin(app, { response_type: "id_token", response_mode: "fragment" }, browser);
    expect(await visitor.look()).toMatchObject({ name: "identifier", kinds: ["email"] });
    expect(await visitor.act("continue", { identifier: "mira" })).toMatchObject({ problem: "address-invalid" });
    expect(await visitor.act("continue", { identifier: ` ${email.toUpperCase()} ` })).toMatchObject({ name: "code", purpose: "login" });
    const { done } = await visitor.act("enter-code", { code: codeOf(outbox.take(email)) });
    expect(decodeJwt(new URLSearchParams(new URL(String(done)).hash.slice(1)).get("id_token") ?? "")).toMatchObject({
      amr: ["otp"],
      email,
      email_verified: true,
    });
    expect(await userBy(email)).toMatchObject({ connection: "email", email_verified: true });
  });

  test("tells users that they are blocked only after the correct code", async () => {
    const email = newEmail();
    const first = await startLogin(app);
    await first.act("continue", { identifier: email });
    await first.act("enter-code", { code: codeOf(outbox.take(email)) });
    const { user_id: userId } = await userBy(email);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(String(userId))}`, { blocked: true });
    const visitor = await startLogin(app);
    expect(await visitor.act("continue", { identifier: email })).toMatchObject({ name: "code" });
    expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toMatchObject({ problem: "blocked" });
  });

  test("a database connection with codes offers both, and a throttled password does not affect the code", async () => {
    const options = { passwordPolicy: "none", authentication_methods: { email_otp: { enabled: true } } };
    await service.manage.create("/api/v2/connections", { name: "BothWays", strategy: "auth0", options });
    const email = newEmail();
    await service.manage.create("/api/v2/users", { connection: "BothWays", email, password, email_verified: true });
    const visitor = await startLogin(service.spa, { connection: "BothWays" });
    expect(await visitor.act("continue", { identifier: email })).toMatchObject({ name: "password", code: "email", reset: true });
    for (let i = 0; i < 3; i++) await visitor.act("sign-in", { password: `wrong ${i}` });
    expect(await visitor.act("sign-in", { password })).toMatchObject({ problem: "too-many-attempts" });
    expect(await visitor.act("send-code")).toMatchObject({ name: "code", usePassword: true });
    expect(await visitor.act("use-password")).toMatchObject({ name: "password" });
    expect(await visitor.act("send-code")).toMatchObject({ name: "code" });
    expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toHaveProperty("done");
    const cleared = await startLogin(service.spa, { connection: "BothWays" });
    await cleared.act("continue", { identifier: email });
    expect(await cleared.act("sign-in", { password })).toHaveProperty("done");
  });
});

describe("the link in a mail with a code", () => {
  let app: App;
  let email: string;
  let browser: Browser;
  let link: URL;

  beforeAll(async () => {
    const { id } = await service.manage.create("/api/v2/connections", { name: "links", strategy: "email" });
    app = await service.register({ initiate_login_uri: "https://app.example.test/login" });
    expect((await service.manage("PATCH", `/api/v2/clients/${app.clientId}/connections`, [id])).status).toBe(200);
  });

  beforeEach(async () => {
    email = newEmail();
    browser = service.browser();
    await (await startLogin(app, {}, browser)).act("continue", { identifier: email });
    link = new URL(outbox.take(email).link ?? "");
  });

  const look = (from: Browser): Promise<Response> => from.get(link.pathname + link.search);
  const submitForm = async (from: Browser): Promise<Response> => {
    const form = Object.fromEntries(link.searchParams);
    return from.post("/u/code", { form });
  };

  test("completes the login in the browser that started it, even after others opened the link", async () => {
    for (const scanner of [service.browser(), service.browser()]) {
      const page = await look(scanner);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain(email);
      expect(text).toContain("You started in another browser.");
    }
    expect(await (await look(browser)).text()).not.toContain("You started in another browser.");
    expect((await submitForm(browser)).headers.get("location")).toContain(`${app.redirectUri}?code=`);
    // A second click gets the same response. A later visit shows that sign-in is finished.
    expect((await submitForm(browser)).headers.get("location")).toContain(`${app.redirectUri}?code=`);
    service.clock.advance("5s");
    expect((await submitForm(browser)).headers.get("location")).toContain("/u/login?");
  });

  test("signs the user in in another browser, which then starts a new authorization request", async () => {
    const phone = service.browser();
    expect((await submitForm(phone)).headers.get("location")).toBe("https://app.example.test/login");
    expect((await sendAuthorization(phone, app)).kind).toBe("response");
    expect((await sendAuthorization(browser, app)).kind).toBe("login");
  });

  test("is valid once, and shows that it was used", async () => {
    await submitForm(service.browser());
    const result = await submitForm(service.browser());
    expect(result.headers.get("location")).toContain("problem=used");
    const page = await service.browser().get(String(result.headers.get("location")).slice(service.postern.issuer.length - 1));
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining(email)]);
  });

  test("has no effect if its form comes from another site or contains another code", async () => {
    const stranger = service.browser();
    const form = Object.fromEntries(link.searchParams);
    const foreign = await stranger.post("/u/code", { form, headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
    const other = await stranger.post("/u/code", { form: { ...form, code: differentCode(form["code"] ?? "") } });
    expect(other.headers.get("location")).toContain("problem=used");
    expect((await sendAuthorization(stranger, app)).kind).toBe("login");
  });
});

test("sends the owner of a throttled account one mail, and no mail to unknown addresses", async () => {
  const { email } = await service.addUser(newEmail());
  for (const identifier of [email, newEmail()]) {
    const visitor = await startLogin(service.spa);
    await visitor.act("continue", { identifier });
    for (let i = 0; i < 5; i++) await visitor.act("sign-in", { password: `wrong ${i}` });
  }
  expect(outbox.sent.map(({ to, template }) => [to, template])).toEqual([[email, "blocked_account"]]);
});

test("sends a welcome mail after the address is verified, if the tenant has a template for it", async () => {
  const hasWelcomeMail = async (): Promise<string[]> => {
    const email = newEmail();
    const visitor = await startLogin(service.spa, { screen_hint: "signup" });
    await visitor.act("make-account", { email, password });
    await visitor.act("enter-code", { code: codeOf(outbox.take(email)) });
    return outbox.sent.filter(({ to }) => to === email).map(({ template }) => template);
  };
  expect(await hasWelcomeMail()).toEqual([]);
  const template = { template: "welcome_email", body: "Hello", subject: "Hello", from: "", syntax: "liquid", enabled: true };
  expect((await service.manage("POST", "/api/v2/email-templates", template)).status).toBe(200);
  expect(await hasWelcomeMail()).toEqual(["welcome_email"]);
});
