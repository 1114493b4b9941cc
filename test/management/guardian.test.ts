import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

const root = "/api/v2/guardian";
const factors = `${root}/factors`;
const push = `${factors}/push-notification`;

let service: TestPostern;
let manage: Manager;
let other: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  [manage, other] = await Promise.all([managerOf(service), managerOf(service, "other")]);
});

const names = ["sms", "push-notification", "otp", "email", "duo", "webauthn-roaming", "webauthn-platform", "recovery-code"];

describe("the factors of a tenant", () => {
  const enabled = async (caller = manage) =>
    list(await caller("GET", factors)).flatMap((one) => (one["enabled"] === true ? [one["name"]] : []));

  test("are all listed and disabled by default", async () => {
    expect(list(await manage("GET", factors))).toEqual(names.map((name) => ({ name, enabled: false, trial_expired: false })));
  });

  test("are enabled and disabled one by one, in one tenant only", async () => {
    expect(jsonBody(await manage("PUT", `${factors}/otp`, { enabled: true }))).toEqual({ enabled: true });
    expect(jsonBody(await manage("PUT", `${factors}/sms`, { enabled: true }))).toEqual({ enabled: true });
    expect(await enabled()).toEqual(["sms", "otp"]);
    expect(jsonBody(await manage("PUT", `${factors}/sms`, { enabled: false }))).toEqual({ enabled: false });
    expect(await enabled()).toEqual(["otp"]);
    expect(await enabled(other)).toEqual([]);
  });

  test("are all enabled by parallel requests", async () => {
    const supported = ["sms", "otp", "email", "recovery-code"];
    for (const answer of await Promise.all(supported.map((name) => manage("PUT", `${factors}/${name}`, { enabled: true }))))
      jsonBody(answer);
    expect(await enabled()).toEqual(names.filter((name) => supported.includes(name)));
  });

  test.each(["push-notification", "duo", "webauthn-platform"])("%s cannot be enabled, and can be disabled", async (name) => {
    expectError(
      await manage("PUT", `${factors}/${name}`, { enabled: true }),
      400,
      "invalid_request",
      `does not support the factor '${name}'`,
    );
    expect(jsonBody(await manage("PUT", `${factors}/${name}`, { enabled: false }))).toEqual({ enabled: false });
    expect(await enabled()).toEqual([]);
  });

  test.each(["nonsense", "phone", "passkey", "OTP", "constructor", "__proto__"])(
    "an unknown factor responds with 400: %s",
    async (name) => {
      const response = await manage("PUT", `${factors}/${name}`, { enabled: true });
      expectError(response, 400, "invalid_request", /^path: 'name' must be one of sms, .*, recovery-code$/);
      expect(jsonBody(response, 400)["errorCode"]).toBe("invalid_uri");
    },
  );
});

describe("the policies", () => {
  const path = `${root}/policies`;

  test("are empty by default, and replaced in one tenant", async () => {
    expect((await manage("GET", path)).body).toEqual([]);
    expect((await manage("PUT", path, ["all-applications"])).body).toEqual(["all-applications"]);
    expect((await manage("GET", path)).body).toEqual(["all-applications"]);
    expect((await other("GET", path)).body).toEqual([]);
    expect((await manage("PUT", path, [])).body).toEqual([]);
    expect((await manage("GET", path)).body).toEqual([]);
  });
});

