import { createMemoryAdapter } from "@postern/memory";
import type { Finding, LogEntry } from "@postern/core";
import { describe, expect, test } from "vitest";
import { countingAdapter } from "../support/counting-adapter.ts";
import type { TenantFactor } from "../../packages/core/src/model/factors/factor-types.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";

/** Findings about policies that require a second factor which users cannot have. */

const sender = { send: async () => {} };

interface Settings {
  readonly factors?: readonly TenantFactor[];
  readonly policies?: readonly ("all-applications" | "confidence-score")[];
  readonly passkeys?: true;
}

/** Sets the factors and policies of a tenant. `webauthn-platform` is stored as an earlier version stored it. */
async function configure({ postern, data }: TestPostern, tenantId: string, { factors = [], policies, passkeys }: Settings): Promise<void> {
  await postern.seed({ tenantId, clients: [] });
  const { guardian, connections } = postern.tenant(tenantId);
  for (const name of factors) if (name !== "webauthn-platform") await guardian.factors.replace(name, { enabled: true });
  await guardian.policies.replace([...(policies ?? ["all-applications"])]);
  if (factors.includes("webauthn-platform")) {
    const [row] = await data.collections.tenants.find({ where: { id: tenantId }, limit: 1 });
    const stored = { "webauthn-platform": true, ...Object.fromEntries(factors.map((name) => [name, true])) };
    await data.collections.tenants.update({ id: tenantId }, { set: { multifactor: { ...Object(row?.["multifactor"]), factors: stored } } });
  }
  if (passkeys !== true) return;
  const [connection] = await connections.list({ name: "Username-Password-Authentication" });
  const authentication_methods = { password: { enabled: true }, passkey: { enabled: true } };
  await connections.update(String(connection?.id), { options: { ...Object(connection?.options), authentication_methods } });
}

async function addUsers({ postern }: TestPostern, tenantId: string, count: number): Promise<readonly string[]> {
  const { users } = postern.tenant(tenantId);
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { user_id: id } = await users.create({
      connection: "Username-Password-Authentication",
      email: `user${i}@${tenantId}.example.test`,
    });
    ids.push(id);
  }
  return ids;
}

const problemsOf = async ({ postern }: TestPostern): Promise<readonly string[]> =>
  (await postern.doctor({ only: "factors" })).map(({ level, check, message }) => `${level} ${check}: ${message}`);

const satisfied = ["ok factors: users can satisfy every policy that requires a factor"];

const cases: readonly (readonly [what: string, settings: Settings, options: TestOptions, expected: string | undefined])[] = [
  ["a policy without factors", {}, {}, "warning factors: the policy 'all-applications' of the tenant 'other' is not in force"],
  ["no policy", { factors: ["sms"], policies: [] }, {}, undefined],
  ["authenticator apps", { factors: ["otp", "sms"] }, {}, undefined],
  ["text messages with a sender", { factors: ["sms"] }, { messages: { sms: sender } }, undefined],
  ["text messages without a sender", { factors: ["sms"] }, { messages: { mail: sender } }, "(sms)"],
  ["email alone", { factors: ["email"] }, { messages: { mail: sender } }, "(email)"],
  ["recovery codes alone", { factors: ["recovery-code"] }, {}, "(recovery-code)"],
  ["platform authenticators alone", { factors: ["webauthn-platform"] }, {}, "(webauthn-platform)"],
  ["security keys", { factors: ["webauthn-roaming"] }, {}, undefined],
  ["security keys at an IP address", { factors: ["webauthn-roaming"] }, { issuer: "http://192.0.2.1/" }, "(webauthn-roaming)"],
  ["passkeys beside email", { factors: ["email"], passkeys: true }, { messages: { mail: sender } }, undefined],
  ["passkeys without factors", { passkeys: true }, {}, "is not in force"],
];

test.each(cases)("%s", async (_, settings, options, expected) => {
  const service = await createTestPostern(options);
  await configure(service, "other", settings);
  const found = await problemsOf(service);
  if (expected === undefined) expect(found).toEqual(satisfied);
  else expect(found).toEqual([expect.stringContaining(expected)]);
});

