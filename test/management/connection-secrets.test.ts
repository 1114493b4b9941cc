import { beforeAll, describe, expect, test } from "vitest";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { recordingAdapter } from "../protocol/stores.ts";
import { managerOf, object, text, type Json, type Manager } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

const hush = "what-nobody-may-read-again";
const pem = `-----BEGIN PRIVATE KEY-----\n${hush}\n-----END PRIVATE KEY-----`;
const path = "/api/v2/connections";

let manage: Manager;
let data: DataAdapter;
let written: () => string;
const told: unknown[] = [];

beforeAll(async () => {
  const recording = recordingAdapter(createMemoryAdapter({ strict: true }));
  ({ data, written } = recording);
  manage = await managerOf(await createTestPostern({ data, logger: { log: (entry) => void told.push(entry) } }));
});

const strategies: readonly (readonly [strategy: string, options: Json, shown: Json])[] = [
  ["oidc", { client_id: "ours", client_secret: hush, api_token: hush, signingKey: hush }, { client_id: "ours" }],
  ["apple", { kid: "shown", app_secret: hush }, { kid: "shown" }],
  [
    "oauth2",
    { authParams: { prompt: "login", client_secret: hush }, customHeaders: { "x-key": hush } },
    { authParams: { prompt: "login" } },
  ],
  ["samlp", { signing_key: { cert: "shown", key: hush }, decryptionKey: pem }, { signing_key: { cert: "shown" } }],
  ["waad", { domain: "shown", graph: { tokens: [{ access_token: hush }], cert: pem } }, { domain: "shown", graph: {} }],
  ["auth0", { configuration: { DATABASE: hush }, disable_signup: true }, { disable_signup: true }],
  [
    "sms",
    { twilio_token: hush.padEnd(32), gateway_authentication: { audience: "shown", method: "bearer", secret: hush } },
    { gateway_authentication: { audience: "shown", method: "bearer" } },
  ],
];

describe.each(strategies)("secrets in the options of a connection of strategy %s", (strategy, options, shown) => {
  test("are in no reply, no record, no log and no message to the operator, and stay where they are not sent again", async () => {
    const made = await manage.create(path, { name: `c-${strategy}`, strategy, options });
    const one = `${path}/${text(made, "id")}`;
    expect(made["options"]).toMatchObject(shown);
    const stored = async () =>
      (await data.collections.connections.find({ where: { tenant_id: "main", id: text(made, "id") }, limit: 1 }))[0];
    const before = await stored();
    expect(Object.keys(before?.secrets ?? {}).length).toBeGreaterThan(0);

    // What a tool has read it writes back, and takes nothing away by that.
    const again = await manage("PATCH", one, { options: made["options"] });
    expect(object(again)["options"]).toEqual(made["options"]);
    expect(await stored()).toMatchObject({ secrets: before?.secrets, seal: before?.seal });
    const replies = [
      made,
      again,
      await manage("GET", one),
      await manage("GET", `${path}?strategy=${strategy}`),
      await manage("PATCH", one, { display_name: "Other" }),
      await manage("POST", path, { name: `c-${strategy}`, strategy, options }),
      await manage("PATCH", one, { options: { ...options, upstream_params: 1, totp: 1 } }),
      await manage("GET", "/api/v2/logs?per_page=100"),
    ];
    for (const seen of [JSON.stringify(replies), written(), JSON.stringify(told)]) expect(seen.split(hush)).toHaveLength(1);
  });
});
