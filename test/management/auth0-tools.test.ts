import { beforeEach, describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { strictAdapter } from "../protocol/stores.ts";
import { expectError, jsonBody, list, managerOf, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

/** Requests as Auth0's Terraform provider, its CLI and its SDKs for Go, Python and Java send them. */

let manage: Manager;

beforeEach(async () => {
  manage = await managerOf(await createTestPostern({ data: strictAdapter(createMemoryAdapter({ strict: true })) }));
});

const get = async (path: string) => manage("GET", `/api/v2/${path}`);

test("paging parameters are accepted by lists that Auth0 never pages", async () => {
  const client = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "non_interactive" }), "client_id");
  expect(await get(`clients/${client}/credentials?include_totals=true&per_page=50`)).toMatchObject({ status: 200, body: [] });
  expect(await get("log-streams?per_page=100")).toMatchObject({ status: 200, body: [] });
  expect(await get("actions/actions?installed=false&page=0&per_page=50")).toMatchObject({ status: 200, body: { actions: [], total: 0 } });
  const role = stringMember(await manage.create("/api/v2/roles", { name: "Admin" }), "id");
  expect(await get(`roles/${role}/users?page=0&take=2`)).toMatchObject({ status: 200, body: { users: [] } });
});

/** The requests of `auth0 terraform generate` for a new tenant. If one of them fails, the command stops. */
const generate = [
  "actions/actions?page=0&per_page=50",
  "branding/phone/providers",
  "clients?include_fields=true&include_totals=true&is_global=false&page=0&per_page=50&fields=client_id%2Cname%2Cexternal_metadata_type",
  "client-grants?take=50",
  "connections?fields=id%2Cname&include_fields=true&include_totals=true&page=0&per_page=50",
  "custom-domains",
  "flows?include_totals=true&per_page=50",
  "flows/vault/connections?include_totals=true&per_page=50",
  "forms?include_totals=true&page=0&per_page=50",
  "log-streams",
  "network-acls",
  "organizations?include_totals=true&page=0&per_page=100",
  "prompts/rendering?include_totals=true&per_page=50",
  "resource-servers?fields=id%2Cname%2Cscopes&include_fields=true&include_totals=true&page=0&per_page=100",
  "roles?fields=id%2Cname&include_fields=true&include_totals=true&page=0&per_page=50",
  "self-service-profiles?include_totals=true&page=0&per_page=50",
  "tenants/settings",
  "actions/triggers/post-login/bindings?per_page=50",
  "actions/triggers/custom-phone-provider/bindings?per_page=50",
  "user-attribute-profiles?from=",
  "branding/phone/templates",
];

test.each(generate)("the CLI reads %s to generate files for Terraform", async (path) => {
  expect(await get(path)).toMatchObject({ status: 200 });
});

test.each(["branding/themes/default", "emails/provider", "email-templates/async_approval"])(
  "the CLI continues after a 404 of %s",
  async (path) => {
    expectError(await get(path), 404, "not_found");
  },
);

test("an empty cursor selects the first page", async () => {
  await manage.create("/api/v2/roles", { name: "Admin" });
  expect(await get("roles?from=&take=2")).toMatchObject({ status: 200, body: { roles: [{ name: "Admin" }] } });
});

describe("the options of a connection", () => {
  const create = (strategy: string, options: object) => manage.create("/api/v2/connections", { name: strategy, strategy, options });

  test("may be null: the SMS and Okta connections of the Terraform provider", async () => {
    const sms = {
      name: "sms",
      from: null,
      syntax: "md_with_macros",
      template: "@@password@@",
      twilio_sid: `AC${"0".repeat(32)}`,
      twilio_token: "t".repeat(32),
      messaging_service_sid: null,
      provider: "twilio",
      brute_force_protection: true,
    };
    expect((await create("sms", sms))["options"]).not.toHaveProperty("from");
    const addresses = { authorization_endpoint: null, issuer: null, jwks_uri: null, userinfo_endpoint: null, token_endpoint: null };
    const okta = { client_id: "ours", client_secret: "hush", domain: "corp.okta.com", ...addresses };
    expect((await create("okta", okta))["options"]).toEqual(expect.objectContaining({ client_id: "ours", domain: "corp.okta.com" }));
  });

  test("may be Auth0's defaults, which have no effect", async () => {
    const okta = await create("okta", { attribute_map: { mapping_mode: "basic_profile" } });
    expect(okta["options"]).toMatchObject({ attribute_map: { mapping_mode: "basic_profile" } });
    const more = {
      set_user_root_attributes: "on_each_login",
      non_persistent_attrs: [],
      upstream_params: { screen_name: { alias: "login_hint" } },
    };
    expect((await create("email", { name: "email", ...more }))["options"]).toMatchObject(more);
    expect((await create("sms", more))["options"]).toMatchObject(more);
  });
});

describe("a PATCH with empty stages", () => {
  test("leaves breached-password detection unchanged", async () => {
    const path = "/api/v2/attack-protection/breached-password-detection";
    const shields = { shields: ["admin_notification"] };
    jsonBody(await manage("PATCH", path, { stage: { "pre-change-password": shields } }));
    const stage = { "pre-change-password": {}, "pre-user-registration": {} };
    const changed = jsonBody(await manage("PATCH", path, { method: "standard", stage }));
    expect(changed["stage"]).toEqual({ "pre-change-password": shields, "pre-user-registration": { shields: ["block"] } });
    expect(jsonBody(await manage("GET", path))).toEqual(changed);
  });

  test("leaves suspicious IP throttling unchanged, except for the members that it has", async () => {
    const path = "/api/v2/attack-protection/suspicious-ip-throttling";
    const before = jsonBody(await manage("GET", path))["stage"];
    const stage = { "pre-login": { max_attempts: 7 }, "pre-user-registration": {} };
    expect(jsonBody(await manage("PATCH", path, { stage }))["stage"]).toEqual({
      ...(before as object),
      "pre-login": { max_attempts: 7, rate: 864_000 },
    });
  });
});

