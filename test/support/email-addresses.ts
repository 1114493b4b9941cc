import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody, list, stringMember, type JsonBody, type Manager } from "./api.ts";
import { openService, tokens, type App, type LoginService } from "./flow.ts";
import { codeOf, createOutbox, type Outbox } from "./outbox.ts";

const connection = "Username-Password-Authentication";
const password = "Correct-horse-7";
const otpGrant = "http://auth0.com/oauth/grant-type/passwordless/otp";

/** Every character that RFC 5322 allows in an atom, apart from letters and digits. */
const atext = "!#$%&'*+-/=?^_`{|}~";

/** Adds the tests for the spellings of email addresses, for any store. */
export function testEmailAddresses(open: () => Promise<DataAdapter>): void {
  let outbox: Outbox;
  let service: LoginService;
  let manage: Manager;
  let app: App;

  beforeAll(async () => {
    outbox = createOutbox();
    service = await openService({ data: await open(), messages: { mail: outbox.mail } });
    ({ manage } = service);
    await manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    app = await service.register({ grant_types: [otpGrant, "password", "authorization_code"], organization_usage: "allow" });
  });

  const create = (email: string, more: object = {}) => manage("POST", "/api/v2/users", { connection, email, password, ...more });
  const signUp = (email: string) =>
    service.call("POST", "/dbconnections/signup", { body: { client_id: app.clientId, connection, email, password } });
  const signIn = (username: string) =>
    service.exchange({ grant_type: "password", client_id: app.clientId, username, password, scope: "openid" });
  const start = (email: string) =>
    service.call("POST", "/passwordless/start", { body: { client_id: app.clientId, connection: "email", send: "code", email } });
  const redeem = (username: string, otp: string) =>
    service.exchange({ grant_type: otpGrant, client_id: app.clientId, realm: "email", username, otp });
  const found = async (path: string): Promise<readonly unknown[]> => list(await manage("GET", path)).map(({ email }) => email);
  const byEmail = (email: string) => found(`/api/v2/users-by-email?email=${encodeURIComponent(email)}`);
  const byQuery = (email: string) => found(`/api/v2/users?q=${encodeURIComponent(`email:"${email}"`)}`);

  test("users whose addresses differ in one character of RFC 5322 are separate users, and each can sign in", async () => {
    for (const character of atext) {
      const email = `a${character}nn@example.test`;
      expect(jsonBody(await create(email), 201), email).toMatchObject({ email });
    }
    expectError(await create("A&NN@example.test"), 409, "conflict");
    for (const character of atext) {
      const email = `a${character}nn@example.test`;
      expect(await byEmail(email)).toEqual([email]);
      expect(await byQuery(email)).toEqual([email]);
      jsonBody(await signIn(email));
    }
  });

  test("both spellings of an internationalized domain are one address of a user", async () => {
    const [unicode, ascii] = ["Ada@Bücher.example", "ada@xn--bcher-kva.example"];
    const user = jsonBody(await create(unicode), 201);
    expect(user).toMatchObject({ email: ascii });
    const path = `/api/v2/users/${encodeURIComponent(stringMember(user, "user_id"))}`;
    for (const email of [unicode, ascii, "ADA@BÜCHER.EXAMPLE", "ada@XN--BCHER-KVA.example"]) {
      expectError(await create(email), 409, "conflict");
      expect(await byEmail(email)).toEqual([ascii]);
      expect(await byQuery(email)).toEqual([ascii]);
      jsonBody(await signIn(email));
      const { body } = await manage("GET", `/api/v2/user-blocks?identifier=${encodeURIComponent(email)}`);
      expect(body).toEqual({ blocked_for: [] });
      expect(jsonBody(await manage("PATCH", path, { email }))).toMatchObject({ email: ascii });
    }
    jsonBody(await service.call("POST", "/dbconnections/signup", { body: { connection, email: "x@example.test", password } }));
    const [other] = list(await manage("GET", `/api/v2/users-by-email?email=x@example.test`));
    const taken = `/api/v2/users/${encodeURIComponent(String(other?.["user_id"]))}`;
    expectError(await manage("PATCH", taken, { email: unicode }), 409, "conflict");
    const reset = { client_id: app.clientId, connection, email: unicode };
    expect((await service.call("POST", "/dbconnections/change_password", { body: reset })).status).toBe(200);
    expect(outbox.take(ascii)).toMatchObject({ template: "reset_email" });
  });

  test.each(["o'neil+a/b=c&d@bücher.example", "`^{|}~@почта.рф"])(
    "%s signs up, and signs in with a code in both spellings",
    async (email) => {
      const ascii = email.replace("bücher", "xn--bcher-kva").replace("почта.рф", "xn--80a1acny.xn--p1ai");
      expect(jsonBody(await signUp(email))).toMatchObject({ email: ascii });
      expect(await signUp(ascii)).toMatchObject({ status: 400, body: { error: "invalid_signup" } });
      jsonBody(await signIn(ascii));
      for (const [requested, redeemed] of [
        [email, ascii],
        [ascii, email],
      ] as const) {
        jsonBody(await start(requested));
        tokens(await redeem(redeemed, codeOf(outbox.take(ascii))));
      }
      expect(await byEmail(email)).toEqual([ascii, ascii]);
    },
  );

  test("an invitation, a factor, an enrollment ticket and the support address accept each spelling", async () => {
    const email = "r&d/ops=1@bücher.example";
    const ascii = "r&d/ops=1@xn--bcher-kva.example";
    const organization = stringMember(await manage.create("/api/v2/organizations", { name: "bookshop" }), "id");
    const invitation = { inviter: { name: "Ann" }, invitee: { email }, client_id: app.clientId };
    expect(await manage.create(`/api/v2/organizations/${organization}/invitations`, invitation)).toMatchObject({
      invitee: { email: ascii },
    });
    const userId = stringMember(jsonBody(await create(email), 201), "user_id");
    jsonBody(await manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true }));
    const ticket = await manage("POST", "/api/v2/guardian/enrollments/ticket", { user_id: userId, email });
    expect(ticket.status).toBe(200);
    const factors = `/api/v2/users/${encodeURIComponent(userId)}/authentication-methods`;
    expect(await manage.create(factors, { type: "email", email })).toMatchObject({ email: ascii });
    expect(jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { support_email: email }))).toMatchObject({ support_email: ascii });
  });

  test("an import creates one user for both spellings", async () => {
    const users: readonly JsonBody[] = [
      { email: "im=port@bücher.example", user_id: "im1" },
      { email: "IM=port@xn--bcher-kva.example", user_id: "im2" },
    ];
    const [database] = list(await manage("GET", `/api/v2/connections?name=${connection}`));
    const form = new FormData();
    form.append("users", new Blob([JSON.stringify(users)], { type: "application/json" }));
    form.append("connection_id", String(database?.["id"]));
    const encoded = new Response(form);
    const response = await service.postern.fetch(
      new Request(`${service.postern.issuer}api/v2/jobs/users-imports`, {
        method: "POST",
        headers: { authorization: `Bearer ${await service.token()}`, "content-type": encoded.headers.get("content-type") ?? "" },
        body: await encoded.arrayBuffer(),
      }),
    );
    expect(await response.json()).toMatchObject({ summary: { inserted: 1, failed: 1 } });
    expect(await byEmail("im=port@bücher.example")).toEqual(["im=port@xn--bcher-kva.example"]);
  });
}
