import { expectStatus, jsonObject, textMember, type HttpResponse } from "./response.ts";
import { NotApplicableToService, type Fixture } from "./definition.ts";
import { createTestUser, type IsolationUser } from "./users.ts";
import { createClientAssertion, publicKeyPem } from "./client-assertion.ts";
import type { Artifact } from "./replay-artifact.ts";
import type { ConnectedTenant } from "./tenant-access.ts";
import { authorizationQuery, startUserLogin, browse, createClient, exchangeCode, signInUser, type TestClient } from "./browser-flows.ts";

/** An artifact that the owner tenant issued, and a check that the artifact is valid in this tenant. */
export interface OwnedArtifact {
  readonly artifact: Artifact;
  /** The email address of the user to whom the artifact was issued. */
  readonly email: string;
  /** Rejects if the artifact is not valid in the owner tenant. */
  readonly check: () => Promise<unknown>;
}

/** Creates a client and a user, and signs the user in. */
async function signInNewUser(
  owner: ConnectedTenant,
): Promise<{ readonly client: TestClient; readonly user: IsolationUser; readonly code: string }> {
  const [client, user, cookies] = [await createClient(owner), await createTestUser(owner), new Map<string, string>()];
  return { client, user, code: await signInUser(owner, cookies, await startUserLogin(owner, cookies, client), user) };
}

async function expectWorking(what: string, response: Promise<HttpResponse>, status = 200): Promise<HttpResponse> {
  return expectStatus(await response, status, `${what} does not work in its own tenant`);
}

/** Introspects a token with the credentials of a client. */
const introspect = ({ call }: ConnectedTenant, clientAuthentication: object, token: string): Promise<HttpResponse> =>
  call("POST", "/oauth/introspect", { body: { token, ...clientAuthentication } });

const credentialsOf = ({ clientId, secret }: TestClient) => ({ client_id: clientId, client_secret: secret });

