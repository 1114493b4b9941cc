/**
 * Whether an unknown user, a wrong password and a throttled account can be told apart by the time that the answer takes.
 * 200 samples of each, one after the other in turn; the medians may differ by 5 % of one hash. Run it on a machine that does nothing else:
 *
 *     pnpm timing
 */
import { createLogins, type Logins } from "../../packages/core/test/password-logins.ts";
import { createPasswordHasher } from "../../packages/core/src/domain/passwords/hasher.ts";

const samples = 200;
const allowed = 0.05;

const hasher = createPasswordHasher();
const logins = await createLogins(hasher);
const hash = await hasher.hash("somebody's password");

/** An account of its own for each sample, so that a wrong password is its first; all with the same hash, which takes long to make. */
async function addAccount(email: string): Promise<void> {
  const { user_id: userId } = await logins.addUser({ email, password: undefined });
  const id = `pwd_${userId}`.slice(0, 64);
  await logins.data.passwords.insert([{ id, user_id: userId, hash, created_at: logins.clock.now() }]);
  await logins.data.users.update({ user_id: userId }, { set: { password_id: id } });
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

type Case = "unknown user" | "wrong password" | "throttled account";

const cases: {
  readonly [Name in Case]: { readonly identifier: (i: number) => string; readonly kind: Awaited<ReturnType<Logins["login"]>>["kind"] };
} = {
  "unknown user": { identifier: (i) => `nobody-${i}@example.com`, kind: "wrong-credentials" },
  "wrong password": { identifier: (i) => `ann-${i}@example.com`, kind: "wrong-credentials" },
  "throttled account": { identifier: () => "bob@example.com", kind: "throttled" },
};

for (let i = 0; i < samples; i++) await addAccount(`ann-${i}@example.com`);
await addAccount("bob@example.com");
for (let i = 0; i < 3; i++) await logins.login("bob@example.com", "wrong");

const taken = new Map<string, number[]>([["one hash", []], ...Object.keys(cases).map((name): [string, number[]] => [name, []])]);
for (let i = 0; i < samples; i++) {
  taken.get("one hash")?.push(await time(() => hasher.verify("wrong", hash)));
  // Each time another one begins, so that none always follows the same.
  const entries = Object.entries(cases);
  for (const [name, { identifier, kind }] of [...entries.slice(i % 3), ...entries.slice(0, i % 3)]) {
    const duration = await time(async () => {
      const answer = await logins.login(identifier(i), "wrong");
      if (answer.kind !== kind) throw new Error(`${name}: answered ${answer.kind}`);
    });
    taken.get(name)?.push(duration);
  }
}

for (const [name, durations] of taken) console.log(`${name.padEnd(18)} median ${median(durations).toFixed(2)} ms`);
const medians = Object.keys(cases).map((name) => median(taken.get(name) ?? []));
const difference = (Math.max(...medians) - Math.min(...medians)) / median(taken.get("one hash") ?? []);
console.log(`the medians differ by ${(difference * 100).toFixed(1)} % of one hash; ${allowed * 100} % are allowed`);
if (!(difference <= allowed)) process.exitCode = 1;