/** Settings that are read and replaced as a whole: the path, the default and another valid body. */
const documents: readonly (readonly [path: string, initial: object, changed: object])[] = [
  [`${factors}/email/settings`, { otp_length: 6, otp_expiration_time: 300 }, { otp_length: 8, otp_expiration_time: 600 }],
  [`${factors}/phone/settings`, { otp_length: 6, otp_expiration_time: 300 }, { otp_length: 10, otp_expiration_time: 30 }],
  [`${factors}/phone/message-types`, { message_types: ["sms"] }, { message_types: ["voice", "sms"] }],
  [`${factors}/phone/selected-provider`, { provider: "auth0" }, { provider: "twilio" }],
  [
    `${factors}/phone/templates`,
    { enrollment_message: expect.stringContaining("{{ code }}"), verification_message: expect.stringContaining("{{ code }}") },
    { enrollment_message: "Add it: {{ code }}", verification_message: "Sign in: {{ code }}" },
  ],
  [`${push}/selected-provider`, { provider: "guardian" }, { provider: "sns" }],
  [
    `${root}/settings`,
    {
      display_remember_me_checkbox: true,
      remember_me_default_value: false,
      mfa_session_inactivity_timeout: 604_800,
      mfa_session_overall_timeout: 2_592_000,
    },
    {
      display_remember_me_checkbox: false,
      remember_me_default_value: true,
      mfa_session_inactivity_timeout: 3600,
      mfa_session_overall_timeout: 3600,
    },
  ],
];

describe.each(documents)("%s", (path, initial, changed) => {
  test("has defaults, and is replaced in one tenant", async () => {
    expect(jsonBody(await manage("GET", path))).toEqual(initial);
    expect(jsonBody(await manage("PUT", path, changed))).toEqual(changed);
    expect(jsonBody(await manage("GET", path))).toEqual(changed);
    expect(jsonBody(await other("GET", path))).toEqual(initial);
    for (const [document, before] of documents) if (document !== path) expect(jsonBody(await manage("GET", document))).toEqual(before);
  });

  test("rejects a body without a member", async () => {
    for (const member of Object.keys(changed)) {
      const { [member]: _, ...rest } = { ...changed } as { readonly [name: string]: unknown };
      expectError(await manage("PUT", path, rest), 400, "invalid_request", member);
    }
    expectError(await manage("PUT", path, { ...changed, more: 1 }), 400, "invalid_request", "more");
    expect(jsonBody(await manage("GET", path))).toEqual(initial);
  });
});

describe.each([
  ["webauthn-roaming", { userVerification: "discouraged", overrideRelyingParty: false }],
  ["webauthn-platform", { overrideRelyingParty: false }],
])("the settings of %s", (factor, initial) => {
  const path = `${factors}/${factor}/settings`;

  test("have defaults, and are changed member by member in one tenant", async () => {
    expect(jsonBody(await manage("GET", path))).toEqual(initial);
    const changed = { ...initial, overrideRelyingParty: true, relyingPartyIdentifier: "example.com" };
    expect(jsonBody(await manage("PUT", path, { overrideRelyingParty: true, relyingPartyIdentifier: "example.com" }))).toEqual(changed);
    expect(jsonBody(await manage("PUT", path, { userVerification: "preferred" }))).toEqual({ ...changed, userVerification: "preferred" });
    expect(jsonBody(await manage("GET", path))).toEqual({ ...changed, userVerification: "preferred" });
    expect(jsonBody(await other("GET", path))).toEqual(initial);
    const removed = { overrideRelyingParty: false, relyingPartyIdentifier: null };
    expect(jsonBody(await manage("PUT", path, removed))).toEqual({ ...initial, userVerification: "preferred" });
    expect(jsonBody(await manage("PUT", path, {}))).toEqual({ ...initial, userVerification: "preferred" });
  });

  test.each([
    { userVerification: "never" },
    { overrideRelyingParty: "yes" },
    { relyingPartyIdentifier: "https://example.com" },
    { more: 1 },
  ])("cannot be %j", async (body) => {
    expectError(await manage("PUT", path, body), 400, "invalid_request", Object.keys(body)[0]);
  });
});

