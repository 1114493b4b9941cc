import { beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { recordingAdapter } from "../protocol/stores.ts";
import { managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

const hiddenValue = "a-secret-that-must-not-leak";
const pem = `-----BEGIN PRIVATE KEY-----\n${hiddenValue}\n-----END PRIVATE KEY-----`;
const path = "/api/v2/connections";

let manage: Manager;
let data: DataAdapter;
let written: () => string;
const logEntries: unknown[] = [];

beforeAll(async () => {
  const recording = recordingAdapter(createMemoryAdapter({ strict: true }));
  ({ data, written } = recording);
  manage = await managerOf(await createTestPostern({ data, logger: { log: (entry) => void logEntries.push(entry) } }));
});

const strategies: readonly (readonly [strategy: string, options: JsonBody, shown: JsonBody])[] = [
  ["oidc", { client_id: "ours", client_secret: hiddenValue, api_token: hiddenValue, signingKey: hiddenValue }, { client_id: "ours" }],
  ["apple", { kid: "shown", app_secret: hiddenValue }, { kid: "shown" }],
  [
    "oauth2",
    { authParams: { prompt: "login", client_secret: hiddenValue }, customHeaders: { "x-key": hiddenValue } },
    { authParams: { prompt: "login" } },
  ],
  ["samlp", { signing_key: { cert: "shown", key: hiddenValue }, decryptionKey: pem }, { signing_key: { cert: "shown" } }],
  ["waad", { domain: "shown", graph: { tokens: [{ access_token: hiddenValue }], cert: pem } }, { domain: "shown", graph: {} }],
  ["auth0", { configuration: { DATABASE: hiddenValue }, disable_signup: true }, { disable_signup: true }],
  [
    "sms",
    { twilio_token: hiddenValue.padEnd(32), gateway_authentication: { audience: "shown", method: "bearer", secret: hiddenValue } },
    { gateway_authentication: { audience: "shown", method: "bearer" } },
  ],
];

describe.each(strategies)("secrets in the options of a connection of strategy %s", (strategy, options, shown) => {
  test("are in no response, stored row, audit event or log entry, and an update without them keeps them", async () => {
    const made = await manage.create(path, { name: `c-${strategy}`, strategy, options });
    const connectionPath = `${path}/${stringMember(made, "id")}`;
    expect(made["options"]).toMatchObject(shown);
    const stored = async () =>
      (await data.collections.connections.find({ where: { tenant_id: "main", id: stringMember(made, "id") }, limit: 1 }))[0];
    const before = await stored();
    expect(Object.keys(before?.secrets ?? {}).length).toBeGreaterThan(0);

    // A tool may write back the options that it has read. This removes no secret.
    const again = await manage("PATCH", connectionPath, { options: made["options"] });
    expect(jsonBody(again)["options"]).toEqual(made["options"]);
    expect(await stored()).toMatchObject({ secrets: before?.secrets, seal: before?.seal });
    const replies = [
      made,
      again,
      await manage("GET", connectionPath),
      await manage("GET", `${path}?strategy=${strategy}`),
      await manage("PATCH", connectionPath, { display_name: "Other" }),
      await manage("POST", path, { name: `c-${strategy}`, strategy, options }),
      await manage("PATCH", connectionPath, { options: { ...options, upstream_params: 1, totp: 1 } }),
      await manage("GET", "/api/v2/logs?per_page=100"),
    ];
    for (const seen of [JSON.stringify(replies), written(), JSON.stringify(logEntries)]) expect(seen.split(hiddenValue)).toHaveLength(1);
  });
});
