import { createPostern } from "@postern/core";
import type { CreateClient } from "@postern/core/api";
import { openDatabase } from "@postern/kysely/url";

/** The number of samples for each endpoint, both with and without an account. */
export const samples = 300;
/** The maximum difference of the medians, as a fraction of the shorter one. */
const maxDifference = 0.15;
export const timingIssuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-measurement";

const data = await openDatabase("sqlite::memory:");
await data.migrate();
const postern = createPostern({
  issuer: timingIssuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
  defaultTenantId: "main",
  messages: { mail: { send: async () => {} } },
  logger: { log: () => {} },
});

type Headers = Readonly<Record<string, string>>;

/** Sends a request to the service. All requests come from the same client address. */
export async function send(path: string, init?: RequestInit): Promise<Response> {
  return postern.fetch(new Request(timingIssuer + path, init), { clientAddress: "192.0.2.7" });
}

/** Posts JSON. @returns the response body. */
export async function post(path: string, body: object, headers: Headers = {}): Promise<string> {
  const json = { "content-type": "application/json", ...headers };
  return (await send(path, { method: "POST", headers: json, body: JSON.stringify(body) })).text();
}

/** Sets up the tenant with a client `app`. @returns a function that posts to the Management API. */
export async function setUp(app: CreateClient): Promise<(path: string, body: object) => Promise<string>> {
  const manager = { clientId: "manager", secret, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true } as const;
  const isPublic = app.app_type === "native";
  await postern.seed({ tenantId: "main", clients: [manager, { clientId: "app", ...(!isPublic && { secret }), settings: app }] });
  const tokenRequest = {
    grant_type: "client_credentials",
    client_id: "manager",
    client_secret: secret,
    audience: `${timingIssuer}api/v2/`,
  };
  const { access_token: token } = JSON.parse(await post("oauth/token", tokenRequest)) as { readonly access_token: string };
  return (path, body) => post(`api/v2/${path}`, body, { authorization: `Bearer ${token}` });
}

/**
 * An endpoint that accepts an email address. The test measures the function that `prepare` returns, and not `prepare`
 * itself.
 */
export interface TimedEndpoint {
  readonly name: string;
  /** The pattern that every response must match. */
  readonly expected: RegExp;
  readonly prepare: (email: string) => Promise<() => Promise<string>>;
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Measures each endpoint once per email address, and prints how much the times with and without an account differ. */
export async function compare(
  endpoints: readonly TimedEndpoint[],
  address: (known: boolean, endpoint: number, i: number) => string,
): Promise<void> {
  for (const [number, { name, expected, prepare }] of endpoints.entries()) {
    const times = new Map<boolean, number[]>([true, false].map((known) => [known, []]));
    for (let i = 0; i < samples; i++) {
      // The order alternates, so that other load on the machine affects both cases.
      for (const known of i % 2 === 0 ? [true, false] : [false, true]) {
        const attempt = await prepare(address(known, number, i));
        let answer = "";
        times.get(known)?.push(await time(async () => (answer = await attempt())));
        if (!expected.test(answer)) throw new Error(`${name}: ${answer.slice(0, 2000)}`);
      }
    }
    const [known, unknown] = [median(times.get(true) ?? []), median(times.get(false) ?? [])];
    const difference = Math.abs(known - unknown) / Math.min(known, unknown);
    console.log(`${name}: with an account ${known.toFixed(2)} ms, without ${unknown.toFixed(2)} ms`);
    console.log(`  they differ by ${(difference * 100).toFixed(1)} %; ${maxDifference * 100} % are allowed`);
    if (!(difference <= maxDifference)) process.exitCode = 1;
  }
  await data.close();
}
