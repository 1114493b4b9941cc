import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditEvents, stringMember, type JsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import {
  sendAuthorization,
  claimsOf,
  codeGrant,
  successParameters,
  login,
  loginState,
  openService,
  redirectOf,
  errorParameters,
  signInAtLoginPage,
  submitStep,
  tokens,
  randomString,
  type TestAccount,
  type App,
  type AuthorizationParameters,
  type LoginService,
} from "../support/flow.ts";
import { codeOf, createOutbox, differentCode } from "../support/outbox.ts";

const realm = "Username-Password-Authentication";
const passwordRealm = "http://auth0.com/oauth/grant-type/password-realm";
const origin = "https://app.example.test";

const outbox = createOutbox();
let service: LoginService;
let app: App;
beforeAll(async () => {
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.sms } });
  for (const name of ["email", "sms"]) await service.manage.create("/api/v2/connections", { name, strategy: name });
  app = await service.register({ cross_origin_authentication: true });
});

let browser: Browser;
beforeEach(() => {
  browser = service.browser();
});

function send(body: object, headers: { readonly [name: string]: string } = {}): Promise<Response> {
  const sent = {
    client_id: app.clientId,
    credential_type: passwordRealm,
    realm,
    username: service.ada.email,
    password: service.ada.password,
  };
  return browser.post("/co/authenticate", { json: { ...sent, ...body }, headers: { origin, ...headers } });
}

/** Returns a login ticket. */
async function ticketOf({ email, password }: TestAccount, more: object = {}): Promise<string> {
  const response = await send({ username: email, password, ...more });
  const body = (await response.json()) as JsonBody;
  expect([response.status, body]).toEqual([
    200,
    { login_ticket: expect.any(String), co_verifier: expect.any(String), co_id: expect.any(String) },
  ]);
  return stringMember(body, "login_ticket");
}

async function refusal(response: Response): Promise<{ readonly status: number; readonly error: unknown }> {
  const { error } = (await response.json()) as JsonBody;
  return { status: response.status, error };
}

const authorizeWithTicket = (
  login_ticket: string,
  requested: AuthorizationParameters = {},
  to = app,
): ReturnType<typeof sendAuthorization> => sendAuthorization(browser, to, { login_ticket, realm, ...requested });

describe("a user who authenticated on the application's own page", () => {
  test.each([
    ["by the name of a connection", {}],
    ["at the default directory", { credential_type: "password", realm: undefined }],
  ])("signs in without a page, %s", async (_how, more) => {
    const { code = "" } = successParameters(await authorizeWithTicket(await ticketOf(service.ada, more)));
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: service.ada.userId, amr: ["pwd"] });
    // The browser has a session from then on.
    successParameters(await sendAuthorization(browser, app, { prompt: "none" }));
  });

  test.each<[string, AuthorizationParameters]>([
    ["prompt=none", { prompt: "none" }],
    ["prompt=login", { prompt: "login" }],
    ["max_age=0", { max_age: "0" }],
    ["prompt=select_account", { prompt: "select_account" }],
  ])("gets a response without a page with %s", async (_what, requested) => {
    await login(browser, app, service.bob);
    const { code = "" } = successParameters(await authorizeWithTicket(await ticketOf(service.ada), requested));
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: service.ada.userId });
  });

  test("is prompted for everything else that is required, but for no password", async () => {
    const strange = await service.register({ cross_origin_authentication: true, is_first_party: false });
    const requested = await authorizeWithTicket(await ticketOf(service.ada, { client_id: strange.clientId }), { prompt: "login" }, strange);
    const answer = redirectOf(await submitStep(browser, loginState(requested), { action: "accept" }));
    expect(successParameters(answer)).toHaveProperty("code");
  });

  test("causes audit events, and gets a cookie that binds the browser but is not a session", async () => {
    await ticketOf(service.bob);
    const [event] = await auditEvents(service.manage, "scoa");
    expect(event).toMatchObject({ user_id: service.bob.userId, client_id: app.clientId, connection: realm });
    expect([...browser.cookies.keys()]).toEqual(["__Host-postern_browser_main"]);
    expect(loginState(await sendAuthorization(browser, app))).not.toBe("");
  });
});

