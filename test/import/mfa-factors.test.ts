import { beforeEach, describe, expect, test } from "vitest";
import { jsonBody, type JsonBody } from "../support/api.ts";
import { createCrashingStore } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";
import {
  fakeHasher,
  loginState,
  redirectOf,
  screenName,
  sendAuthorization,
  sendStep,
  submitStep,
  successParameters,
} from "../support/flow.ts";
import { codeOf } from "../support/outbox.ts";
import { openFactorService, totpAt, type FactorService } from "../factors/support.ts";

const connection = "Username-Password-Authentication";
const password = "correct horse battery";
const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const phone = "+491701234567";

let service: FactorService;

beforeEach(async () => {
  service = await openFactorService();
});

interface Outcome {
  readonly faults: readonly unknown[];
  readonly inserted: number;
  readonly updated: number;
}

async function importUsers(users: readonly object[], upsert = false, { postern } = service): Promise<Outcome> {
  const faults: unknown[] = [];
  const counts = await postern.importUsers("main", users, { connection, upsert, onRejected: (_user, found) => faults.push(...found) });
  return { faults, inserted: counts.inserted, updated: counts.updated };
}

const newUser = async (factors: readonly object[], more: object = {}): Promise<object> => ({
  email: "new@example.test",
  email_verified: true,
  password_hash: await fakeHasher.hash(password),
  mfa_factors: factors,
  ...more,
});

async function methodsOf(email: string): Promise<readonly JsonBody[]> {
  const [user] = await service.data.collections.users.find({ where: { tenant_id: "main", connection, email_key: email }, limit: 1 });
  const { status, json } = await fetchMethods(user?.user_id ?? "none");
  expect(status).toBe(200);
  return json;
}

async function fetchMethods(userId: string): Promise<{ readonly status: number; readonly json: readonly JsonBody[] }> {
  const reply = await service.manage("GET", `/api/v2/users/${encodeURIComponent(userId)}/authentication-methods`);
  return { status: reply.status, json: reply.body as readonly JsonBody[] };
}

/** Signs in with the password. */
async function signIn(email: string) {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  await submitStep(browser, state, { action: "continue", identifier: email });
  return { browser, state, reply: await submitStep(browser, state, { action: "sign-in", password }) };
}

describe("an imported user with an authenticator app", () => {
  test("must enter its code, and no other code is accepted", async () => {
    expect(await importUsers([await newUser([{ totp: { secret } }], { multifactor: ["guardian"] })])).toEqual({
      faults: [],
      inserted: 1,
      updated: 0,
    });
    const { browser, state, reply } = await signIn("new@example.test");
    expect(screenName(reply)).toBe("factor");
    const code = totpAt(secret, service.clock.now());
    const wrong = code === "000000" ? "000001" : "000000";
    expect(await (await sendStep(browser, state, { action: "enter-factor-code", code: wrong })).json()).toMatchObject({
      error: "invalid_grant",
    });
    successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code })));
  });

  test("has the factor in the Management API, without the key", async () => {
    await importUsers([await newUser([{ totp: { secret } }])]);
    const methods = await methodsOf("new@example.test");
    expect(methods).toMatchObject([{ type: "totp", confirmed: true }]);
    expect(JSON.stringify(methods)).not.toContain(secret);
    const [user] = jsonBody(await service.manage("GET", `/api/v2/users?include_totals=true&q=email:"new@example.test"`))[
      "users"
    ] as JsonBody[];
    expect(user).toMatchObject({ multifactor: ["guardian"], multifactor_last_modified: new Date(service.clock.now()).toISOString() });
  });
});

test("an imported phone number receives the code", async () => {
  await importUsers([await newUser([{ phone: { value: phone } }, { email: { value: "second@example.test" } }])]);
  const { browser, state } = await signIn("new@example.test");
  await submitStep(browser, state, { action: "choose-factor", factor: "phone" });
  const sent = service.outbox.take(phone);
  successParameters(redirectOf(await submitStep(browser, state, { action: "enter-factor-code", code: codeOf(sent) })));
});