test("Auth0's two names of the factor for phones have the same settings", async () => {
  for (const [path, body] of [
    ["selected-provider", { provider: "phone-message-hook" }],
    ["templates", { enrollment_message: "{{ code }}", verification_message: "{{code}}" }],
    ["providers/twilio", { from: "+15550100", sid: "AC1", messaging_service_sid: "MG1" }],
  ] as const) {
    jsonBody(await manage("PUT", `${factors}/sms/${path}`, body));
    expect(jsonBody(await manage("GET", `${factors}/phone/${path}`))).toEqual(body);
    expect(jsonBody(await manage("GET", `${factors}/sms/${path}`))).toEqual(body);
  }
});

const secret = "a-secret-that-is-never-shown";

/** Services with credentials: path, name of the stored document, settings and secrets. */
const providers = [
  [`${factors}/phone/providers/twilio`, "twilio", { from: "+15550100", messaging_service_sid: "MG1", sid: "AC1" }, ["auth_token"]],
  [`${factors}/duo/settings`, "duo", { ikey: "DI1", host: "api.duo.example.test" }, ["skey"]],
  [
    `${push}/providers/sns`,
    "sns",
    { aws_region: "eu-north-1", sns_apns_platform_application_arn: "arn:1", sns_gcm_platform_application_arn: "arn:2" },
    ["aws_access_key_id", "aws_secret_access_key"],
  ],
  [`${push}/providers/apns`, "apns", { sandbox: true, bundle_id: "com.example.app" }, ["p12"]],
  [`${push}/providers/fcm`, "fcm", {}, ["server_key"]],
  [`${push}/providers/fcmv1`, "fcmv1", {}, ["server_credentials"]],
] as const;

describe.each(providers)("the credentials at %s", (path, id, settings, secretNames) => {
  const secrets = Object.fromEntries(secretNames.map((name) => [name, `${secret}-${name}`]));
  const reply = id === "apns" ? { ...settings, enabled: true } : settings;
  const empty = id === "apns" ? { enabled: false } : {};
  const readable = !id.startsWith("fcm");
  const isTwilio = id === "twilio";
  const storedRow = async (tenant_id = "main") =>
    (await service.data.collections.stored_documents.find({ where: { tenant_id, kind: "factor-provider", name: id }, limit: 1 }))[0];

  test("are stored encrypted, and their secrets are in no response or audit event", async () => {
    if (readable) expect(jsonBody(await manage("GET", path))).toEqual(empty);
    const answers = [await manage("PUT", path, { ...settings, ...secrets })];
    expect(answers[0]?.body).toEqual(reply);
    if (readable) answers.push(await manage("GET", path));
    if (readable) expect(answers[1]?.body).toEqual(reply);
    answers.push(await manage("GET", "/api/v2/logs?per_page=100"));
    expect(JSON.stringify(answers)).not.toContain(secret);
    const row = await storedRow();
    expect(Object.keys(row?.secrets ?? {})).toEqual([...secretNames]);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(row?.seal).not.toBe("");
    expect(await storedRow("other")).toBeUndefined();
    if (readable) expect(jsonBody(await other("GET", path))).toEqual(empty);
  });

  test("keep a secret that a later body does not contain", async () => {
    jsonBody(await manage("PUT", path, { ...settings, ...secrets }));
    const before = (await storedRow())?.secrets;
    expect(jsonBody(await manage("PUT", path, settings))).toEqual(reply);
    expect((await storedRow())?.secrets).toEqual(before);
  });

  test.skipIf(isTwilio)("are changed by PATCH, which keeps the settings that its body does not contain", async () => {
    expect(jsonBody(await manage("PATCH", path, { ...settings, ...secrets }))).toEqual(reply);
    const [name = ""] = secretNames;
    const before = (await storedRow())?.secrets;
    expect(jsonBody(await manage("PATCH", path, { [name]: "another" }))).toEqual(reply);
    const after = (await storedRow())?.secrets;
    expect({ ...after, [name]: "" }).toEqual({ ...before, [name]: "" });
    expect(after?.[name]).not.toBe(before?.[name]);
  });

  test("lose a member that is null", async () => {
    jsonBody(await manage("PUT", path, { ...settings, ...secrets }));
    const nulls = Object.fromEntries([...Object.keys(settings), ...secretNames].map((name) => [name, name === "sandbox" ? false : null]));
    expect(jsonBody(await manage("PUT", path, nulls))).toEqual(id === "apns" ? { sandbox: false, enabled: false } : {});
    expect(await storedRow()).toMatchObject({ secrets: null, seal: "" });
  });

  const invalid: readonly (readonly [string, JsonBody, string])[] = [
    ["an unknown member", { password: "x" }, "password"],
    ["a secret that is not text", { [secretNames[0]]: 7 }, secretNames[0]],
    ["a secret that is too long", { [secretNames[0]]: "x".repeat(10_001) }, secretNames[0]],
    ...(id === "duo" ? [] : [["an empty secret", { [secretNames[0]]: "" }, secretNames[0]] as const]),
  ];
  test.each(invalid)("are rejected with %s", async (_, more, member) => {
    for (const method of isTwilio ? ["PUT"] : ["PUT", "PATCH"]) {
      expectError(await manage(method, path, { ...settings, ...more }), 400, "invalid_request", member);
      expectError(await manage(method, path, []), 400, "invalid_request");
    }
    expect(await storedRow()).toBeUndefined();
  });
});

