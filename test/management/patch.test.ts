import { beforeAll, describe, expect, test } from "vitest";
import { list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

/** A PATCH changes the fields that it contains and keeps all others, for every resource. */

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

interface Resource {
  readonly name: string;
  /** Creates the resource with all fields set. @returns its path. */
  createResource(): Promise<string>;
  /** New values for fields of the resource. */
  readonly changes: JsonBody;
}

const create = async (path: string, body: JsonBody, id = "id"): Promise<string> =>
  `/api/v2/${path}/${encodeURIComponent(stringMember(await manage.create(`/api/v2/${path}`, body), id))}`;

const password = "Correct-horse-1";

/** Signs a new user in. @returns the path of the user's session or refresh token. */
async function createBySignIn(email: string, rest: string): Promise<string> {
  const settings = { name: "App", app_type: "native", grant_types: ["password", "refresh_token"] };
  const client = stringMember(await manage.create("/api/v2/clients", settings), "client_id");
  const user = await create("users", { connection: "Username-Password-Authentication", email, password }, "user_id");
  const body = { grant_type: "password", client_id: client, username: email, password, scope: "openid offline_access" };
  jsonBody(await service.call("POST", "/oauth/token", { body }));
  const [first = {}] = list(await manage("GET", `${user}/${rest}?per_page=1`));
  return `/api/v2/${rest}/${stringMember(first, "id")}`;
}

const resources: readonly Resource[] = [
  {
    name: "a user",
    createResource: () =>
      create(
        "users",
        {
          connection: "Username-Password-Authentication",
          email: "ann@example.test",
          email_verified: true,
          username: "ann",
          name: "Ann",
          nickname: "annie",
          given_name: "Ann",
          family_name: "Lee",
          picture: "https://cdn.example.test/ann.png",
          user_metadata: { a: 1 },
          app_metadata: { b: 2 },
        },
        "user_id",
      ),
    changes: {
      name: "Anna",
      nickname: "an",
      given_name: "Anna",
      family_name: "Li",
      picture: "https://cdn.example.test/anna.png",
      blocked: true,
      user_metadata: { a: 1, c: 3 },
      app_metadata: { b: 2, d: 4 },
    },
  },
  {
    name: "a client",
    createResource: () =>
      create(
        "clients",
        {
          name: "App",
          description: "An app",
          app_type: "regular_web",
          callbacks: ["https://app.example.test/callback"],
          allowed_logout_urls: ["https://app.example.test/"],
          web_origins: ["https://app.example.test"],
          allowed_origins: ["https://app.example.test"],
          grant_types: ["authorization_code", "refresh_token"],
          client_metadata: { a: "1" },
          jwt_configuration: { lifetime_in_seconds: 600 },
          organization_usage: "allow",
          initiate_login_uri: "https://app.example.test/login",
          logo_uri: "https://cdn.example.test/logo.png",
        },
        "client_id",
      ),
    changes: {
      name: "Other",
      description: "Another app",
      callbacks: ["https://app.example.test/other"],
      allowed_logout_urls: [],
      web_origins: [],
      grant_types: ["authorization_code"],
      client_metadata: { a: "1", b: "2" },
      organization_usage: "require",
      logo_uri: "",
      is_first_party: false,
    },
  },
  {
    name: "a connection",
    createResource: () =>
      create("connections", {
        name: "staff",
        strategy: "auth0",
        display_name: "Staff",
        options: { passwordPolicy: "fair", requires_username: true },
        realms: ["staff", "people"],
        show_as_button: true,
        metadata: { a: "1" },
      }),
    changes: { display_name: "People", realms: ["staff"], show_as_button: false, is_domain_connection: true, metadata: { a: "1", b: "2" } },
  },
  {
    name: "a role",
    createResource: () => create("roles", { name: "Editor", description: "Edits" }),
    changes: { name: "Author", description: "Writes" },
  },
  {
    name: "an organization",
    createResource: () =>
      create("organizations", {
        name: "acme",
        display_name: "Acme",
        branding: { logo_url: "https://cdn.example.test/acme.png", colors: { primary: "#111111", page_background: "#222222" } },
        metadata: { a: "1" },
        token_quota: { client_credentials: { per_day: 10 } },
      }),
    changes: {
      name: "acme-2",
      display_name: "Acme Inc.",
      metadata: { a: "1", b: "2" },
      token_quota: { client_credentials: { per_hour: 5 } },
    },
  },
  {
    name: "a connection of an organization",
    createResource: async () => {
      const organization = await create("organizations", { name: "beta" });
      const connectionId = stringMember(await manage.create("/api/v2/connections", { name: "beta", strategy: "email" }), "id");
      const flags = { assign_membership_on_login: true, show_as_button: true, is_signup_enabled: true };
      await manage.create(`${organization}/enabled_connections`, { connection_id: connectionId, ...flags });
      return `${organization}/enabled_connections/${connectionId}`;
    },
    changes: { assign_membership_on_login: false, show_as_button: false, is_signup_enabled: false },
  },
  {
    name: "an API",
    createResource: () =>
      create("resource-servers", {
        identifier: "https://api.example.test/",
        name: "API",
        scopes: [{ value: "read" }],
        signing_alg: "ES256",
        allow_offline_access: true,
        token_lifetime: 600,
        token_lifetime_for_web: 300,
        enforce_policies: true,
        token_dialect: "access_token_authz",
        subject_type_authorization: { client: { policy: "require_client_grant" } },
      }),
    changes: {
      name: "Other",
      scopes: [{ value: "read" }, { value: "write", description: "Writes" }],
      signing_alg: "RS256",
      allow_offline_access: false,
      skip_consent_for_verifiable_first_party_clients: false,
      token_lifetime: 400,
      token_lifetime_for_web: 30,
      enforce_policies: false,
      token_dialect: "rfc9068_profile",
      subject_type_authorization: { client: { policy: "deny_all" } },
    },
  },
  {
    name: "a client grant",
    createResource: async () => {
      const scopes = [{ value: "read" }, { value: "write" }];
      await manage.create("/api/v2/resource-servers", { identifier: "https://granted.example.test/", scopes });
      const client = stringMember(await manage.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive" }), "client_id");
      const usage = { organization_usage: "allow", allow_any_organization: true } as const;
      return create("client-grants", { client_id: client, audience: "https://granted.example.test/", scope: ["read"], ...usage });
    },
    changes: { scope: ["write"], organization_usage: "require", allow_any_organization: false },
  },
  {
    name: "a custom domain",
    createResource: () =>
      create(
        "custom-domains",
        {
          domain: "login.example.test",
          type: "self_managed_certs",
          custom_client_ip_header: "cf-connecting-ip",
          domain_metadata: { a: "1" },
        },
        "custom_domain_id",
      ),
    changes: { custom_client_ip_header: "x-forwarded-for", domain_metadata: { a: "1", b: "2" } },
  },
  {
    name: "a session",
    createResource: () => createBySignIn("session@example.test", "sessions"),
    changes: { session_metadata: { a: 1 } },
  },
  {
    name: "a refresh token",
    createResource: () => createBySignIn("token@example.test", "refresh-tokens"),
    changes: { refresh_token_metadata: { a: 1 } },
  },
  {
    name: "the branding",
    createResource: async () => {
      const all = { colors: { primary: "#111111", page_background: "#222222" }, logo_url: "https://cdn.example.test/a.png" };
      jsonBody(await manage("PATCH", "/api/v2/branding", { ...all, favicon_url: "https://cdn.example.test/a.ico" }));
      return "/api/v2/branding";
    },
    changes: {
      colors: { primary: "#333333", page_background: "#222222" },
      logo_url: "https://cdn.example.test/b.png",
      favicon_url: "https://cdn.example.test/b.ico",
      font: { url: "https://cdn.example.test/font.woff2" },
    },
  },
  {
    name: "the tenant's settings",
    createResource: async () => "/api/v2/tenants/settings",
    changes: {
      friendly_name: "Main",
      support_email: "help@example.test",
      session_lifetime: 24,
      idle_session_lifetime: 12,
      enabled_locales: ["de", "en"],
      session_cookie: { mode: "non-persistent" },
      allow_organization_name_in_authentication_api: true,
    },
  },
  {
    name: "brute-force protection",
    createResource: async () => "/api/v2/attack-protection/brute-force-protection",
    changes: { enabled: false, max_attempts: 7, allowlist: ["192.0.2.1"], shields: ["block"] },
  },
  {
    name: "suspicious IP throttling",
    createResource: async () => "/api/v2/attack-protection/suspicious-ip-throttling",
    changes: { enabled: false, allowlist: ["192.0.2.0/24"], shields: ["block"] },
  },
  {
    name: "breached-password detection",
    createResource: async () => "/api/v2/attack-protection/breached-password-detection",
    changes: {
      shields: ["admin_notification"],
      admin_notification_frequency: ["daily"],
      method: "enhanced",
      stage: { "pre-user-registration": { shields: [] }, "pre-change-password": { shields: ["admin_notification"] } },
    },
  },
];

describe.each(resources)("$name", ({ createResource, changes }) => {
  test("keeps all fields that a PATCH does not contain", async () => {
    const path = await createResource();
    let before = await read(path);
    expect((await manage("PATCH", path, {})).status).toBe(200);
    expect(await read(path)).toEqual(before);
    for (const [field, value] of Object.entries(changes)) {
      expect(before[field], field).not.toEqual(value);
      const changed = jsonBody(await manage("PATCH", path, { [field]: value }));
      const after = await read(path);
      expect(withoutTime(changed), field).toEqual(after);
      expect(after, field).toEqual({ ...before, [field]: value });
      before = after;
    }
  });
});

async function read(path: string): Promise<JsonBody> {
  return withoutTime(jsonBody(await manage("GET", path)));
}

function withoutTime({ updated_at: _, ...rest }: JsonBody): JsonBody {
  return rest;
}
