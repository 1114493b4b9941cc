import { createPostern, type Postern } from "@postern/core";
import type { SqlAdapter } from "@postern/kysely";
import { openDatabase } from "@postern/kysely/url";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createHash, randomBytes } from "node:crypto";

/**
 * Measures logins with identity providers: `node upstream.mjs <database of few> <database of many> <few> <many>
 * <rounds>`. Creates one installation with few connections of organizations and one with many, sends requests to both
 * alternately, and prints one line of JSON.
 */
export interface UpstreamFigures {
  /** Medians in milliseconds for few and for many connections, by request. */
  readonly requests: { readonly [question: string]: readonly [few: number, many: number] };
}

const [, , fewAddress = "", manyAddress = "", few = "", many = "", rounds = ""] = process.argv;
const issuer = "http://127.0.0.1:3000/";
const provider = "http://127.0.0.1:3001/";
const callback = "http://127.0.0.1:3002/callback";
const verifier = "verifier-that-is-long-enough-for-the-rfc-7636";
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** An installation, its clock, and the time that its requests to the provider took. */
interface Installation {
  readonly postern: Postern;
  readonly data: SqlAdapter;
  readonly upstream: { milliseconds: number; nonce: string };
  /** Milliseconds by which the clock is ahead. Moving it forward expires cached data. */
  clockOffset: number;
}

const keys = await generateKeyPair("ES256", { extractable: true });

/** Returns the provider's response without delay. */
async function providerResponse(url: string, nonce: string): Promise<Response> {
  const { pathname } = new URL(url);
  if (pathname === "/keys")
    return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256", use: "sig" }] });
  if (pathname === "/token") {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: provider, aud: "we", sub: "ann", email: "ann@corp-0.example", email_verified: true, name: "Ann", nonce };
    const token = new SignJWT({ ...claims, iat: now, exp: now + 1_000_000 }).setProtectedHeader({ alg: "ES256", kid: "one" });
    return Response.json({ access_token: "at", token_type: "Bearer", expires_in: 3600, id_token: await token.sign(keys.privateKey) });
  }
  return Response.json({
    issuer: provider,
    authorization_endpoint: `${provider}authorize`,
    token_endpoint: `${provider}token`,
    jwks_uri: `${provider}keys`,
    id_token_signing_alg_values_supported: ["ES256"],
  });
}

async function install(address: string, count: number): Promise<Installation> {
  const data = await openDatabase(address);
  await data.migrate();
  const upstream = { milliseconds: 0, nonce: "" };
  const installation: { postern?: Postern; clockOffset: number } = { clockOffset: 0 };
  const postern = createPostern({
    issuer,
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
    testing: { clock: { now: () => Date.now() + installation.clockOffset } },
    network: {
      fetch: async (request) => {
        const began = performance.now();
        const response = await providerResponse(request.url, upstream.nonce);
        upstream.milliseconds += performance.now() - began;
        return response;
      },
    },
  });
  const options = { issuer: provider, client_id: "we", client_secret: "a secret of ours" };
  await postern.seed({
    tenantId: "main",
    clients: [{ clientId: "app", settings: { name: "App", app_type: "spa", callbacks: [callback] } }],
    connections: [
      { name: "Username-Password-Authentication", strategy: "auth0", clients: ["app"], sync: true },
      { name: "corp-0", strategy: "oidc", clients: ["app"], settings: { options: { ...options, domain_aliases: ["corp-0.example"] } } },
    ],
  });
  await addConnections(data, count - 1);
  return Object.assign(installation, { postern, data, upstream });
}