describe("a user who entered a code on the application's own page", () => {
  const credential_type = "http://auth0.com/oauth/grant-type/passwordless/otp";

  /** Requests a code and returns the credentials that contain it. */
  async function codeFor(place: { readonly email: string } | { readonly phone_number: string }, clientId = app.clientId): Promise<object> {
    const [to, connection] = "email" in place ? [place.email, "email"] : [place.phone_number, "sms"];
    const sent = await browser.post("/passwordless/start", {
      json: { client_id: clientId, connection, send: "code", ...place },
      headers: { origin },
    });
    expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    return { credential_type, realm: connection, username: to, otp: codeOf(outbox.take(to)), password: undefined };
  }
  const person = (): { readonly email: string } => ({ email: `${randomString().toLowerCase()}@example.test` });

  test.each([
    ["mail", { email: "code@example.test" }, "email|"],
    ["SMS", { phone_number: "+14155552671" }, "sms|"],
  ])("signs in without a page, with %s", async (_how, place, subject) => {
    const ticket = stringMember((await (await send(await codeFor(place))).json()) as JsonBody, "login_ticket");
    const { code = "" } = successParameters(await authorizeWithTicket(ticket));
    const claims = claimsOf(tokens(await service.exchange(codeGrant(app, code))).id);
    expect(claims).toMatchObject({ sub: expect.stringContaining(subject), amr: ["otp"] });
    await expect(authorizeWithTicket(ticket)).resolves.toMatchObject({ kind: "login" });
  });

  test("gets no ticket for a wrong code, or for a code that was already used", async () => {
    const right = await codeFor(person());
    const { otp } = Object(right);
    expect(await refusal(await send({ ...right, otp: differentCode(otp) }))).toEqual({ status: 400, error: "invalid_grant" });
    expect((await send(right)).status).toBe(200);
    expect(await refusal(await send(right))).toEqual({ status: 400, error: "invalid_grant" });
  });

  test("gets no ticket for a code of another client, another email address or a connection that does not accept codes", async () => {
    const other = await service.register({ cross_origin_authentication: true });
    const right = await codeFor(person());
    expect(await refusal(await send({ ...right, client_id: other.clientId }))).toEqual({ status: 400, error: "invalid_grant" });
    expect(await refusal(await send({ ...right, username: person().email }))).toEqual({ status: 400, error: "invalid_grant" });
    for (const wrong of [{ realm }, { realm: "sms" }, { realm: "never" }, { username: "nobody" }]) {
      expect(await refusal(await send({ ...right, ...wrong }))).toEqual({ status: 400, error: "invalid_request" });
    }
    expect((await send(right)).status).toBe(200);
  });
});

describe("a login ticket", () => {
  const isPage = async (requested: ReturnType<typeof sendAuthorization>): Promise<void> => {
    expect(await requested).toMatchObject({ kind: "login", step: "identifier" });
  };

  test("is accepted once, also by 32 parallel requests", async () => {
    const ticket = await ticketOf(service.ada);
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => sendAuthorization(service.browser(browser.cookies), app, { login_ticket: ticket })),
    );
    expect(answers.filter(({ kind }) => kind === "response")).toHaveLength(1);
    await isPage(authorizeWithTicket(ticket));
  });

  test("does not continue the existing session if it is invalid", async () => {
    await login(browser, app, service.bob);
    const requested = await authorizeWithTicket("never");
    const answer = await signInAtLoginPage(browser, requested, service.ada);
    const { code = "" } = successParameters(answer);
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: service.ada.userId });
    expect(errorParameters(await authorizeWithTicket("never", { prompt: "none" }))).toMatchObject({ error: "login_required" });
  });

  test("is rejected in another browser and stays valid in its own", async () => {
    const ticket = await ticketOf(service.ada);
    const own = browser;
    for (const other of [service.browser(), service.browser()]) {
      browser = other;
      await isPage(authorizeWithTicket(ticket));
      await ticketOf(service.bob);
      await isPage(authorizeWithTicket(ticket));
    }
    browser = own;
    successParameters(await authorizeWithTicket(ticket));
  });

  test("is rejected for another client", async () => {
    const other = await service.register({ cross_origin_authentication: true });
    const ticket = await ticketOf(service.ada);
    await isPage(authorizeWithTicket(ticket, {}, other));
    successParameters(await authorizeWithTicket(ticket));
  });

  test("expires after a minute", async () => {
    const ticket = await ticketOf(service.ada);
    service.clock.advance("1m");
    await isPage(authorizeWithTicket(ticket));
  });

  test.each<[string, (userId: string) => Promise<unknown>]>([
    ["got another password", (id) => service.manage("PATCH", `/api/v2/users/${id}`, { password: "Another-horse-8" })],
    ["was blocked", (id) => service.manage("PATCH", `/api/v2/users/${id}`, { blocked: true })],
    ["was deleted", (id) => service.manage("DELETE", `/api/v2/users/${id}`)],
    [
      "was linked to another account",
      async (id) =>
        service.manage("POST", `/api/v2/users/${encodeURIComponent(service.bob.userId)}/identities`, {
          provider: "auth0",
          user_id: decodeURIComponent(id),
        }),
    ],
  ])("is rejected after its account %s", async (_what, change) => {
    const person = await service.addUser(`${randomString()}@example.test`);
    const ticket = await ticketOf(person);
    expect(await change(encodeURIComponent(person.userId))).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
    await isPage(authorizeWithTicket(ticket));
  });

  test("of a linked account signs its user in until the account is unlinked", async () => {
    const [primary, linked] = [
      await service.addUser(`${randomString()}@example.test`),
      await service.addUser(`${randomString()}@example.test`),
    ];
    const identities = `/api/v2/users/${encodeURIComponent(primary.userId)}/identities`;
    expect(await service.manage("POST", identities, { provider: "auth0", user_id: linked.userId })).toMatchObject({ status: 201 });
    const { code = "" } = successParameters(await authorizeWithTicket(await ticketOf(linked)));
    expect(claimsOf(tokens(await service.exchange(codeGrant(app, code))).id)).toMatchObject({ sub: primary.userId });

    browser = service.browser();
    const ticket = await ticketOf(linked);
    const local = linked.userId.slice(linked.userId.indexOf("|") + 1);
    expect(await service.manage("DELETE", `${identities}/auth0/${local}`)).toMatchObject({ status: 200 });
    await isPage(authorizeWithTicket(ticket));
  });

  test("is not stored in readable form", async () => {
    const ticket = await ticketOf(service.ada);
    const rows = await service.data.collections.tickets.find({ where: { tenant_id: "main" }, limit: 500 });
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(ticket);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get("__Host-postern_browser_main"));
  });
});

