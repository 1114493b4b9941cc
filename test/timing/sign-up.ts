import { createPasswordHasher, createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

/** What `timing.ts` runs, bundled: sign-ups with addresses that are free, and with those that somebody has. The answers differ, and whoever sees how long one takes learns no more. */
const samples = 200;
/** Of one hash. */
const allowed = 0.05;
const issuer = "http://127.0.0.1:3000/";
const connection = "Username-Password-Authentication";
const password = "Correct-horse-battery-7";

// As the standalone example hashes.
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
  // Each time the other one begins.
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
  `/dbconnections/signup: one hash takes ${one.toFixed(2)} ms, a taken address ${taken.toFixed(2)} ms, a free one ${free.toFixed(2)} ms`,
);
console.log(`  they differ by ${(difference * 100).toFixed(1)} % of one hash; ${allowed * 100} % are allowed`);
if (!(difference <= allowed)) process.exitCode = 1;