/** Inserts copies of the first connection directly into the database, because the API would take too long. */
async function addConnections({ collections }: SqlAdapter, count: number): Promise<void> {
  const [model] = await collections.connections.find({ where: { tenant_id: "main", name: "corp-0" }, limit: 1 });
  const [client] = await collections.clients.find({ where: { tenant_id: "main", client_id: "app" }, limit: 1 });
  if (model === undefined || client === undefined) throw new Error("the seed is missing");
  const rows = Array.from({ length: count }, (_, n) => ({ ...model, id: `con_bench${n}`, name: `corp-${n + 1}`, secrets: {}, seal: "" }));
  const domains = rows.map((row) => ({ tenant_id: "main", domain: `${row.name}.example`, connection_id: row.id, created_at: 0 }));
  for (let from = 0; from < count; from += 32) {
    const part = rows.slice(from, from + 32);
    await collections.connections.insert(
      part.map((row) => ({ ...row, options: { ...row.options, domain_aliases: [`${row.name}.example`] } })),
    );
    await collections.connection_domains.insert(domains.slice(from, from + 32));
  }
  const connections = [...(client.connections ?? []), ...rows.map(({ id }) => id)];
  await collections.clients.update({ tenant_id: "main", client_id: "app" }, { set: { connections } });
}

/** Returns a browser that stores cookies and does not follow redirects. */
function openBrowser({ postern }: Installation): (url: string) => Promise<string> {
  const cookies = new Map<string, string>();
  return async (url) => {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "), "sec-fetch-mode": "navigate" };
    const response = await postern.fetch(new Request(url, { headers }), {});
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";", 1)[0] ?? "").split("=", 2);
      cookies.set(name, value);
    }
    await response.text();
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url} did not redirect: ${response.status}`);
    return new URL(location, url).href;
  };
}

function authorizeUrl(more: { readonly [name: string]: string } = {}): string {
  const request = {
    client_id: "app",
    redirect_uri: callback,
    response_type: "code",
    scope: "openid",
    code_challenge: challenge,
    code_challenge_method: "S256",
  };
  return `${issuer}authorize?${new URLSearchParams({ ...request, state: "s", ...more })}`;
}

/** Signs in through the provider, from `/authorize` to the redirect to the app. */
async function logIn(installation: Installation): Promise<void> {
  const follow = openBrowser(installation);
  const providerUrl = new URL(await follow(await follow(authorizeUrl({ connection: "corp-0" }))));
  installation.upstream.nonce = providerUrl.searchParams.get("nonce") ?? "";
  const callbackQuery = new URLSearchParams({ state: providerUrl.searchParams.get("state") ?? "", code: randomBytes(8).toString("hex") });
  let at = `${issuer}login/callback?${callbackQuery}`;
  while (!at.startsWith(callback)) at = await follow(at);
  if (!new URL(at).searchParams.has("code")) throw new Error(at);
}

async function main(): Promise<UpstreamFigures> {
  const pair = [await install(fewAddress, Number(few)), await install(manyAddress, Number(many))] as const;
  const measuredRequests: { readonly [question: string]: (of: Installation) => Promise<unknown> } = {
    "`/authorize` to the login page": (of) => openBrowser(of)(authorizeUrl()),
    "`/authorize` to the login page, nothing cached": (of) => {
      of.clockOffset += 6000;
      return openBrowser(of)(authorizeUrl());
    },
    "`/authorize` to the provider, nothing cached": async (of) => {
      of.clockOffset += 6000;
      const follow = openBrowser(of);
      return follow(await follow(authorizeUrl({ connection: "corp-0" })));
    },
    "login through the provider, without the provider's time": logIn,
  };
  const requests: { [question: string]: readonly [number, number] } = {};
  for (const [question, sendRequest] of Object.entries(measuredRequests)) {
    const times: readonly [number[], number[]] = [[], []];
    for (let round = -20; round < Number(rounds); round++) {
      for (const [index, of] of pair.entries()) {
        of.upstream.milliseconds = 0;
        const from = performance.now();
        await sendRequest(of);
        const milliseconds = performance.now() - from - of.upstream.milliseconds;
        if (round >= 0) times[index]?.push(milliseconds);
      }
    }
    requests[question] = [median(times[0]), median(times[1])];
  }
  await Promise.all(pair.map(({ data }) => data.close()));
  return { requests };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

process.stdout.write(`${JSON.stringify(await main())}\n`);
