import type { Postern, Seed } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import { createTestPostern } from "../support/postern.ts";

const passwords = "Username-Password-Authentication";

const seed: Seed = {
  tenantId: "acme",
  secondFactors: {
    factors: { otp: true, sms: true, "recovery-code": true },
    phoneMessageTypes: ["sms", "voice"],
    policies: ["all-applications"],
  },
  passkeys: { enabled: true, progressive_enrollment_enabled: false },
};

let postern: Postern;
let warnings: (string | undefined)[];

beforeEach(async () => {
  warnings = [];
  const logger = {
    log: ({ event, message }: { readonly event: string; readonly message?: unknown }) =>
      void (event === "seed_differs" && warnings.push(String(message))),
  };
  ({ postern } = await createTestPostern({ data: createMemoryAdapter({ strict: true }), logger }));
});

/** The settings of the tenant's factors and passkeys, as the Management API returns them. */
async function read() {
  const { guardian, connections } = postern.tenant("acme");
  const [connection] = await connections.list({ name: passwords });
  if (connection === undefined) throw new Error("the password connection does not exist");
  return {
    enabled: (await guardian.factors.list()).filter((factor) => factor.enabled).map(({ name }) => name),
    types: (await guardian.factors.phone.messageTypes.get()).message_types,
    policies: await guardian.policies.list(),
    connection,
  };
}

test("a seed enables second factors, their policy and passkeys of a new tenant, and seeding again writes nothing", async () => {
  await postern.seed({ tenantId: "plain" });
  const [plain] = await postern.tenant("plain").connections.list({ name: passwords });
  const { created } = await postern.seed(seed);
  expect(created).toEqual([`passkeys of connection '${passwords}'`, "second factors"]);
  const { connection, ...settings } = await read();
  expect(settings).toEqual({ enabled: ["sms", "otp", "recovery-code"], types: ["sms", "voice"], policies: ["all-applications"] });
  // All other options are those of a connection without a seed, such as the password policy.
  expect(connection.options).toEqual({
    ...plain?.options,
    authentication_methods: { password: { enabled: true }, passkey: { enabled: true } },
    passkey_options: { progressive_enrollment_enabled: false },
  });
  expect(await postern.seed(seed)).toMatchObject({ created: [], changed: [], differences: [] });
});

test("an existing tenant keeps its factors and passkeys, and the seed reports the differences", async () => {
  await postern.seed({ tenantId: "acme" });
  const before = await read();
  const report = await postern.seed(seed);
  expect(report).toMatchObject({ created: [], changed: [] });
  expect(report.differences.map(({ subject, field }) => `${subject}: ${field}`)).toEqual([
    `passkeys of connection '${passwords}': enabled`,
    `passkeys of connection '${passwords}': progressive_enrollment_enabled`,
    "second factors: factors",
    "second factors: phoneMessageTypes",
    "second factors: policies",
  ]);
  expect(warnings).toHaveLength(5);
  expect(await read()).toEqual(before);
});

test("with `sync`, each start sets the factors and options in the seed, and no others", async () => {
  await postern.seed(seed);
  const { guardian, connections } = postern.tenant("acme");
  await guardian.factors.replace("webauthn-roaming", { enabled: true });
  await guardian.factors.replace("otp", { enabled: false });
  await guardian.policies.replace([]);
  const { connection } = await read();
  const { passkey_options: _options, ...options } = connection.options;
  await connections.update(connection.id, { options: { ...options, disable_signup: true } });
  const { changed } = await postern.seed({
    ...seed,
    secondFactors: { ...seed.secondFactors, sync: true },
    passkeys: { enabled: false, challenge_ui: "button", sync: true },
  });
  expect(changed).toEqual([`passkeys of connection '${passwords}'`, "second factors"]);
  const after = await read();
  expect(after).toMatchObject({ enabled: ["sms", "otp", "webauthn-roaming", "recovery-code"], policies: ["all-applications"] });
  expect(after.connection.options).toEqual({
    ...options,
    disable_signup: true,
    authentication_methods: { password: { enabled: true }, passkey: { enabled: false } },
    passkey_options: { challenge_ui: "button" },
  });
});

test.each<[string, Partial<Seed>, string]>([
  ["an unknown connection", { passkeys: { enabled: true, connection: "none" } }, "passkeys of connection 'none' cannot be used"],
  [
    "an unknown factor",
    { secondFactors: { factors: { totp: true } as object } },
    "second factors cannot be used: path: 'name' must be one of sms,",
  ],
  ["an unknown policy", { secondFactors: { policies: ["always" as never] } }, "second factors cannot be used"],
])("rejects %s", async (_, part, message) => {
  await expect(postern.seed({ tenantId: "acme", ...part })).rejects.toMatchObject({
    code: "configuration_error",
    message: expect.stringContaining(message) as string,
  });
});
