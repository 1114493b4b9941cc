import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ownMysql, ownPostgres } from "../../packages/kysely/test/servers.ts";
import { clientSecret } from "../support/postern.ts";
import { bundleServers, type BundledServers } from "../support/server-processes.ts";
import { exportVersions } from "./support/versions.ts";

/*
 * Two versions side by side on one database, under load, as in a rolling upgrade. The later one has one migration more. Run these tests with .ci/services.sh. They print the figures in test/clusters/README.md.
 */

const connection = "Username-Password-Authentication";
const password = "correct horse battery";
const issuer = "http://postern.test/";
const workers = 6;
/** How long each combination of processes gets the load, in milliseconds. */
const phase = 5000;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Server = Awaited<ReturnType<BundledServers["start"]>>;
type Body = { readonly [name: string]: unknown };

const versions = exportVersions();
let former: BundledServers;
let current: BundledServers;

beforeAll(async () => {
  if (versions === undefined) return;
  [former, current] = await Promise.all([bundleServers(versions.former), bundleServers(versions.current)]);
});
afterAll(async () => {
  if (versions === undefined) return;
  await Promise.all([former.stop(), current.stop()]);
  versions.remove();
});

/** The processes that get requests, as a load balancer lists them. */
class Balancer {
  readonly #servers: { readonly server: Server; requests: Promise<unknown>[] }[] = [];
  requests = 0;

  add(server: Server): void {
    this.#servers.push({ server, requests: [] });
  }

  /** Sends no further request to the oldest process, waits for its responses, and ends it. */
  async removeOldest(): Promise<void> {
    const oldest = this.#servers.shift();
    await Promise.allSettled(oldest?.requests ?? []);
    await oldest?.server.kill();
  }

  /** Sends a request to any process. @throws {Error} for a response that is not a success. */
  async send(method: string, path: string, body?: object, token?: string): Promise<Body> {
    const target = this.#servers[Math.floor(Math.random() * this.#servers.length)];
    if (target === undefined) throw new Error("no process");
    const response = fetch(target.server.origin + path, {
      method,
      headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).then(async (received) => ({ status: received.status, text: await received.text() }));
    target.requests.push(response);
    const { status, text } = await response;
    target.requests = target.requests.filter((one) => one !== response);
    this.requests++;
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return text === "" ? {} : (JSON.parse(text) as Body);
  }
}

/** Creates an app for the load. @returns the parameters with which it authenticates, and a Management API token. */
async function prepare(balancer: Balancer): Promise<{ readonly app: object; readonly token: string }> {
  const manager = { client_id: "main-manager", client_secret: clientSecret, audience: `${issuer}api/v2/` };
  const { access_token: token } = await balancer.send("POST", "oauth/token", { grant_type: "client_credentials", ...manager });
  const manage = (method: string, path: string, body?: object) => balancer.send(method, `api/v2/${path}`, body, String(token));
  const settings = {
    name: "App",
    app_type: "regular_web",
    grant_types: ["http://auth0.com/oauth/grant-type/password-realm", "refresh_token"],
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
  };
  const app = await manage("POST", "clients", settings);
  const [database] = (await manage("GET", `connections?name=${connection}`)) as unknown as readonly Body[];
  await manage("PATCH", `connections/${String(database?.["id"])}`, { enabled_clients: [app["client_id"]] });
  return { app: { client_id: app["client_id"], client_secret: app["client_secret"] }, token: String(token) };
}

/** A user from the sign-up to the deletion. Each request goes to any process. */
async function useOnce(balancer: Balancer, { app, token }: { readonly app: object; readonly token: string }, name: string): Promise<void> {
  const email = `${name}@example.test`;
  const created = await balancer.send("POST", "api/v2/users", { connection, email, password, email_verified: true }, token);
  const path = `api/v2/users/${encodeURIComponent(String(created["user_id"]))}`;
  const login = { username: email, password, realm: connection, scope: "openid email offline_access" };
  let tokens = await balancer.send("POST", "oauth/token", {
    grant_type: "http://auth0.com/oauth/grant-type/password-realm",
    ...app,
    ...login,
  });
  for (let i = 0; i < 3; i++) {
    tokens = await balancer.send("POST", "oauth/token", { grant_type: "refresh_token", refresh_token: tokens["refresh_token"], ...app });
    const claims = await balancer.send("GET", "userinfo", undefined, String(tokens["access_token"]));
    if (claims["email"] !== email) throw new Error(`userinfo of ${email}: ${JSON.stringify(claims)}`);
  }
  await balancer.send("POST", `${path}/authentication-methods`, { type: "email", email: `second-${email}` }, token);
  await balancer.send("PATCH", path, { app_metadata: { plan: "gold" } }, token);
  const read = await balancer.send("GET", path, undefined, token);
  if ((read["app_metadata"] as Body)["plan"] !== "gold") throw new Error(`${email} has lost its metadata`);
  await balancer.send("DELETE", `${path}/authentication-methods`, undefined, token);
  await balancer.send("DELETE", path, undefined, token);
}

describe.each([
  ["PostgreSQL", ownPostgres],
  ["MariaDB", ownMysql],
])("a rolling upgrade on %s", (engine, create) => {
  test("fails no request while two processes of the former version are replaced by two of this one", async ({ skip }) => {
    if (versions === undefined) return skip("needs the history of the repository up to the commit before the newest migration");
    const database = await create("rolling_upgrade");
    onTestFinished(database.drop);
    const balancer = new Balancer();
    for (let i = 0; i < 2; i++) balancer.add(await former.start(database.url));
    const prepared = await prepare(balancer);

    const faults: unknown[] = [];
    let isStopped = false;
    let users = 0;
    const work = async (worker: number): Promise<void> => {
      for (let i = 0; !isStopped; i++, users++)
        await useOnce(balancer, prepared, `w${worker}-${i}`).catch((error: unknown) => faults.push(error));
    };
    const running = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));

    await pause(phase);
    for (let i = 0; i < 2; i++) {
      // The start of the first new process migrates the database.
      balancer.add(await current.start(database.url));
      await pause(phase);
      await balancer.removeOldest();
      await pause(phase);
    }
    isStopped = true;
    await running;
    await balancer.removeOldest();
    await balancer.removeOldest();
    console.log(
      `figures: ${engine}, rolling upgrade ${versions.name}: ${users} users, ${balancer.requests} requests, ${faults.length} failed`,
    );
    expect(faults).toEqual([]);
    expect(users).toBeGreaterThan(20);
  });
});
