import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createPasswordHasher, createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";
import { visitor } from "../bench/visitor.ts";

/** Run by `timing.ts`. The number of samples of each case. */
const samples = 200;
const maxDifference = 0.05;
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-measurement";
const connection = "Username-Password-Authentication";
const redirectUri = "https://app.example/callback";

// The same hashing as in the standalone example.
const hasher = createPasswordHasher({ algorithm: "argon2id" });
const data = await openDatabase("sqlite::memory:");
await data.migrate();
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", hasher },
  defaultTenantId: "main",
  logger: { log: () => {} },
});
const passwordGrant = "http://auth0.com/oauth/grant-type/password-realm";
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "manager", secret, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
    {
      clientId: "app",
      secret,
      settings: { name: "App", app_type: "regular_web", callbacks: [redirectUri], grant_types: ["authorization_code", passwordGrant] },
    },
  ],
});
const listener = getRequestListener((request) => postern.fetch(request, { clientAddress: "192.0.2.7" }));
const server = createServer((request, response) => void listener(request, response));
await new Promise<void>((resolve) => {
  server.listen(0, "127.0.0.1", resolve);
});
// The address of a server that listens on a port is an AddressInfo.
const { port } = server.address() as AddressInfo;
const address = `http://127.0.0.1:${port}/`;

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function post(path: string, headers: { readonly [name: string]: string }, body: string): Promise<Answer> {
  const response = await fetch(address + path, { method: "POST", headers: { host: "127.0.0.1:3000", ...headers }, body });
  return { status: response.status, text: await response.text() };
}

const json = { "content-type": "application/json" };
const tokenRequest = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
const { access_token: token } = JSON.parse((await post("oauth/token", json, JSON.stringify(tokenRequest))).text) as {
  readonly access_token: string;
};
const hash = await hasher.hash("a user's password");

/** Creates a user with a password. */
async function addAccount(email: string): Promise<void> {
  const body = JSON.stringify({ connection, email });
  const { status, text } = await post("api/v2/users", { ...json, authorization: `Bearer ${token}` }, body);
  if (status !== 201) throw new Error(text);
  const { user_id: userId } = JSON.parse(text) as { readonly user_id: string };
  // Writes directly to the database, because hashing would take long.
  const [id, userRow] = [`pwd_${userId.slice(-40)}`, { tenant_id: "main", user_id: userId }];
  await data.collections.passwords.insert([{ ...userRow, id, hash, set_through: null, created_at: Date.now() }]);
  await data.collections.users.update(userRow, { set: { password_id: id } });
}

type Case = "unknown user" | "wrong password" | "throttled account";

/** A way to sign in. The test measures the function that `prepare` returns, and not `prepare` itself. */
interface SignInWay {
  readonly name: string;
  readonly expected: { readonly [name in Case]: RegExp };
  readonly prepare: (identifier: string) => Promise<() => Promise<string>>;
}

const authorize = { client_id: "app", redirect_uri: redirectUri, response_type: "code", scope: "openid", state: "s" };
const signInWays: readonly SignInWay[] = [
  {
    name: "password grant",
    expected: {
      "unknown user": /INVALID_CREDENTIALS/,
      "wrong password": /INVALID_CREDENTIALS/,
      "throttled account": /TOO_MANY_FAILED_LOGINS/,
    },
    prepare: async (username) => async () => {
      const body = { grant_type: passwordGrant, client_id: "app", client_secret: secret, username, password: "wrong", realm: connection };
      return (await post("oauth/token", json, JSON.stringify(body))).text;
    },
  },
  {
    name: "login page",
    expected: {
      "unknown user": /Wrong email or password/,
      "wrong password": /Wrong email or password/,
      "throttled account": /Too many attempts/,
    },
    prepare: async (identifier) => {
      const browser = visitor(address, issuer, authorize);
      const form = await browser.identify(await browser.open(), identifier);
      return () => browser.fail(form, identifier, "wrong");
    },
  },
];

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

for (const [number, way] of signInWays.entries()) await measure(way, number);
server.closeAllConnections();
server.close();
await data.close();

async function measure({ name, expected, prepare }: SignInWay, number: number): Promise<void> {
  const throttled = `throttled-${number}@example.com`;
  // Each sample has a separate account, so that each wrong password is the first one for its account.
  for (let i = 0; i < samples; i++) await addAccount(`ann-${number}-${i}@example.com`);
  await addAccount(throttled);
  for (let i = 0; i < 3; i++) await (await prepare(throttled))();
  const cases: { readonly [name in Case]: (i: number) => string } = {
    "unknown user": (i) => `unknown-${number}-${i}@example.com`,
    "wrong password": (i) => `ann-${number}-${i}@example.com`,
    "throttled account": () => throttled,
  };

  const hashes: number[] = [];
  const times: { readonly [name in Case]: number[] } = { "unknown user": [], "wrong password": [], "throttled account": [] };
  // The order changes for each sample, so that no case always follows the same one.
  const orders: readonly (readonly Case[])[] = [
    ["unknown user", "wrong password", "throttled account"],
    ["wrong password", "throttled account", "unknown user"],
    ["throttled account", "unknown user", "wrong password"],
  ];
  for (let i = 0; i < samples; i++) {
    hashes.push(await time(() => hasher.verify("wrong", hash)));
    for (const kind of orders[i % 3] ?? []) {
      const attempt = await prepare(cases[kind](i));
      let answer = "";
      times[kind].push(await time(async () => (answer = await attempt())));
      if (!expected[kind].test(answer)) throw new Error(`${name}, ${kind}: ${answer.slice(0, 2000)}`);
    }
  }

  const one = median(hashes);
  const medians = Object.entries(times).map(([kind, times]) => ({ kind, median: median(times) }));
  console.log(`${name}: one hash takes ${one.toFixed(2)} ms`);
  for (const { kind, median: value } of medians) console.log(`  ${kind.padEnd(18)} median ${value.toFixed(2)} ms`);
  const values = medians.map(({ median: value }) => value);
  const difference = (Math.max(...values) - Math.min(...values)) / one;
  console.log(`  they differ by ${(difference * 100).toFixed(1)} % of one hash; ${maxDifference * 100} % are allowed`);
  if (!(difference <= maxDifference)) process.exitCode = 1;
}
