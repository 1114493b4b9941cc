import { expectStatus, objectOf, textOf, type Answer } from "./answer.ts";
import { NotApplicable, type Room } from "./definition.ts";
import { newPerson, type Person } from "./people.ts";
import { newAssertion, publicKeyPem } from "./proof.ts";
import type { Thing } from "./replay-at.ts";
import type { Party } from "./tenant-access.ts";
import { authorization, beginLogin, browse, newApp, redeem, signIn, type App } from "./visit.ts";

/** A thing of the owner's, with what shows that it is good in its own tenant. */
export interface Owned {
  readonly thing: Thing;
  /** The address of the person whose it is. */
  readonly email: string;
  /** Fails unless it is good where it was made. */
  readonly check: () => Promise<unknown>;
}

/** An app of the owner's with somebody who has just signed in to it. */
async function signedIn(owner: Party): Promise<{ readonly app: App; readonly person: Person; readonly code: string }> {
  const [app, person, cookies] = [await newApp(owner), await newPerson(owner), new Map<string, string>()];
  return { app, person, code: await signIn(owner, cookies, await beginLogin(owner, cookies, app), person) };
}

async function good(what: string, answer: Promise<Answer>, status = 200): Promise<Answer> {
  return expectStatus(await answer, status, `${what} does not work in its own tenant`);
}

/** What asks the owner about a token, as the app that it belongs to. */
const introspect = ({ call }: Party, proof: object, token: string): Promise<Answer> =>
  call("POST", "/oauth/introspect", { body: { token, ...proof } });

const proofOf = ({ clientId, secret }: App) => ({ client_id: clientId, client_secret: secret });