/** The functions that let the owner tenant issue an artifact, by the kind of the artifact. */
export const artifacts: { readonly [kind: string]: (fixture: Fixture) => Promise<OwnedArtifact> } = {
  "authorization code": async ({ owner }) => {
    const { client, user, code } = await signInNewUser(owner);
    return { artifact: { values: [code] }, email: user.email, check: () => exchangeCode(owner, client, code) };
  },
  "refresh token": async ({ owner }) => {
    const { client, user, code } = await signInNewUser(owner);
    const token = textMember(await exchangeCode(owner, client, code), "refresh_token");
    const check = () =>
      expectWorking(
        "the refresh token",
        owner.call("POST", "/oauth/token", { body: { ...credentialsOf(client), grant_type: "refresh_token", refresh_token: token } }),
      );
    return { artifact: { values: [token] }, email: user.email, check };
  },
  "access token": async ({ owner }) => {
    const { client, user, code } = await signInNewUser(owner);
    const token = textMember(await exchangeCode(owner, client, code), "access_token");
    const type = "urn:ietf:params:oauth:token-type:access_token";
    const check = () => expectWorking("the access token", owner.call("GET", "/userinfo", { token }));
    return { artifact: { values: [token, await owner.token()], with: { subject_token_type: type } }, email: user.email, check };
  },
  "ID token": async ({ owner }) => {
    const { client, user, code } = await signInNewUser(owner);
    const token = textMember(await exchangeCode(owner, client, code), "id_token");
    const query = `?${new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: "https://app.example.test/bye" })}`;
    const check = () => expectWorking("the ID token", owner.call("GET", "/oidc/logout", { query }), 303);
    return { artifact: { values: [token] }, email: user.email, check };
  },
  "client id and secret": async ({ owner }) => {
    const client = await createClient(owner);
    const check = async () => expectWorking("the client", introspect(owner, credentialsOf(client), "x"));
    return {
      artifact: { values: [client.clientId, client.secret], with: credentialsOf(client) },
      email: `${owner.newName()}@example.test`,
      check,
    };
  },
  "client assertion": async ({ owner }) => {
    const { clientId } = await createClient(owner);
    const credentials = [{ credential_type: "public_key", pem: await publicKeyPem(), alg: "RS256" }];
    const methods = { private_key_jwt: { credentials } };
    expectStatus(
      await owner.manage("PATCH", `/api/v2/clients/${clientId}`, {
        client_authentication_methods: methods,
        token_endpoint_auth_method: null,
      }),
      200,
      "a client that authenticates with private_key_jwt",
    );
    const clientAuthentication = async () => ({
      client_id: clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await createClientAssertion(owner, clientId),
    });
    const { client_assertion: value, ...along } = await clientAuthentication();
    const check = async () => expectWorking("the client", introspect(owner, await clientAuthentication(), "x"));
    return { artifact: { values: [value], with: along }, email: `${owner.newName()}@example.test`, check };
  },
  "state of a login session": async ({ owner }) => {
    const [client, user, cookies] = [await createClient(owner), await createTestUser(owner), new Map<string, string>()];
    const state = await startUserLogin(owner, cookies, client);
    const query = `?${new URLSearchParams({ state })}`;
    const csrf = textMember(jsonObject(await browse(owner, cookies, "GET", "/u/flow", { query }), 200, "GET /u/flow"), "csrf");
    const check = () => signInUser(owner, cookies, state, user);
    return { artifact: { values: [state, csrf], with: { state, csrf }, cookies }, email: user.email, check };
  },
  "email verification link": async ({ owner }) => {
    const user = await createTestUser(owner, { email_verified: false });
    return ticketArtifact(owner, user, await owner.manage.create("/api/v2/tickets/email-verification", { user_id: user.userId }));
  },
  "password reset link": async ({ owner }) => {
    const user = await createTestUser(owner);
    return ticketArtifact(owner, user, await owner.manage.create("/api/v2/tickets/password-change", { user_id: user.userId }));
  },
  invitation: async ({ owner, ownerRecords }) => {
    const client = await createClient(owner);
    const organization = await ownerRecords.id("/api/v2/organizations/{}");
    const email = `${owner.newName()}@example.test`;
    const made = await owner.manage.create(`/api/v2/organizations/${organization}/invitations`, {
      inviter: { name: owner.newName() },
      invitee: { email },
      client_id: client.clientId,
      send_invitation_email: false,
    });
    const { pathname, search, searchParams } = new URL(textMember(made, "invitation_url"));
    const check = () => expectWorking("the invitation", owner.call("GET", pathname, { query: search }), 303);
    const value = searchParams.get("invitation") ?? "";
    return { artifact: { values: [value], with: { organization, client_id: client.clientId } }, email, check };
  },
  "login ticket of cross-origin authentication": async ({ owner }) => {
    const origin = "https://app.example.test";
    const client = await createClient(owner, { cross_origin_authentication: true, web_origins: [origin], allowed_origins: [origin] });
    const [user, cookies] = [await createTestUser(owner), new Map<string, string>()];
    const body = { client_id: client.clientId, credential_type: "password", username: user.email, password: user.password };
    const response = await browse(owner, cookies, "POST", "/co/authenticate", { body, headers: { origin } });
    const ticket = textMember(jsonObject(response, 200, "POST /co/authenticate"), "login_ticket");
    const check = async () => {
      const response = await browse(owner, cookies, "GET", "/authorize", { query: authorizationQuery(client, { login_ticket: ticket }) });
      const code = new URL(response.headers.get("location") ?? "", owner.issuer).searchParams.get("code");
      return exchangeCode(owner, client, code ?? "");
    };
    return {
      artifact: { values: [ticket], with: { client_id: client.clientId, login_ticket: ticket }, cookies },
      email: user.email,
      check,
    };
  },
  "sign-in link": async (fixture) => {
    const { owner, user, message } = await sendCode(fixture, "link");
    const { pathname, searchParams } = new URL(message.link ?? "");
    const along = Object.fromEntries(searchParams);
    const check = async () => {
      const { headers } = await expectWorking("the link", browse(owner, new Map(), "POST", pathname, { form: along }), 303);
      if (headers.get("location")?.includes("/authorize?") !== true) throw new Error("the sign-in link does not work in its own tenant");
    };
    const values = [searchParams.get("verification_code") ?? ""];
    return { artifact: { values, with: along, unknown: unissuedCode }, email: user.email, check };
  },
  "one-time code": async (fixture) => {
    const { owner, client, user, message } = await sendCode(fixture, "code");
    const along = { realm: "email", connection: "email", username: user.email, email: user.email };
    const code = message.code ?? "";
    const check = () =>
      expectWorking(
        "the code",
        owner.call("POST", "/passwordless/verify", { body: { ...credentialsOf(client), ...along, verification_code: code } }),
      );
    return { artifact: { values: [code], with: along, unknown: unissuedCode }, email: user.email, check };
  },
};

/** Sends a sign-in code or link to a user of the owner tenant. Creates a passwordless connection in both tenants. */
async function sendCode({ owner, stranger, message: read }: Fixture, send: "code" | "link") {
  if (read === undefined) throw new NotApplicableToService("the option 'message' is not set");
  for (const { manage } of [owner, stranger]) {
    const made = await manage("POST", "/api/v2/connections", { name: "email", strategy: "email" });
    if (made.status !== 409) expectStatus(made, 201, "a connection for codes by mail");
  }
  const [client, user] = [await createClient(owner), await createTestUser(owner)];
  const body = { ...credentialsOf(client), connection: "email", email: user.email, send };
  expectStatus(await owner.call("POST", "/passwordless/start", { body }), 200, "POST /passwordless/start");
  return { owner, client, user, message: await read(user.email) };
}

/** Returns another code with the same number of digits. */
const unissuedCode = (code: string): string => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 5) % 10));

async function ticketArtifact(
  owner: ConnectedTenant,
  { email }: IsolationUser,
  made: { readonly [name: string]: unknown },
): Promise<OwnedArtifact> {
  const { pathname, search, searchParams } = new URL(textMember(made, "ticket"));
  const check = () => expectWorking("the link", owner.call("GET", pathname, { query: search }));
  return { artifact: { values: [searchParams.get("ticket") ?? ""] }, email, check };
}