test("rejects invalid factors, and imports nothing of their user", async () => {
  const invalid = [
    [],
    [{}],
    [{ totp: { secret: "short" } }],
    [{ totp: { secret: "jbswy3dpehpk3pxp" } }],
    [{ totp: {} }],
    [{ phone: { value: "0170 1234567" } }],
    [{ email: { value: "no-address" } }],
    [{ push: { value: "device" } }],
    [{ phone: { value: phone }, email: { value: "second@example.test" } }],
    Array.from({ length: 11 }, (_, i) => ({ phone: { value: `${phone}${i}` } })),
    "totp",
  ];
  for (const factors of invalid) {
    const user = { email: "new@example.test", mfa_factors: factors };
    const { faults, inserted } = await importUsers([user]);
    expect([inserted, faults[0]], JSON.stringify(factors)).toEqual([
      0,
      { code: "INVALID_FORMAT", message: expect.any(String), path: expect.stringMatching(/^mfa_factors/) },
    ]);
  }
  expect(await service.data.collections.factors.count({ tenant_id: "main" })).toBe(0);
});

test("an import of an existing user without upsert adds no factor", async () => {
  const { faults } = await importUsers([
    { email: service.ada.email, mfa_factors: [{ phone: { value: phone } }] },
    { user_id: service.ada.userId, email: "other@example.test", mfa_factors: [{ phone: { value: phone } }] },
  ]);
  expect(faults).toMatchObject([{ code: "DUPLICATED_USER" }, { code: "DUPLICATED_USER" }]);
  expect(await service.data.collections.factors.count({ tenant_id: "main" })).toBe(0);
});

describe("an import with upsert", () => {
  test("adds factors to a user without factors, and none again when it is repeated", async () => {
    const users = [{ email: service.ada.email, mfa_factors: [{ phone: { value: phone } }, { totp: { secret } }] }];
    expect(await importUsers(users, true)).toEqual({ faults: [], inserted: 0, updated: 1 });
    expect(await importUsers(users, true)).toEqual({ faults: [], inserted: 0, updated: 1 });
    expect(new Set((await methodsOf(service.ada.email)).map(({ type }) => type))).toEqual(new Set(["phone", "totp"]));
  });

  test("adds no factor to a user who has another one, and changes nothing", async () => {
    await importUsers([{ email: service.ada.email, mfa_factors: [{ totp: { secret } }] }], true);
    const { faults, updated } = await importUsers(
      [{ email: service.ada.email, name: "Eve", mfa_factors: [{ phone: { value: phone } }] }],
      true,
    );
    expect([updated, faults]).toEqual([0, [{ code: "MFA_FACTORS_FAILED", message: expect.any(String), path: "mfa_factors" }]]);
    expect((await methodsOf(service.ada.email)).map(({ type }) => type)).toEqual(["totp"]);
    expect(jsonBody(await service.manage("GET", `/api/v2/users/${service.ada.userId}`))["name"]).not.toBe("Eve");
  });
});

test("after a crash at any write, no account lacks its factors, and a repeated import completes it", async () => {
  const store = createCrashingStore();
  const crashing = await openFactorService({ data: store.data });
  const { users, factors } = crashing.data.collections;
  let imports = 0;
  await forEachWrite(async (write) => {
    const id = `d${++imports}`;
    const email = `${id}@example.test`;
    const user = { user_id: id, email, mfa_factors: [{ totp: { secret } }, { phone: { value: phone } }] };
    store.crashAt(write);
    const isComplete = await importUsers([user], false, crashing).then(
      () => true,
      () => false,
    );
    expect(isComplete).toBe(write === Infinity);
    const writes = store.writes.length;
    store.recover();
    const count = () => factors.count({ tenant_id: "main", user_id: `${connection}|${id}` });
    const [found] = await users.find({ where: { tenant_id: "main", connection, email_key: email }, limit: 1 });
    if (found !== undefined) expect([found.enrolled_factors, await count()], `write ${write}`).toEqual([["phone", "totp"], 2]);
    expect((await importUsers([user], true, crashing)).faults, `write ${write}`).toEqual([]);
    expect(await count(), `write ${write}`).toBe(2);
    return writes;
  });
});