describe("a tenant whose factors the server cannot use", () => {
  test("is named with its policy, the users without a usable factor, and the cure", async () => {
    const service = await createTestPostern();
    await configure(service, "other", { factors: ["sms"], policies: ["confidence-score"] });
    const [, second = "", blocked = ""] = await addUsers(service, "other", 4);
    await service.postern.tenant("other").users.update(blocked, { blocked: true });
    await service.postern
      .tenant("other")
      .users.authenticationMethods.create(second, { type: "phone", name: "x", phone_number: "+4915112345678" });
    const findings: readonly Finding[] = await service.postern.doctor({ only: "factors" });
    expect(findings).toEqual([
      {
        level: "error",
        check: "factors",
        message:
          "the policy 'confidence-score' of the tenant 'other' cannot be satisfied, because this server can use none of the enabled factors (sms) to protect an account: 3 users without a usable factor cannot sign in",
        cure: expect.stringMatching(/^pass 'messages\.sms', or enable authenticator apps: await postern\.tenant\('other'\)\./),
      },
    ]);
    // The cure works as it is written.
    await service.postern.tenant("other").guardian.factors.replace("otp", { enabled: true });
    expect(await problemsOf(service)).toEqual(satisfied);
  });

  test("counts a user with a usable passkey as protected, and one user in the singular", async () => {
    const service = await createTestPostern();
    await configure(service, "other", { passkeys: true });
    const [first = ""] = await addUsers(service, "other", 2);
    await service.data.collections.users.update({ tenant_id: "other", user_id: first }, { set: { enrolled_factors: ["passkey"] } });
    expect(await problemsOf(service)).toEqual([expect.stringContaining("1 user without a usable factor can sign in")]);
  });

  test("reads at most 1,000 of its users, and one page of tenants", async () => {
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    const service = await createTestPostern({ data });
    await configure(service, "other", { factors: ["sms"] });
    const [id = ""] = await addUsers(service, "other", 1);
    const [row] = await data.collections.users.find({ where: { tenant_id: "other", user_id: id }, limit: 1 });
    if (row === undefined) throw new Error("no user");
    const copies = Array.from({ length: 1200 }, (_, i) => ({
      ...row,
      user_id: `auth0|${i}`,
      email: "",
      email_key: null,
      subject_key: null,
    }));
    await data.collections.users.insert(copies);
    const { statements } = await data.costOf(async () => {
      expect(await problemsOf(service)).toEqual([expect.stringContaining("at least 1000 users")]);
    });
    expect(statements.filter((name) => name === "users.find")).toHaveLength(1);
    expect(statements.filter((name) => name === "tenants.find").length).toBeLessThanOrEqual(2);
  });
});

test("the doctor names twenty tenants, and all of them if it checks only policies", async () => {
  const service = await createTestPostern();
  for (let i = 0; i < 22; i++) await configure(service, `t${i}`, { factors: ["sms"] });
  const all = await service.postern.doctor({ only: "factors" });
  expect(all).toHaveLength(22);
  const some = (await service.postern.doctor({ fetch: (request) => service.postern.fetch(request) })).filter(
    ({ check }) => check === "factors",
  );
  expect(some).toHaveLength(21);
  expect(some.at(-1)).toMatchObject({ level: "warning", cure: expect.stringContaining("postern doctor --factors") });
});

test("the doctor reports a data store that does not respond, and never rejects", async () => {
  const inner = createMemoryAdapter();
  let isUnavailable = false;
  const find: typeof inner.collections.tenants.find = async (query) => {
    if (isUnavailable) throw new Error("unavailable");
    return inner.collections.tenants.find(query);
  };
  const tenants = { ...inner.collections.tenants, find };
  const service = await createTestPostern({ data: { ...inner, collections: { ...inner.collections, tenants } } });
  isUnavailable = true;
  expect(await service.postern.doctor({ only: "factors" })).toEqual([expect.objectContaining({ level: "error", check: "data" })]);
});

test("the first readiness check that succeeds logs the findings once, and its response does not wait for them", async () => {
  const entries: LogEntry[] = [];
  const service = await createTestPostern({ logger: { log: (entry) => void entries.push(entry) } });
  await configure(service, "other", { factors: ["sms"] });
  const logged = () => entries.filter(({ event }) => event === "doctor");
  for (let i = 0; i < 3; i++) {
    const response = await service.postern.ready();
    expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
    service.clock.advance("2s");
  }
  await expect.poll(logged).toHaveLength(1);
  expect(logged()).toEqual([
    { level: "warn", event: "doctor", check: "factors", message: expect.stringContaining("'other'"), cure: expect.any(String) },
  ]);
});
