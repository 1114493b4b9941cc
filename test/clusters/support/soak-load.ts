import { Secret, TOTP } from "otpauth";
import { formAction, formFields } from "../../support/browser.ts";
import type { Facts, LoadRequest, Operation } from "../../bench/operation.ts";
import { clientCredentialsEs256, clientCredentialsRs256 } from "../../bench/operations/client-credentials.ts";
import { userCreation } from "../../bench/operations/create-user.ts";
import { listUsers, listUsersWithTotals } from "../../bench/operations/list-users.ts";
import { tokenRefresh } from "../../bench/operations/refresh.ts";
import { userById } from "../../bench/operations/user-by-id.ts";
import { userinfoRequest } from "../../bench/operations/userinfo.ts";
import { createBrowser, visitor } from "../../bench/visitor.ts";
import { benchApp, benchAuthorization, benchVerifier } from "../../bench/visits.ts";
import type { EventReceiver } from "./event-receiver.ts";
import type { SoakMail, SoakServer } from "./soak-processes.ts";

/** The tenants whose audit events are delivered. */
export const soakTenants = ["main", "es256", "mfa"] as const;

/** A client of the control plane with every scope. */
export const soakManager = { clientId: "soak-manager", secret: "a-client-secret-that-is-long-enough-for-a-soak" } as const;

export interface SoakLoad {
  /**
   * Sends requests for some time, at rates that do not depend on the responses. Then waits for the responses.
   * @param tasks also runs the tasks of {@link SoakLoad.tasks}.
   */
  run(milliseconds: number, tasks: boolean): Promise<void>;
  /** Requests new Management API tokens, and forgets the access tokens of users. Call it after the clock was moved. */
  renewTokens(milliseconds: number): Promise<void>;
  receiveMail(mail: SoakMail): void;
  /** When the log streams began, in milliseconds since 1970. */
  readonly streamsSince: number;
  /** The number of completed operations, by name. */
  readonly operations: ReadonlyMap<string, number>;
  readonly requests: number;
  readonly failures: readonly string[];
  /** The audit events that responses acknowledged, by `<tenant> <type>`. */
  readonly acknowledged: ReadonlyMap<string, number>;
}

/** A login whose tokens are refreshed. Times are offsets of the server's clock in milliseconds. */
interface RefreshableLogin {
  /** The response with the newest refresh token. */
  readonly answer: string;
  readonly signedInAt: number;
  readonly refreshedAt: number;
}

type Body = { readonly [name: string]: unknown };
type Tenant = (typeof soakTenants)[number];

const connection = "Username-Password-Authentication";
const password = "correct horse battery staple";
const otpGrant = "http://auth0.com/oauth/grant-type/mfa-otp";
const passwordGrant = "http://auth0.com/oauth/grant-type/password-realm";
/** Users who sign in with a password. */
const loginUsers = 40;
/** The maximum number of logins whose tokens are refreshed. */
const maximumLogins = 60;
/** The absolute and the idle lifetime of refresh tokens, in milliseconds. */
const refreshLifetime = 10 * 86_400_000;
const unusedLifetime = 5 * 86_400_000;
/** Addresses of visitors. Few enough that per-address limits fill their memory early in the run. */
const addresses = 2000;