describe("the ticket endpoint", () => {
  test.each(["https://evil.test", "null", "https://id.example.test", "http://app.example.test", ""])(
    "rejects a request from the origin '%s'",
    async (from) => {
      const before = (await auditEvents(service.manage, "s")).length;
      const response = await send({}, { origin: from });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(await refusal(response)).toEqual({ status: 403, error: "forbidden" });
      // The password was not verified.
      expect((await auditEvents(service.manage, "s")).length).toBe(before);
    },
  );

  test("rejects a client without cross_origin_authentication", async () => {
    expect(await refusal(await send({ client_id: service.spa.clientId }))).toEqual({ status: 403, error: "forbidden" });
  });

  test.each<[string, object, { status: number; error: string }]>([
    ["a wrong password", { password: "wrong" }, { status: 403, error: "INVALID_CREDENTIALS" }],
    ["an unknown user", { username: "nobody@example.test" }, { status: 403, error: "INVALID_CREDENTIALS" }],
    ["an unknown connection", { realm: "never" }, { status: 400, error: "invalid_request" }],
    ["an unknown client", { client_id: "never" }, { status: 401, error: "invalid_client" }],
    ["another credential", { credential_type: "magic" }, { status: 400, error: "invalid_request" }],
    ["a list of passwords", { password: ["x"] }, { status: 400, error: "invalid_request" }],
    ["no username", { username: "" }, { status: 400, error: "invalid_request" }],
  ])("rejects %s", async (_what, sent, expected) => {
    const response = await send(sent);
    if (expected.status !== 401) expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(await refusal(response)).toEqual(expected);
  });

  test("rejects an account whose password logins are throttled, and a blocked account", async () => {
    const person = await service.addUser(`${randomString()}@example.test`);
    for (let failure = 0; failure < 3; failure++) await send({ username: person.email, password: "wrong" });
    expect(await refusal(await send({ username: person.email }))).toEqual({ status: 403, error: "TOO_MANY_FAILED_LOGINS" });
    const blocked = await service.addUser(`${randomString()}@example.test`);
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(blocked.userId)}`, { blocked: true });
    expect(await refusal(await send({ username: blocked.email }))).toEqual({ status: 400, error: "access_denied" });
    expect((await auditEvents(service.manage, "fcoa")).length).toBeGreaterThan(2);
  });
});

test("allows cookies only for requests from the client's origins to this endpoint", async () => {
  const answer = await send({});
  expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
  expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/HttpOnly; Secure; SameSite=None/);
  const requested = { origin, "access-control-request-method": "POST" };
  for (const [path, credentials] of [
    ["/co/authenticate", "true"],
    ["/oauth/token", null],
    ["/dbconnections/signup", null],
  ] as const) {
    const preflight = await service.call("OPTIONS", path, { headers: requested });
    expect([
      preflight.status,
      preflight.headers.get("access-control-allow-origin"),
      preflight.headers.get("access-control-allow-credentials"),
    ]).toEqual([204, origin, credentials]);
  }
});
