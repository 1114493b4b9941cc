import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RateLimitDecision } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { auditEvents, expectError, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";
import type { Browser } from "../support/browser.ts";
import { sendAuthorization, login, loginState, openService, tokens, randomString, type App, type LoginService } from "../support/flow.ts";
import { codeOf, createOutbox, differentCode, typedInScript, type Outbox } from "../support/outbox.ts";
import { stores } from "./stores.ts";

const otpGrant = "http://auth0.com/oauth/grant-type/passwordless/otp";
const databaseName = "Username-Password-Authentication";
const owner = "203.0.113.1";
const others = ["198.51.100.1", "198.51.100.2", "198.51.100.3", "2001:db8:a::1", "2001:db8:b::1", "2001:db8:c::1"];

/**
 * The limits for an attacker who knows an email address and a public client id: "Budgets" in
 * docs/design/accounts-and-messages.md.
 */
describe.each(stores)("limits on codes and messages, on $name", ({ open }) => {
  let data: DataAdapter;
  let outbox: Outbox;
  let service: LoginService;
  let app: App;
  let email: string;

  beforeAll(async () => {
    data = await open();
    outbox = createOutbox();
    // The tests set the client address in `x-forwarded-for`.
    const trustedProxies = ["192.0.2.0/24"];
    service = await openService({ data, trustedProxies, messages: { mail: outbox.mail, sms: outbox.sms } });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    app = await service.register({ grant_types: [otpGrant, "authorization_code", "refresh_token"] });
  });
  afterAll(() => data.close?.());
  beforeEach(() => {
    email = `${randomString().toLowerCase()}@example.test`;
    service.clock.advance("4h");
  });

  const from = (ip: string): { readonly "x-forwarded-for": string } => ({ "x-forwarded-for": ip });
  const start = (ip: string, more: object = {}): Promise<ApiResponse> =>
    service.call("POST", "/passwordless/start", {
      body: { client_id: app.clientId, connection: "email", email, send: "code", ...more },
      headers: from(ip),
    });
  const redeem = (ip: string, otp: string, more: { readonly [name: string]: string } = {}): Promise<ApiResponse> =>
    service.exchange({ grant_type: otpGrant, client_id: app.clientId, username: email, otp, realm: "email", ...more }, from(ip));
  const sentTo = (to: string): number => outbox.sent.filter((message) => message.to === to).length;

  test("sends ten codes for 64 parallel requests", async () => {
    const responses = await Promise.all(Array.from({ length: 64 }, (_, i) => start(others[i % 6] ?? owner)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 429, "TOO_MANY_REQUESTS");
      expect(response.headers.get("retry-after")).toBe("600");
    }
    expect(sentTo(email)).toBe(10);
  });

  test("a code that the owner requested at the API keeps its five attempts after 100 requests and 100 wrong guesses by others", async () => {
    jsonBody(await start(owner));
    const code = codeOf(outbox.take(email));
    const attack = Array.from({ length: 100 }, (_, i) => others[i % 6] ?? "");
    await Promise.all(attack.flatMap((ip) => [start(ip), redeem(ip, differentCode(code))]));
    for (let i = 0; i < 4; i++) expectError(await redeem(owner, differentCode(code)), 400, "invalid_grant");
    tokens(await redeem(owner, code));
  });

  test("a code that the owner requested on the login page keeps its five attempts after 100 requests and 100 wrong guesses by others", async () => {
    await redeemFirst();
    const browser = service.browser();
    const visitor = await startLogin(browser);
    expect(await visitor.act("continue", { identifier: email })).toMatchObject({ name: "code" });
    const code = codeOf(outbox.take(email));
    const attack = Array.from({ length: 100 }, (_, i) => others[i % 6] ?? "");
    await Promise.all(attack.flatMap((ip) => [start(ip), redeem(ip, differentCode(code))]));
    for (let i = 0; i < 4; i++)
      expect(await visitor.act("enter-code", { code: differentCode(code) })).toMatchObject({ problem: "wrong-code" });
    expect(await visitor.act("enter-code", { code })).toHaveProperty("done");
  });

  test("the login page accepts a code in Arabic digits", async () => {
    await redeemFirst();
    const visitor = await startLogin(service.browser());
    await visitor.act("continue", { identifier: email });
    expect(await visitor.act("enter-code", { code: typedInScript(codeOf(outbox.take(email)), "arabic") })).toHaveProperty("done");
  });

  test("a newer code from the same login page replaces the older one", async () => {
    await redeemFirst();
    const visitor = await startLogin(service.browser());
    await visitor.act("continue", { identifier: email });
    const older = codeOf(outbox.take(email));
    await visitor.act("resend-code");
    const newer = codeOf(outbox.take(email));
    expect(await visitor.act("enter-code", { code: older })).toMatchObject({ problem: "wrong-code" });
    expect(await visitor.act("enter-code", { code: newer })).toHaveProperty("done");
  });

  test("sends a code for a browser that signed in before, even after others used up the budget of the email address", async () => {
    await redeemFirst();
    const known = service.browser();
    const first = await startLogin(known);
    await first.act("continue", { identifier: email });
    expect(await first.act("enter-code", { code: codeOf(outbox.take(email)) })).toHaveProperty("done");
    await service.manage("DELETE", `/api/v2/users/${encodeURIComponent(await userId())}/sessions`);
    outbox.sent.length = 0;
    await Promise.all(Array.from({ length: 60 }, (_, i) => start(others[i % 6] ?? "")));
    for (let i = 0; i < 20; i++) await redeem(others[i % 6] ?? "", "000000");
    outbox.sent.length = 0;

    const stranger = await startLogin(service.browser());
    expect(await stranger.act("continue", { identifier: email })).toMatchObject({ problem: "too-many-codes" });
    const visitor = await startLogin(known, { prompt: "login" });
    expect(await visitor.act("continue", { identifier: email })).toMatchObject({ name: "code" });
    expect(await visitor.act("enter-code", { code: codeOf(outbox.take(email)) })).toHaveProperty("done");
  });

  test("does not treat the browser of an attacker who signed up with another user's address as known", async () => {
    const attacker = service.browser();
    const mark = [...attacker.cookies.keys()];
    expect(mark).toEqual([]);
    const account = await service.manage.create("/api/v2/users", { connection: databaseName, email, password: "correct horse battery" });
    await login(attacker, service.spa, { email, password: "correct horse battery", userId: stringMember(account, "user_id") });
    const before = [...attacker.cookies].find(([name]) => name.includes("accounts"))?.[1];
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(stringMember(account, "user_id"))}`, { email_verified: true });
    const nextBrowser = service.browser();
    await login(nextBrowser, service.spa, { email, password: "correct horse battery", userId: stringMember(account, "user_id") });
    expect([...nextBrowser.cookies].find(([name]) => name.includes("accounts"))?.[1]).not.toBe(before);
  });

  test("sends five password reset links for 64 parallel requests", async () => {
    await service.addUser(email);
    const body = { client_id: app.clientId, connection: databaseName, email };
    const responses = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        service.call("POST", "/dbconnections/change_password", { body, headers: from(others[i % 6] ?? "") }),
      ),
    );
    expect(new Set(responses.map(({ status, body: sentence }) => `${status} ${String(sentence)}`)).size).toBe(1);
    expect(sentTo(email)).toBe(5);
  });

  test("sends no reset mail for a username once its email address received ten messages, and does not reveal this", async () => {
    // Connection names and usernames allow fewer characters than the random text contains.
    const letters = (): string =>
      randomString()
        .toLowerCase()
        .replaceAll(/[^a-z]/g, "x");
    const [connection, username] = [`named-${letters()}`, letters()];
    const options = { requires_username: true, passwordPolicy: "none" };
    await service.manage.create("/api/v2/connections", { name: connection, strategy: "auth0", options });
    await service.manage.create("/api/v2/users", { connection, username, email, password: "correct horse battery" });
    const reset = async (identifier: string): Promise<JsonBody> => {
      const visitor = await startLogin(service.browser(), { connection });
      await visitor.act("continue", { identifier });
      await visitor.act("forgot-password");
      return visitor.act("send-reset", { identifier });
    };
    expect(await reset(username)).toMatchObject({ name: "code" });
    for (let i = 0; i < 9; i++) expect(await reset(email)).toMatchObject({ name: "code" });
    expect(sentTo(email)).toBe(10);
    expect(await reset(email)).toMatchObject({ problem: "too-many-codes" });
    expect(await reset(username)).toMatchObject({ name: "code" });
    expect(sentTo(email)).toBe(10);
  });

  test("sends at most ten mails to the owner of an email address for parallel sign-ups", async () => {
    const body = { client_id: app.clientId, connection: databaseName, email, password: "Correct-horse-7" };
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => service.call("POST", "/dbconnections/signup", { body, headers: from(others[i % 6] ?? "") })),
    );
    expect(sentTo(email)).toBeLessThanOrEqual(10);
    expect(sentTo(email)).toBeGreaterThan(0);
  });

  test("counts invitations and verification mails that the Management API sends, and responds with 429 above the limit", async () => {
    const { id } = await service.manage.create("/api/v2/organizations", { name: `o-${randomString().toLowerCase()}` });
    const invite = () =>
      service.manage("POST", `/api/v2/organizations/${String(id)}/invitations`, {
        inviter: { name: "Ada" },
        invitee: { email },
        client_id: app.clientId,
      });
    const responses = await Promise.all(Array.from({ length: 16 }, invite));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(sentTo(email)).toBe(10);
    const { userId: user_id } = await service.addUser(email);
    expectError(await service.manage("POST", "/api/v2/jobs/verification-email", { user_id }), 429, "TOO_MANY_REQUESTS");
    // A rejected invitation is not stored.
    const { body } = await service.manage("GET", `/api/v2/organizations/${String(id)}/invitations`);
    expect(body).toHaveLength(10);
  });

  describe("the header auth0-forwarded-for", () => {
    let backend: { readonly clientId: string; readonly trusted: boolean }[];
    beforeAll(async () => {
      backend = [];
      for (const trusted of [true, false]) {
        const settings = { grant_types: [otpGrant], is_token_endpoint_ip_header_trusted: trusted };
        backend.push({ clientId: (await service.register({ secret: true, ...settings })).clientId, trusted });
      }
    });
    const events = async (): Promise<JsonBody[]> => {
      service.clock.advance("5s");
      return [...(await auditEvents(service.manage, "cls"))];
    };

    test("is applied for a trusted confidential client that authenticates, and for no other client", async () => {
      for (const { clientId: client_id, trusted } of backend) {
        for (const authenticated of [true, false]) {
          const body = {
            client_id,
            connection: "email",
            email,
            send: "code",
            ...(authenticated && { client_secret: clientSecret }),
          };
          const headers = { ...from("192.0.2.50"), "auth0-forwarded-for": `${owner}:51234` };
          jsonBody(await service.call("POST", "/passwordless/start", { body, headers: { ...headers, "x-forwarded-for": "203.0.113.99" } }));
          outbox.sent.length = 0;
          expect((await events())[0]).toMatchObject({ ip: trusted && authenticated ? owner : "203.0.113.99" });
        }
      }
    });

    test("binds a code to the user's IP address, so that another user of the same backend does not use up its attempts", async () => {
      const [{ clientId: client_id } = { clientId: "" }] = backend;
      const of = (user: string) => ({ ...from("203.0.113.99"), "auth0-forwarded-for": user });
      const body = { client_id, client_secret: clientSecret, connection: "email", email, send: "code" };
      jsonBody(await service.call("POST", "/passwordless/start", { body, headers: of(owner) }));
      const code = codeOf(outbox.take(email));
      const guess = (user: string, otp: string): Promise<ApiResponse> =>
        service.exchange({ grant_type: otpGrant, client_id, client_secret: clientSecret, username: email, otp, realm: "email" }, of(user));
      for (let i = 0; i < 9; i++) expectError(await guess(others[0] ?? "", differentCode(code)), 400, "invalid_grant");
      tokens(await guess(owner, code));
    });
  });

  test("without a rate limiter, allows a hundred messages in ten minutes for a known client address and any number for an unknown one", async () => {
    const to = (i: number): string => `${i}-${email}`;
    const many = async (ip: string): Promise<number> => {
      const responses: ApiResponse[] = [];
      for (let i = 0; i < 103; i++) responses.push(await start(ip, { email: to(i), connection: "email" }));
      return responses.filter(({ status }) => status === 200).length;
    };
    expect(await many("2001:db8:d::1")).toBe(100);
    // This address is in the same network.
    expectError(await start("2001:db8:d::2", { email: to(200) }), 429, "TOO_MANY_REQUESTS");
    expect(await many("unknown")).toBe(103);
    service.clock.advance("10m");
    jsonBody(await start("2001:db8:d::1", { email: to(201) }));
  });

  test("without a rate limiter, allows a hundred messages in ten minutes to a range of phone numbers", async () => {
    let sent = 0;
    for (let i = 0; i < 103; i++) {
      const response = await start(`198.18.0.${i + 1}`, {
        connection: "sms",
        phone_number: `+88216000${String(i).padStart(4, "0")}`,
        email: undefined,
      });
      if (response.status === 200) sent++;
    }
    expect(sent).toBe(100);
  });

  /** Creates the account, so that its connection sends codes. */
  async function redeemFirst(): Promise<void> {
    jsonBody(await start(owner));
    tokens(await redeem(owner, codeOf(outbox.take(email))));
  }

  async function userId(): Promise<string> {
    const { body } = await service.manage("GET", `/api/v2/users-by-email?email=${encodeURIComponent(email)}`);
    const [user] = body as JsonBody[];
    return stringMember(jsonBody({ status: 200, headers: new Headers(), body: user }), "user_id");
  }

  /** Starts a login with the passwordless connection in the flow API. */
  async function startLogin(browser: Browser, requested = {}): Promise<{ act(action: string, fields?: object): Promise<JsonBody> }> {
    const state = loginState(await sendAuthorization(browser, app, { connection: "email", ...requested }));
    const look = async (): Promise<JsonBody> => (await (await browser.get(`/u/flow?${new URLSearchParams({ state })}`)).json()) as JsonBody;
    let csrf = stringMember(await look(), "csrf");
    return {
      act: async (action, fields = {}) => {
        const response = await browser.post("/u/flow", { json: { state, csrf, action, ...fields } });
        const reply = response.status === 200 ? ((await response.json()) as JsonBody) : await look();
        csrf = stringMember(reply, "csrf");
        const { screen, redirect_to: done } = reply;
        return screen === undefined ? { done } : (screen as JsonBody);
      },
    };
  }
});

describe("a connection's codes", () => {
  test.each<[object, number]>([
    [{ length: 4 }, 400],
    [{ length: 4, time_step: 60 }, 400],
    [{ length: 4, time_step: 80_000 }, 201],
    [{ length: 5, time_step: 60 }, 201],
    [{ length: 6, time_step: 60 }, 201],
  ])("responds to code options %j with %i: short codes could be guessed within a day", async (totp, status) => {
    const service = await openService();
    const response = await service.manage("POST", "/api/v2/connections", { name: "brief", strategy: "email", options: { totp } });
    expect(response.status).toBe(status);
    if (status === 400) expect(JSON.stringify(response.body)).toContain("'options.totp.length' must be at least 5");
  });

  test("sends longer codes for a stored code length that is too short", async () => {
    const outbox = createOutbox();
    const service = await openService({ messages: { mail: outbox.mail } });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    const where = { tenant_id: "main", name: "email" };
    await service.data.collections.connections.update(where, { set: { options: { totp: { length: 4, time_step: 60 } } } });
    service.clock.advance("6s");
    const app = await service.register({ grant_types: [otpGrant] });
    const body = { client_id: app.clientId, connection: "email", email: "mira@example.test", send: "code" };
    jsonBody(await service.call("POST", "/passwordless/start", { body }));
    expect(codeOf(outbox.take("mira@example.test"))).toMatch(/^\d{5}$/);
  });
});

describe("the host's rate limiter", () => {
  const consumed: string[] = [];
  let decide: (scope: string) => Promise<RateLimitDecision | undefined>;
  const opened = async () => {
    const outbox = createOutbox();
    consumed.length = 0;
    const service = await openService({
      messages: { mail: outbox.mail, sms: outbox.sms },
      rateLimiter: {
        consume: (scope, key) => {
          consumed.push(`${scope} ${key}`);
          return decide(scope);
        },
      },
    });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    await service.manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
    const app = await service.register({ grant_types: [otpGrant] });
    const start = (more: object): Promise<ApiResponse> =>
      service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, send: "code", ...more } });
    return { outbox, service, start };
  };

  test("is called with the client address and with the destination prefix before a message is sent", async () => {
    decide = async () => ({ allowed: true });
    const { start } = await opened();
    jsonBody(await start({ connection: "email", email: "Mira@Example.test" }));
    jsonBody(await start({ connection: "sms", phone_number: "+4915112345678" }));
    expect(consumed).toEqual([
      "message-address main:192.0.2.1",
      "message-destination main:email:example.test",
      "message-address main:192.0.2.1",
      "message-destination main:sms:491511",
    ]);
  });

  test.each(["message-address", "message-destination"])("rejects a request that exceeds %s, and sends nothing", async (rejected) => {
    decide = async (scope) => ({ allowed: scope !== rejected, retryAfterSeconds: 17 });
    const { start, outbox, service } = await opened();
    const response = await start({ connection: "email", email: "mira@example.test" });
    expectError(response, 429, "TOO_MANY_REQUESTS");
    expect(response.headers.get("retry-after")).toBe("17");
    // The limit of a destination depends on the account, so the response does not reveal it. The limit of a client
    // address does not.
    for (const address of [service.ada.email, "unknown@example.test"]) {
      const reset = await service.call("POST", "/dbconnections/change_password", { body: { connection: databaseName, email: address } });
      const page = await service.browser().post("/u/forgot-password", { form: { identifier: address } });
      if (rejected === "message-address") {
        expectError(reset, 429, "TOO_MANY_REQUESTS");
        expect(reset.headers.get("retry-after")).toBe("17");
        expect(page.status).toBe(429);
        expect(await page.text()).not.toContain("sent");
      } else {
        expect([reset.status, page.status]).toEqual([200, 303]);
      }
    }
    expect(outbox.sent).toEqual([]);
  });

  test("allows the message if it throws", async () => {
    decide = async () => Promise.reject(new Error("down"));
    const { start, outbox } = await opened();
    jsonBody(await start({ connection: "email", email: "mira@example.test" }));
    expect(outbox.sent).toHaveLength(1);
  });
});