/** Creates the users, the clients, the tenant with second factors and the log streams. */
export async function prepareSoakLoad(server: SoakServer, prepared: Facts, receiver: EventReceiver): Promise<SoakLoad> {
  const address = `http://127.0.0.1:${server.port}`;
  const { host } = new URL(prepared.issuer);
  const operations = new Map<string, number>();
  const failures: string[] = [];
  const acknowledged = new Map<string, number>();
  const mails = new Map<string, (link: string) => void>();
  /** The logins whose tokens are refreshed. */
  let logins: RefreshableLogin[] = [];
  /** Tokens of the control plane for child tenants, by tenant. */
  const childTokens = new Map<string, string>();
  let userTokens: string[] = [];
  let facts = prepared;
  let manager = "";
  let ahead = 0;
  let requests = 0;
  let sequence = 0;
  let isCounting = false;

  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  /** Counts the events that a response acknowledged. */
  const acknowledge = (tenant: Tenant, ...types: readonly string[]): void => {
    if (isCounting) for (const type of types) count(acknowledged, `${tenant} ${type}`);
  };
  const pick = <T>(list: readonly T[]): T => {
    const item = list[Math.floor(Math.random() * list.length)];
    if (item === undefined) throw new Error("the list is empty");
    return item;
  };
  const anyUser = (): string => `user${Math.floor(Math.random() * loginUsers)}@example.com`;
  /** Returns forwarding headers with a random client IP address. */
  const anyAddress = (): { readonly [header: string]: string } => {
    const i = Math.floor(Math.random() * addresses);
    return { "x-forwarded-host": host, "x-forwarded-for": `198.18.${Math.floor(i / 250)}.${(i % 250) + 1}` };
  };

  /** Sends a request. @throws {Error} for another status than the expected one. */
  const send = async (request: Omit<LoadRequest, "method"> & { readonly method: string }, expected = [200, 201, 204]): Promise<string> => {
    requests++;
    const { method, path, headers, body } = request;
    const response = await fetch(address + path, {
      method,
      headers: { ...anyAddress(), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!expected.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const sendJson = async (method: string, path: string, body?: object, headers: object = {}, expected?: number[]): Promise<Body> => {
    const request = {
      method,
      path,
      headers: { "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    };
    const text = await send(request, expected);
    return text === "" ? {} : (JSON.parse(text) as Body);
  };
  /** Calls the Management API of a tenant with a token of the control plane. */
  const manage = async (tenant: string, method: string, path: string, body?: object): Promise<Body> => {
    const authorization = `Bearer ${tenant === "main" ? manager : (childTokens.get(tenant) ?? (await childToken(tenant)))}`;
    return sendJson(method, path, body, { authorization });
  };
  /** Calls the Management API for a change, which is an audit event. */
  const change = async (tenant: Tenant, method: string, path: string, body?: object): Promise<Body> => {
    const result = await manage(tenant, method, path, body);
    acknowledge(tenant, "sapi");
    return result;
  };
  const token = async (clientId: string, secret: string, tenant: Tenant = "main", organization?: string): Promise<string> => {
    const parameters = { grant_type: "client_credentials", client_id: clientId, client_secret: secret, organization };
    const { access_token: text } = await sendJson("POST", "/oauth/token", { ...parameters, audience: `${facts.issuer}api/v2/` });
    acknowledge(tenant, "seccft");
    return String(text);
  };
  /** Requests a token of the control plane for a child tenant. */
  const childToken = async (tenantId: string): Promise<string> => {
    const { id } = await manage("main", "GET", `/api/v2/organizations/name/${tenantId}`);
    const text = await token(soakManager.clientId, soakManager.secret, "main", String(id));
    childTokens.set(tenantId, text);
    return text;
  };

  const renewTokens = async (milliseconds: number): Promise<void> => {
    ahead += milliseconds;
    userTokens = [];
    logins = logins.filter((login) => ahead - login.refreshedAt < unusedLifetime && ahead - login.signedInAt < refreshLifetime);
    childTokens.clear();
    manager = await token(soakManager.clientId, soakManager.secret);
    facts = { ...facts, token: manager, otherToken: await token("bench-manager-es256", facts.secret, "es256") };
  };

  const visit = () => visitor(`${address}/`, facts.issuer, benchAuthorization, anyAddress());
  const exchange = async (code: string | undefined): Promise<string> => {
    if (code === undefined) throw new Error("the login did not finish");
    const client = { client_id: benchApp.clientId, client_secret: facts.secret };
    const parameters = {
      grant_type: "authorization_code",
      ...client,
      code,
      code_verifier: benchVerifier,
      redirect_uri: benchApp.redirectUri,
    };
    const tokens = await sendJson("POST", "/oauth/token", parameters);
    acknowledge("main", "seacft");
    return JSON.stringify(tokens);
  };
  const signIn = async (identifier: string, secret: string) => {
    const browser = visit();
    const code = await browser.signIn(await browser.identify(await browser.open(), identifier), identifier, secret);
    requests += 5;
    const tokens = await exchange(code);
    acknowledge("main", "s");
    return { browser, tokens };
  };
  const addLogin = (answer: string, signedInAt = ahead): void => {
    logins.push({ answer, signedInAt, refreshedAt: ahead });
    if (logins.length > maximumLogins) logins.shift();
    userTokens.push(String((JSON.parse(answer) as Body)["access_token"]));
    if (userTokens.length > maximumLogins) userTokens.shift();
  };
  const createUser = async (tenant: Tenant, email: string, secret?: string): Promise<string> => {
    const user = { connection, email, email_verified: true, ...(secret !== undefined && { password: secret }) };
    const { user_id: id } = await change(tenant, "POST", "/api/v2/users", user);
    return `/api/v2/users/${encodeURIComponent(String(id))}`;
  };

  /** Sends a request of the benchmark. */
  const benchRequest = async (operation: Operation, answer?: string, values = facts): Promise<string> => {
    const request = operation.requests.postern?.(values, sequence++, { connection: 0, answer });
    if (request === undefined) throw new Error("the benchmark has no such request");
    return send(request);
  };
  const failLogin = async (identifier: string): Promise<void> => {
    const browser = visit();
    const page = await browser.fail(await browser.identify(await browser.open(), identifier), identifier, "a wrong password");
    requests += 5;
    if (!/name="password"/.test(page)) throw new Error(`unexpected page after a wrong password: ${page.slice(0, 2000)}`);
  };

  const life: readonly { readonly name: string; readonly perSecond: number; readonly run: () => Promise<void> }[] = [
    {
      name: "client credentials, RS256",
      perSecond: 5,
      run: async () => {
        await benchRequest(clientCredentialsRs256);
        acknowledge("main", "seccft");
      },
    },
    {
      name: "client credentials, ES256",
      perSecond: 2,
      run: async () => {
        await benchRequest(clientCredentialsEs256);
        acknowledge("es256", "seccft");
      },
    },
    {
      name: "password login on the login page",
      perSecond: 1.5,
      run: async () => addLogin((await signIn(anyUser(), password)).tokens),
    },
    {
      name: "login with a session cookie",
      perSecond: 0.3,
      run: async () => {
        const { browser } = await signIn(anyUser(), password);
        for (let i = 0; i < 2; i++) {
          const code = await browser.continueSession();
          requests++;
          await exchange(code);
          acknowledge("main", "ssa");
        }
      },
    },
    {
      name: "refresh",
      perSecond: 5,
      run: async () => {
        const login = logins.shift();
        if (login === undefined) return;
        const answer = await benchRequest(tokenRefresh, login.answer);
        acknowledge("main", "sertft");
        addLogin(answer, login.signedInAt);
      },
    },
    {
      name: "login and revocation",
      perSecond: 0.2,
      run: async () => {
        const { tokens } = await signIn(anyUser(), password);
        const { refresh_token: refreshToken, access_token: accessToken } = JSON.parse(tokens) as Body;
        const client = { client_id: benchApp.clientId, client_secret: facts.secret };
        await sendJson("POST", "/oauth/revoke", { ...client, token: refreshToken });
        acknowledge("main", "srrt");
        await send({ method: "GET", path: "/userinfo", headers: { authorization: `Bearer ${String(accessToken)}` } }, [401]);
      },
    },
    {
      name: "userinfo",
      perSecond: 5,
      run: async () => {
        if (userTokens.length === 0) return;
        await benchRequest(userinfoRequest, undefined, { ...facts, userToken: pick(userTokens) });
      },
    },
    { name: "user by id", perSecond: 3, run: async () => void (await benchRequest(userById)) },
    { name: "list of 50 users", perSecond: 1, run: async () => void (await benchRequest(listUsers)) },
    { name: "list of 50 users, with totals", perSecond: 0.5, run: async () => void (await benchRequest(listUsersWithTotals)) },
    {
      name: "user created, changed, read and deleted",
      perSecond: 1,
      run: async () => {
        const { user_id: id } = JSON.parse(await benchRequest(userCreation)) as Body;
        acknowledge("es256", "sapi");
        const path = `/api/v2/users/${encodeURIComponent(String(id))}`;
        const headers = { authorization: `Bearer ${facts.otherToken}` };
        await sendJson("PATCH", path, { app_metadata: { plan: "gold" } }, headers);
        acknowledge("es256", "sapi");
        await sendJson("GET", path, undefined, headers);
        await sendJson("DELETE", path, undefined, headers);
        acknowledge("es256", "sapi");
      },
    },
    {
      name: "wrong password",
      perSecond: 0.2,
      run: async () => {
        await failLogin(anyUser());
        acknowledge("main", "fp");
      },
    },
    {
      name: "unknown user",
      perSecond: 0.2,
      run: async () => {
        await failLogin(`unknown${sequence++}@example.com`);
        acknowledge("main", "fu");
      },
    },
    {
      name: "password reset by mail",
      perSecond: 0.1,
      run: async () => {
        const email = `reset${sequence++}@example.com`;
        const path = await createUser("main", email, password);
        const mailed = new Promise<string>((resolve, reject) => {
          mails.set(email, resolve);
          setTimeout(() => reject(new Error(`no mail to ${email}`)), 20_000).unref();
        });
        await send({
          method: "POST",
          path: "/dbconnections/change_password",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ client_id: benchApp.clientId, connection, email }),
        });
        acknowledge("main", "scpr");
        const link = new URL(await mailed);
        const browser = createBrowser(`${address}/`, facts.issuer, anyAddress());
        const page = await (await browser.send(link.pathname + link.search)).text();
        const changed = `${password} 2`;
        const action = new URL(formAction(page) ?? "", facts.issuer);
        const response = await browser.send(action.pathname + action.search, { ...formFields(page), password: changed });
        const done = await (await browser.follow(response)).text();
        if (!done.includes("Your password was changed")) throw new Error(`unexpected page after a reset: ${done.slice(0, 2000)}`);
        requests += 3;
        acknowledge("main", "scp");
        await signIn(email, changed);
        await change("main", "DELETE", path);
        acknowledge("main");
      },
    },
    {
      name: "second factor enrolled and used",
      perSecond: 0.1,
      run: async () => {
        const email = `mfa${sequence++}@example.com`;
        const path = await createUser("mfa", email, password);
        const client = { client_id: mfaApp["client_id"], client_secret: mfaApp["client_secret"] };
        const login = { grant_type: passwordGrant, ...client, username: email, password, realm: connection, scope: "openid" };
        const begin = async (): Promise<string> => {
          const { mfa_token: started } = await sendJson("POST", "/oauth/token", login, {}, [403]);
          acknowledge("mfa", "fepft");
          return String(started);
        };
        const finish = async (mfaToken: string, secret: string, steps: number): Promise<void> => {
          const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits: 6, period: 30 });
          const otp = totp.generate({ timestamp: Date.now() + ahead + steps * 30_000 });
          await sendJson("POST", "/oauth/token", { grant_type: otpGrant, ...client, mfa_token: mfaToken, otp });
          acknowledge("mfa", "gd_auth_succeed", "s", "seotpft");
        };
        const first = await begin();
        const authenticator = { authenticator_types: ["otp"] };
        const { secret } = await sendJson("POST", "/mfa/associate", authenticator, { authorization: `Bearer ${first}` });
        await finish(first, String(secret), 0);
        acknowledge("mfa", "gd_start_enroll", "gd_enrollment_complete");
        // The code of the next time step, because each code is accepted once.
        await finish(await begin(), String(secret), 1);
        await change("mfa", "DELETE", path);
        acknowledge("mfa");
      },
    },
    {
      name: "role created, assigned and deleted",
      perSecond: 0.1,
      run: async () => {
        const { id } = await change("main", "POST", "/api/v2/roles", { name: `Role ${sequence++}` });
        const user = pick(facts.userIds);
        await change("main", "POST", `/api/v2/roles/${String(id)}/users`, { users: [user] });
        await manage("main", "GET", `/api/v2/users/${encodeURIComponent(user)}/roles`);
        await change("main", "DELETE", `/api/v2/roles/${String(id)}`);
      },
    },
    {
      name: "client created, used and deleted",
      perSecond: 0.1,
      run: async () => {
        const created = await change("main", "POST", "/api/v2/clients", { name: `Client ${sequence++}`, app_type: "non_interactive" });
        const clientId = String(created["client_id"]);
        await change("main", "POST", "/api/v2/client-grants", { client_id: clientId, audience: facts.audience, scope: ["read"] });
        const parameters = { grant_type: "client_credentials", client_id: clientId, client_secret: created["client_secret"] };
        await sendJson("POST", "/oauth/token", { ...parameters, audience: facts.audience });
        acknowledge("main", "seccft");
        await change("main", "DELETE", `/api/v2/clients/${clientId}`);
      },
    },
  ];

  const tasks: readonly { readonly name: string; readonly run: () => Promise<void> }[] = [
    {
      name: "key rotated, previous key revoked",
      run: async () => {
        const keys = (await manage("main", "GET", "/api/v2/keys/signing")) as unknown as readonly Body[];
        // Revokes the previous keys. All tokens that they signed have expired.
        for (const key of keys.filter(({ current, revoked }) => current !== true && revoked !== true))
          await change("main", "PUT", `/api/v2/keys/signing/${String(key["kid"])}/revoke`);
        await change("main", "POST", "/api/v2/keys/signing/rotate", { grace_days: 30 });
      },
    },
    {
      name: "tenant created, used and removed",
      run: async () => {
        const id = `tenant-${sequence++}`;
        await change("main", "POST", "/tenants", { id, name: id });
        const settings = { name: "App", app_type: "regular_web", grant_types: [passwordGrant, "refresh_token"] };
        const app = await manage(id, "POST", "/api/v2/clients", settings);
        const [database] = (await manage(id, "GET", `/api/v2/connections?name=${connection}`)) as unknown as readonly Body[];
        await manage(id, "PATCH", `/api/v2/connections/${String(database?.["id"])}`, { enabled_clients: [app["client_id"]] });
        await manage(id, "POST", "/api/v2/users", { connection, email: "first@example.com", password, email_verified: true });
        const client = { client_id: app["client_id"], client_secret: app["client_secret"] };
        const login = { username: "first@example.com", password, realm: connection, scope: "openid offline_access" };
        await sendJson("POST", "/oauth/token", { grant_type: passwordGrant, ...client, ...login });
        await change("main", "DELETE", `/tenants/${id}`);
      },
    },
  ];

  await renewTokens(0);
  for (let i = 0; i < loginUsers; i++) await createUser("main", `user${i}@example.com`, password);
  const lifetimes = {
    token_lifetime: refreshLifetime / 1000,
    idle_token_lifetime: unusedLifetime / 1000,
    infinite_token_lifetime: false,
    infinite_idle_token_lifetime: false,
  };
  const rotating = { rotation_type: "rotating", expiration_type: "expiring", ...lifetimes };
  await manage("main", "PATCH", `/api/v2/clients/${benchApp.clientId}`, { refresh_token: rotating });
  const [grant] = (await manage("main", "GET", `/api/v2/client-grants?client_id=${soakManager.clientId}`)) as unknown as readonly Body[];
  const organizations = { organization_usage: "allow", allow_any_organization: true };
  await manage("main", "PATCH", `/api/v2/client-grants/${String(grant?.["id"])}`, organizations);
  await manage("main", "POST", "/tenants", { id: "mfa", name: "mfa" });
  await manage("mfa", "PUT", "/api/v2/guardian/factors/otp", { enabled: true });
  await manage("mfa", "PUT", "/api/v2/guardian/policies", ["all-applications"]);
  const mfaSettings = { name: "App", app_type: "regular_web", grant_types: [passwordGrant, otpGrant] };
  const mfaApp = await manage("mfa", "POST", "/api/v2/clients", mfaSettings);
  const [mfaDatabase] = (await manage("mfa", "GET", `/api/v2/connections?name=${connection}`)) as unknown as readonly Body[];
  await manage("mfa", "PATCH", `/api/v2/connections/${String(mfaDatabase?.["id"])}`, { enabled_clients: [mfaApp["client_id"]] });
  // No earlier event has a date that is later than the streams.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const streamsSince = Date.now();
  isCounting = true;
  for (const tenant of soakTenants) {
    const sink = { httpEndpoint: receiver.endpoint(tenant), httpContentFormat: "JSONARRAY" };
    const body = { type: "http", name: "soak", sink };
    // The benchmark created this tenant without an organization in the control plane.
    const stream =
      tenant === "es256"
        ? await sendJson("POST", "/api/v2/log-streams", body, { authorization: `Bearer ${facts.otherToken}` })
        : await manage(tenant, "POST", "/api/v2/log-streams", body);
    receiver.trust(tenant, String(stream["signing_secret"]));
    acknowledge(tenant, "sapi");
  }

  return {
    streamsSince,
    operations,
    failures,
    acknowledged,
    get requests() {
      return requests;
    },
    renewTokens,
    receiveMail({ to, link }) {
      if (link !== undefined) mails.get(to)?.(link);
      mails.delete(to);
    },
    async run(milliseconds, withTasks) {
      const inFlight = new Set<Promise<void>>();
      const start = (name: string, run: () => Promise<void>): void => {
        const running = run()
          .then(() => count(operations, name))
          .catch((error: unknown) => void failures.push(`${name}: ${error instanceof Error ? describe(error) : String(error)}`))
          .finally(() => inFlight.delete(running));
        inFlight.add(running);
      };
      const began = performance.now();
      const started = life.map(() => Math.random());
      if (withTasks) for (const { name, run } of tasks) start(name, run);
      for (;;) {
        const elapsed = performance.now() - began;
        if (elapsed >= milliseconds) break;
        for (const [i, { name, perSecond, run }] of life.entries()) {
          for (; (started[i] ?? 0) < (elapsed / 1000) * perSecond; started[i] = (started[i] ?? 0) + 1) start(name, run);
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await Promise.all(inFlight);
    },
  };
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