test("an invitation with a lifetime of 0 has the default lifetime", async () => {
  const client = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "native" }), "client_id");
  const organization = stringMember(await manage.create("/api/v2/organizations", { name: "corp" }), "id");
  const invitation = {
    inviter: { name: "Ada" },
    invitee: { email: "grace@example.test" },
    client_id: client,
    send_invitation_email: false,
  };
  const made = await manage.create(`/api/v2/organizations/${organization}/invitations`, { ...invitation, ttl_sec: 0 });
  expect(made).toMatchObject({ ttl_sec: 604_800 });
});

describe("an API is found by its identifier", () => {
  const identifier = "https://orders.example.test/api v1";
  const once = encodeURIComponent(identifier);
  const twice = encodeURIComponent(once);

  test.each([
    ["once", once],
    ["twice", twice],
  ])("that is percent-encoded %s", async (_, encoded) => {
    await manage.create("/api/v2/resource-servers", { identifier });
    expect(await get(`resource-servers/${encoded}`)).toMatchObject({ status: 200, body: { identifier } });
    expect(await manage("PATCH", `/api/v2/resource-servers/${encoded}`, { name: "Orders" })).toMatchObject({ status: 200 });
    expect(await manage("DELETE", `/api/v2/resource-servers/${encoded}`)).toMatchObject({ status: 204 });
    expect(await get(`resource-servers/${once}`)).toMatchObject({ status: 404 });
  });

  test("as it is before the second decoding, if an API has that identifier", async () => {
    const encoded = "urn:orders%2Fv1";
    await manage.create("/api/v2/resource-servers", { identifier: encoded });
    await manage.create("/api/v2/resource-servers", { identifier: decodeURIComponent(encoded) });
    expect(await get(`resource-servers/${encodeURIComponent(encoded)}`)).toMatchObject({ body: { identifier: encoded } });
  });

  test("and not by text that cannot be decoded again or stored", async () => {
    for (const encoded of ["%25", "100%25", "%2500", "%25ED%25A0%2580"])
      expectError(await get(`resource-servers/${encoded}`), 404, "not_found");
  });
});

describe("a list of values", () => {
  /** Every parameter that is a list, with one of its values. Most lists also have `fields`. */
  const parameters: readonly (readonly [path: string, name: string, value: string])[] = [
    ["clients/{id}/connections", "strategy", "auth0"],
    ["clients", "app_type", "non_interactive"],
    ["clients", "fields", "client_id"],
    ["connections", "strategy", "auth0"],
    ["flows", "hydrate", "form_count"],
    ["forms", "hydrate", "links"],
    ["organizations/{id}/client-grants", "grant_ids", "cgr_1"],
    ["resource-servers", "identifiers", "https://orders.example.test/"],
  ];

  test("is in the table of this test, if it is a parameter of the OpenAPI document", async () => {
    const { paths } = jsonBody(await get("spec"));
    const found = Object.entries(paths as { readonly [path: string]: JsonBody }).flatMap(([path, { get: operation }]) => {
      const { parameters: declared = [] } = (operation ?? {}) as { readonly parameters?: readonly JsonBody[] };
      const lists = declared.filter(({ schema, name }) => String(JSON.stringify(schema)).includes('"array"') && name !== "fields");
      return lists.map(({ name }) => `${path.replace("/api/v2/", "")} ${String(name)}`);
    });
    const known = parameters.filter(([, name]) => name !== "fields").map(([path, name]) => `${path} ${name}`);
    expect(found.toSorted()).toEqual(known.toSorted());
  });

  test.each([
    "strategy=auth0&strategy=sms",
    "strategy[]=auth0&strategy[]=sms",
    "strategy[0]=auth0&strategy[1]=sms",
    "strategy%5B0%5D=auth0&strategy%5B1%5D=sms",
    "strategy[]=auth0&strategy=sms",
  ])("is accepted as %s", async (query) => {
    for (const strategy of ["sms", "email"]) await manage.create("/api/v2/connections", { name: strategy, strategy });
    expect(list(await get(`connections?${query}`)).map(({ strategy }) => strategy)).toEqual(["auth0", "sms"]);
  });

  test.each(parameters)("is accepted by GET %s as %s", async (template, name, value) => {
    const client = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "non_interactive" }), "client_id");
    const organization = stringMember(await manage.create("/api/v2/organizations", { name: "corp" }), "id");
    await manage.create("/api/v2/resource-servers", { identifier: "https://orders.example.test/" });
    const path = template.replace("{id}", template.startsWith("clients") ? client : organization);
    const one = await get(`${path}?${name}=${encodeURIComponent(value)}`);
    expect(one).toMatchObject({ status: 200 });
    for (const query of [`${name}[]=${value}`, `${name}[0]=${value}`, `${name}=${value}&${name}=other`])
      expect((await get(`${path}?${query}`)).body).toEqual(one.body);
  });

  test("is rejected by a parameter that has one value", async () => {
    expectError(await get("users?page[]=1"), 400, "invalid_request", "'page' must not be a list");
    expectError(await get("users?sort[0]=email&sort[1]=name"), 400, "invalid_request", "'sort' is given more than once");
    expectError(await get("users?unknown[]=1"), 400, "invalid_request", "unknown field 'unknown'");
    expectError(
      await get("connections?strategy[a]=auth0"),
      400,
      "invalid_request",
      "unknown field 'strategy[a]'".replaceAll(/[[\]]/g, "\\$&"),
    );
  });
});