test("rejects the first host of Duo unless the request contains the key that is stored", async () => {
  const path = `${factors}/duo/settings`;
  jsonBody(await manage("PUT", path, { ikey: "DI1", skey: secret }));
  expect(jsonBody(await manage("PUT", path, { ikey: "DI2" }))).toEqual({ ikey: "DI2" });
  expectError(await manage("PATCH", path, { host: "collector.example.test" }), 400, "invalid_request", "send 'skey' again");
});

test("rejects another host of Duo unless the request contains the key", async () => {
  const path = `${factors}/duo/settings`;
  jsonBody(await manage("PUT", path, { ikey: "DI1", host: "api.duo.example.test", skey: secret }));
  const moved = { ikey: "DI1", host: "collector.example.test" };
  for (const method of ["PUT", "PATCH"]) expectError(await manage(method, path, moved), 400, "invalid_request", "send 'skey' again");
  expect(jsonBody(await manage("GET", path))).toMatchObject({ host: "api.duo.example.test" });
  expect(jsonBody(await manage("PATCH", path, { ...moved, skey: "another" }))).toEqual(moved);
  expectError(await manage("PUT", path, { ...moved, host: "user:pw@duo.example.test", skey: "x" }), 400, "invalid_request", "host");
});

test.each([
  ["PUT", {}, {}],
  ["PUT", { ikey: "DI1" }, { ikey: "DI1" }],
  ["PUT", { ikey: null, host: null, skey: null }, {}],
  ["PUT", { ikey: "", host: "", skey: "" }, {}],
  ["PATCH", { host: null }, { ikey: "DI1" }],
  ["PATCH", { host: "" }, { ikey: "DI1" }],
])("%s %o removes the host of Duo, and with it the key", async (method, body, rest) => {
  const path = `${factors}/duo/settings`;
  jsonBody(await manage("PUT", path, { ikey: "DI1", host: "api.duo.example.test", skey: secret }));
  const reply = jsonBody(await manage(method, path, body));
  expect(reply).toEqual(rest);
  expect(jsonBody(await manage("GET", path))).toEqual(reply);
  const where = { tenant_id: "main", kind: "factor-provider", name: "duo" };
  expect(await service.data.collections.stored_documents.find({ where, limit: 1 })).toMatchObject([{ secrets: null, seal: "" }]);
  expect(jsonBody(await manage("PATCH", path, { host: "collector.example.test" }))).toMatchObject({ host: "collector.example.test" });
});

