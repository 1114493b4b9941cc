import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/** What `timing.ts` runs, bundled: codes for people who have an account, and for those who do not where nobody may sign up. */
const samples = 300;
/** Of the answer's own time. */
const allowed = 0.15;
const issuer = "http://127.0.0.1:3000/";
const secret = "a-client-secret-that-is-long-enough-for-a-measurement";
const grantType = "http://auth0.com/oauth/grant-type/passwordless/otp";
const json = { "content-type": "application/json" };

const data = await openDatabase("sqlite::memory:");
await data.migrate();
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
  defaultTenantId: "main",
  messages: { mail: { send: async () => {} } },
  logger: { log: () => {} },
});
await postern.seed({
  tenantId: "main",
  clients: [
    { clientId: "manager", secret, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
    { clientId: "app", settings: { name: "App", app_type: "native", grant_types: [grantType] } },
  ],
});

async function post(path: string, body: object, headers = {}): Promise<string> {
  const request = new Request(issuer + path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  return (await postern.fetch(request, { clientAddress: "192.0.2.7" })).text();
}

const asked = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
const { access_token: token } = JSON.parse(await post("oauth/token", asked)) as { readonly access_token: string };
const authorization = { authorization: `Bearer ${token}` };
await post("api/v2/connections", { name: "email", strategy: "email", options: { disable_signup: true } }, authorization);
const address = (known: boolean, i: number): string => `${known ? "known" : "other"}-${i}@example.com`;
for (let i = 0; i < samples; i++)
  await post("api/v2/users", { connection: "email", email: address(true, i), email_verified: true }, authorization);

const place = { client_id: "app", connection: "email" };
/** Each is asked once for each address. */
const doors: { readonly [name: string]: { readonly says: RegExp; ask(email: string): Promise<string> } } = {
  "/passwordless/start": { says: /"email_verified":false/, ask: (email) => post("passwordless/start", { ...place, email, send: "code" }) },
  "one-time-code grant": {
    says: /invalid_grant/,
    ask: (username) => post("oauth/token", { grant_type: grantType, client_id: "app", realm: "email", username, otp: "no code" }),
  },
};

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

for (const [name, { says, ask }] of Object.entries(doors)) {
  const taken = new Map<boolean, number[]>([true, false].map((known) => [known, []]));
  for (let i = 0; i < samples; i++) {
    // Each time the other one begins.
    for (const known of i % 2 === 0 ? [true, false] : [false, true]) {
      let answer = "";
      taken.get(known)?.push(await time(async () => (answer = await ask(address(known, i)))));
      if (!says.test(answer)) throw new Error(`${name}: ${answer.slice(0, 2000)}`);
    }
  }
  const [known, unknown] = [median(taken.get(true) ?? []), median(taken.get(false) ?? [])];
  const difference = Math.abs(known - unknown) / Math.min(known, unknown);
  console.log(`${name}: somebody with an account ${known.toFixed(2)} ms, without ${unknown.toFixed(2)} ms`);
  console.log(`  they differ by ${(difference * 100).toFixed(1)} %; ${allowed * 100} % are allowed`);
  if (!(difference <= allowed)) process.exitCode = 1;
}
await data.close();
