import { createPasswordHasher, createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/**
 * Run by `timing.ts`. Measures sign-ups with new and with existing email addresses: the response time must not reveal
 * more than the response.
 */
const samples = 200;
/** The maximum difference of the medians, as a fraction of the time of one hash. */
const maxDifference = 0.05;
const issuer = "http://127.0.0.1:3000/";
const connection = "Username-Password-Authentication";
const password = "Correct-horse-battery-7";

// The same hashing as in the standalone example.
const hasher = createPasswordHasher({ algorithm: "argon2id" });
const data = await openDatabase("sqlite::memory:");
await data.migrate();
const postern = createPostern({
  issuer,
  data,
  crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", hasher },
  defaultTenantId: "main",
  messages: { mail: { send: async () => {} } },
  logger: { log: () => {} },
});
await postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings: { name: "App", app_type: "spa" } }] });

async function signUp(email: string): Promise<string> {
  const body = JSON.stringify({ client_id: "app", connection, email, password });
  const request = new Request(`${issuer}dbconnections/signup`, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await postern.fetch(request, { clientAddress: "192.0.2.7" })).text();
}

const address = (taken: boolean, i: number): string => `${taken ? "taken" : "free"}-${i}@example.com`;
for (let i = 0; i < samples; i++) await signUp(address(true, i));

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const hash = await hasher.hash(password);
const hashes: number[] = [];
const times = new Map<boolean, number[]>([true, false].map((taken) => [taken, []]));
for (let i = 0; i < samples; i++) {
  hashes.push(await time(() => hasher.verify(password, hash)));
  // The order alternates, so that other load on the machine affects both cases.
  for (const taken of i % 2 === 0 ? [true, false] : [false, true]) {
    let answer = "";
    times.get(taken)?.push(await time(async () => (answer = await signUp(address(taken, i)))));
    if (!(taken ? /invalid_signup/ : /"email_verified":false/).test(answer)) throw new Error(answer.slice(0, 2000));
  }
}
await data.close();

const [one, taken, free] = [median(hashes), median(times.get(true) ?? []), median(times.get(false) ?? [])];
const difference = Math.abs(taken - free) / one;
console.log(
  `/dbconnections/signup: one hash takes ${one.toFixed(2)} ms, an existing address ${taken.toFixed(2)} ms, a new one ${free.toFixed(2)} ms`,
);
console.log(`  they differ by ${(difference * 100).toFixed(1)} % of one hash; ${maxDifference * 100} % are allowed`);
if (!(difference <= maxDifference)) process.exitCode = 1;