/** By kind. */
export const things: { readonly [kind: string]: (room: Room) => Promise<Owned> } = {
  "authorization code": async ({ owner }) => {
    const { app, person, code } = await signedIn(owner);
    return { thing: { values: [code] }, email: person.email, check: () => redeem(owner, app, code) };
  },
  "refresh token": async ({ owner }) => {
    const { app, person, code } = await signedIn(owner);
    const token = textOf(await redeem(owner, app, code), "refresh_token");
    const check = () =>
      good(
        "the refresh token",
        owner.call("POST", "/oauth/token", { body: { ...proofOf(app), grant_type: "refresh_token", refresh_token: token } }),
      );
    return { thing: { values: [token] }, email: person.email, check };
  },
  "access token": async ({ owner }) => {
    const { app, person, code } = await signedIn(owner);
    const token = textOf(await redeem(owner, app, code), "access_token");
    const type = "urn:ietf:params:oauth:token-type:access_token";
    const check = () => good("the access token", owner.call("GET", "/userinfo", { token }));
    return { thing: { values: [token, await owner.token()], with: { subject_token_type: type } }, email: person.email, check };
  },
  "ID token": async ({ owner }) => {
    const { app, person, code } = await signedIn(owner);
    const token = textOf(await redeem(owner, app, code), "id_token");
    const query = `?${new URLSearchParams({ id_token_hint: token, post_logout_redirect_uri: "https://app.example.test/bye" })}`;
    const check = () => good("the ID token", owner.call("GET", "/oidc/logout", { query }), 303);
    return { thing: { values: [token] }, email: person.email, check };
  },
  "client id and secret": async ({ owner }) => {
    const app = await newApp(owner);
    const check = async () => good("the client", introspect(owner, proofOf(app), "x"));
    return { thing: { values: [app.clientId, app.secret], with: proofOf(app) }, email: `${owner.newName()}@example.test`, check };
  },
  "client assertion": async ({ owner }) => {
    const { clientId } = await newApp(owner);
    const credentials = [{ credential_type: "public_key", pem: await publicKeyPem(), alg: "RS256" }];
    const methods = { private_key_jwt: { credentials } };
    expectStatus(
      await owner.manage("PATCH", `/api/v2/clients/${clientId}`, {
        client_authentication_methods: methods,
        token_endpoint_auth_method: null,
      }),
      200,
      "a client that proves itself by a key",
    );
    const proof = async () => ({
      client_id: clientId,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await newAssertion(owner, clientId),
    });
    const { client_assertion: value, ...along } = await proof();
    const check = async () => good("the client", introspect(owner, await proof(), "x"));
    return { thing: { values: [value], with: along }, email: `${owner.newName()}@example.test`, check };
  },
  "state of a login": async ({ owner }) => {
    const [app, person, cookies] = [await newApp(owner), await newPerson(owner), new Map<string, string>()];
    const state = await beginLogin(owner, cookies, app);
    const query = `?${new URLSearchParams({ state })}`;
    const csrf = textOf(objectOf(await browse(owner, cookies, "GET", "/u/flow", { query }), 200, "GET /u/flow"), "csrf");
    const check = () => signIn(owner, cookies, state, person);
    return { thing: { values: [state, csrf], with: { state, csrf }, cookies }, email: person.email, check };
  },
  "link that verifies an address": async ({ owner }) => {
    const person = await newPerson(owner, { email_verified: false });
    return linkOf(owner, person, await owner.manage.create("/api/v2/tickets/email-verification", { user_id: person.userId }));
  },
  "link that sets a password": async ({ owner }) => {
    const person = await newPerson(owner);
    return linkOf(owner, person, await owner.manage.create("/api/v2/tickets/password-change", { user_id: person.userId }));
  },
  invitation: async ({ owner, theirs }) => {
    const app = await newApp(owner);
    const organization = await theirs.id("/api/v2/organizations/{}");
    const email = `${owner.newName()}@example.test`;
    const made = await owner.manage.create(`/api/v2/organizations/${organization}/invitations`, {
      inviter: { name: owner.newName() },
      invitee: { email },
      client_id: app.clientId,
      send_invitation_email: false,
    });
    const { pathname, search, searchParams } = new URL(textOf(made, "invitation_url"));
    const check = () => good("the invitation", owner.call("GET", pathname, { query: search }), 303);
    const value = searchParams.get("invitation") ?? "";
    return { thing: { values: [value], with: { organization, client_id: app.clientId } }, email, check };
  },
  "ticket of a password that an app's own page asked for": async ({ owner }) => {
    const origin = "https://app.example.test";
    const app = await newApp(owner, { cross_origin_authentication: true, web_origins: [origin], allowed_origins: [origin] });
    const [person, cookies] = [await newPerson(owner), new Map<string, string>()];
    const body = { client_id: app.clientId, credential_type: "password", username: person.email, password: person.password };
    const asked = await browse(owner, cookies, "POST", "/co/authenticate", { body, headers: { origin } });
    const ticket = textOf(objectOf(asked, 200, "POST /co/authenticate"), "login_ticket");
    const check = async () => {
      const answer = await browse(owner, cookies, "GET", "/authorize", { query: authorization(app, { login_ticket: ticket }) });
      const code = new URL(answer.headers.get("location") ?? "", owner.issuer).searchParams.get("code");
      return redeem(owner, app, code ?? "");
    };
    return { thing: { values: [ticket], with: { client_id: app.clientId, login_ticket: ticket }, cookies }, email: person.email, check };
  },
  "link that signs in": async (room) => {
    const { owner, person, message } = await codeSent(room, "link");
    const { pathname, searchParams } = new URL(message.link ?? "");
    const along = Object.fromEntries(searchParams);
    const check = async () => {
      const { headers } = await good("the link", browse(owner, new Map(), "POST", pathname, { form: along }), 303);
      if (headers.get("location")?.includes("/authorize?") !== true) throw new Error("the link does not work in its own tenant");
    };
    const values = [searchParams.get("verification_code") ?? ""];
    return { thing: { values, with: along, unknown: otherCode }, email: person.email, check };
  },
  "one-time code": async (room) => {
    const { owner, app, person, message } = await codeSent(room, "code");
    const along = { realm: "email", connection: "email", username: person.email, email: person.email };
    const code = message.code ?? "";
    const check = () =>
      good("the code", owner.call("POST", "/passwordless/verify", { body: { ...proofOf(app), ...along, verification_code: code } }));
    return { thing: { values: [code], with: along, unknown: otherCode }, email: person.email, check };
  },
};

/** A code that the owner sent to somebody, where the host hands over messages. Both tenants have the way to sign in by it. */
async function codeSent({ owner, stranger, message: read }: Room, send: "code" | "link") {
  if (read === undefined) throw new NotApplicable("the host hands over no messages");
  for (const { manage } of [owner, stranger]) {
    const made = await manage("POST", "/api/v2/connections", { name: "email", strategy: "email" });
    if (made.status !== 409) expectStatus(made, 201, "a connection for codes by mail");
  }
  const [app, person] = [await newApp(owner), await newPerson(owner)];
  const body = { ...proofOf(app), connection: "email", email: person.email, send };
  expectStatus(await owner.call("POST", "/passwordless/start", { body }), 200, "POST /passwordless/start");
  return { owner, app, person, message: await read(person.email) };
}

/** Another code: of six digits, as the one that was sent. */
const otherCode = (code: string): string => code.replaceAll(/\d/g, (digit) => String((Number(digit) + 5) % 10));

async function linkOf(owner: Party, { email }: Person, made: { readonly [name: string]: unknown }): Promise<Owned> {
  const { pathname, search, searchParams } = new URL(textOf(made, "ticket"));
  const check = () => good("the link", owner.call("GET", pathname, { query: search }));
  return { thing: { values: [searchParams.get("ticket") ?? ""] }, email, check };
}