test("stores settings of Duo that have the maximum length", async () => {
  const settings = { ikey: "\u0001".repeat(10_000), host: "€".repeat(10_000) };
  expect(jsonBody(await manage("PUT", `${factors}/duo/settings`, settings))).toEqual(settings);
});

test("credentials that parallel requests create are stored once, and no request fails with an error of the server", async () => {
  const path = `${factors}/sms/providers/twilio`;
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => manage("PUT", path, { sid: `AC${index}`, auth_token: secret })),
  );
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(answers.filter(({ status }) => status === 200)).not.toEqual([]);
  expect(jsonBody(await manage("GET", path))).toEqual({ sid: expect.stringMatching(/^AC\d+$/) });
});

test.each<[path: string, body: unknown, member: string]>([
  [`${factors}/otp`, {}, "enabled"],
  [`${factors}/otp`, { enabled: "true" }, "enabled"],
  [`${factors}/otp`, { enabled: true, name: "sms" }, "name"],
  [`${root}/policies`, ["sometimes"], ""],
  [`${root}/policies`, { policies: [] }, ""],
  [`${root}/policies`, ["all-applications", "all-applications", "all-applications"], ""],
  [`${factors}/email/settings`, { otp_length: 5, otp_expiration_time: 300 }, "otp_length"],
  [`${factors}/email/settings`, { otp_length: 11, otp_expiration_time: 300 }, "otp_length"],
  [`${factors}/phone/settings`, { otp_length: 6.5, otp_expiration_time: 300 }, "otp_length"],
  [`${factors}/phone/settings`, { otp_length: 6, otp_expiration_time: 29 }, "otp_expiration_time"],
  [`${factors}/phone/settings`, { otp_length: 6, otp_expiration_time: 3601 }, "otp_expiration_time"],
  [`${factors}/phone/message-types`, { message_types: ["fax"] }, "message_types"],
  [`${factors}/phone/message-types`, { message_types: "sms" }, "message_types"],
  [`${factors}/sms/selected-provider`, { provider: "carrier" }, "provider"],
  [`${push}/selected-provider`, { provider: null }, "provider"],
  [`${factors}/sms/templates`, { enrollment_message: "", verification_message: "{{ code }}" }, "enrollment_message"],
  [
    `${factors}/phone/templates`,
    { enrollment_message: "a", verification_message: "{% if %}" },
    "'verification_message' is not valid Liquid",
  ],
  [
    `${root}/settings`,
    {
      display_remember_me_checkbox: true,
      remember_me_default_value: true,
      mfa_session_inactivity_timeout: 7200,
      mfa_session_overall_timeout: 3600,
    },
    "mfa_session_inactivity_timeout",
  ],
])("PUT %s rejects %j", async (path, body, member) => {
  expectError(await manage("PUT", path, body), 400, "invalid_request", member);
});

describe("callers without the scope of the route", () => {
  type Call = readonly [scope: string, method: string, path: string];
  const calls: readonly Call[] = [
    ["read:guardian_factors", "GET", factors],
    ["update:guardian_factors", "PUT", `${factors}/otp`],
    ["read:mfa_policies", "GET", `${root}/policies`],
    ["update:mfa_policies", "PUT", `${root}/policies`],
    ...documents.map(([path]): Call => ["read:guardian_factors", "GET", path]),
    ...documents.map(([path]): Call => ["update:guardian_factors", "PUT", path]),
    ...providers.map(([path]): Call => ["update:guardian_factors", "PUT", path]),
  ];

  test.each(calls)("%s is required for %s %s", async (scope, method, path) => {
    const scopes = ["read:guardian_factors", "update:guardian_factors", "read:mfa_policies", "update:mfa_policies"];
    const token = await tokenWith(
      service,
      manage,
      scopes.filter((one) => one !== scope),
    );
    const answer = await service.call(method, path, { token, ...(method === "PUT" && { body: {} }) });
    expectError(answer, 403, "insufficient_scope", scope);
  });
});
