import { exportSPKI, generateKeyPair } from "jose";
import { list, jsonBody, stringMember, type Manager } from "./api.ts";

const api = "https://orders.example.test/";

/**
 * Creates one or more of each kind of configuration resource in a tenant, with settings that differ from the defaults.
 * @returns the public key of a client, in PEM.
 */
export async function fillTenant(manage: Manager): Promise<string> {
  const { publicKey } = await generateKeyPair("RS256", { extractable: true });
  const pem = await exportSPKI(publicKey);
  await manage.create("/api/v2/resource-servers", {
    identifier: api,
    name: "Orders",
    scopes: [{ value: "read:orders", description: "Read orders" }, { value: "write:orders" }],
    token_lifetime: 1234,
    token_lifetime_for_web: 600,
    enforce_policies: true,
    token_dialect: "rfc9068_profile_authz",
    allow_offline_access: true,
  });
  const clientIds = await fillClients(manage, pem);
  const connectionIds = await fillConnections(manage, clientIds);

  for (const [name, permissions] of [
    ["Reader", ["read:orders"]],
    ["Writer", ["read:orders", "write:orders"]],
  ] as const) {
    const role = await manage.create("/api/v2/roles", { name, description: `${name} of orders` });
    await manage("POST", `/api/v2/roles/${stringMember(role, "id")}/permissions`, {
      permissions: permissions.map((permission_name) => ({ permission_name, resource_server_identifier: api })),
    });
  }
  const [grant = {}] = list(await manage("GET", `/api/v2/client-grants?client_id=${clientIds.at(-1)}`));
  for (const name of ["acme", "umbrella"]) {
    const organization = await manage.create("/api/v2/organizations", {
      name,
      display_name: `${name} & Söhne`,
      branding: { logo_url: "https://cdn.example.test/logo.png", colors: { primary: "#112233", page_background: "#ffffff" } },
      metadata: { tier: "gold" },
      enabled_connections: [{ connection_id: connectionIds[0], assign_membership_on_login: true, show_as_button: false }],
    });
    await manage.create(`/api/v2/organizations/${stringMember(organization, "id")}/client-grants`, { grant_id: stringMember(grant, "id") });
  }
  await fillSettings(manage);
  return pem;
}

/** Clients of every type in Auth0's dashboard, and their grants. */
async function fillClients(manage: Manager, pem: string): Promise<readonly string[]> {
  const bodies = [
    {
      name: "Shop",
      app_type: "spa",
      token_endpoint_auth_method: "none",
      callbacks: ["https://shop.example.test/cb"],
      web_origins: ["https://shop.example.test"],
      allowed_origins: ["https://shop.example.test"],
      allowed_logout_urls: ["https://shop.example.test/bye"],
      grant_types: ["authorization_code", "refresh_token"],
      refresh_token: { rotation_type: "rotating", expiration_type: "expiring", leeway: 10, token_lifetime: 86_400, recovery_window: 600 },
    },
    {
      name: "Back office",
      description: "Where orders are looked at",
      app_type: "regular_web",
      logo_uri: "https://cdn.example.test/office.png",
      initiate_login_uri: "https://office.example.test/login",
      callbacks: ["https://office.example.test/cb", "https://{organization_name}.office.example.test/cb"],
      organization_usage: "require",
      organization_require_behavior: "pre_login_prompt",
      oidc_logout: { backchannel_logout_urls: ["https://office.example.test/logout"] },
      client_metadata: { team: "sales", city: "Zürich" },
    },
    {
      name: "App",
      app_type: "native",
      token_endpoint_auth_method: "none",
      callbacks: ["com.example.app://cb"],
      mobile: { ios: { team_id: "A1B2C3D4E5", app_bundle_identifier: "com.example.app" } },
      jwt_configuration: { lifetime_in_seconds: 600, alg: "RS256" },
    },
    { name: "Job", app_type: "non_interactive", grant_types: ["client_credentials"] },
    {
      name: "Signed job",
      app_type: "non_interactive",
      grant_types: ["client_credentials"],
      client_authentication_methods: {
        private_key_jwt: {
          credentials: [{ name: "First", credential_type: "public_key", pem, alg: "RS256" }],
        },
      },
    },
  ];
  const ids: string[] = [];
  for (const body of bodies) ids.push(stringMember(await manage.create("/api/v2/clients", body), "client_id"));
  await manage.create("/api/v2/client-grants", { client_id: ids[3], audience: api, scope: ["read:orders"] });
  await manage.create("/api/v2/client-grants", {
    client_id: ids[4],
    audience: api,
    scope: ["write:orders"],
    organization_usage: "allow",
    allow_any_organization: true,
  });
  return ids;
}

async function fillConnections(manage: Manager, clientIds: readonly string[]): Promise<readonly string[]> {
  const bodies = [
    {
      name: "Staff",
      strategy: "auth0",
      display_name: "Our staff",
      options: {
        passwordPolicy: "good",
        password_complexity_options: { min_length: 12 },
        password_history: { enable: true, size: 5 },
        password_dictionary: { enable: true, dictionary: ["orders"] },
        password_no_personal_info: { enable: true },
        requires_username: true,
        validation: { username: { min: 3, max: 20 } },
        disable_signup: true,
      },
      enabled_clients: [clientIds[0], clientIds[1]],
    },
    {
      name: "Partner",
      strategy: "oidc",
      options: {
        type: "back_channel",
        issuer: "https://partner.example.test",
        client_id: "us",
        client_secret: "never-exported",
        scope: "openid email",
      },
      show_as_button: true,
      enabled_clients: [clientIds[1]],
    },
    {
      name: "Corp",
      strategy: "samlp",
      options: { signInEndpoint: "https://corp.example.test/saml", signingCert: "bm90IGEgY2VydGlmaWNhdGU=", fieldsMap: { email: "mail" } },
      enabled_clients: [],
    },
    {
      name: "google",
      strategy: "google-oauth2",
      options: { client_id: "us", client_secret: "never-exported", scope: ["email", "profile"] },
      enabled_clients: [clientIds[0]],
    },
  ];
  const ids: string[] = [];
  for (const body of bodies) ids.push(stringMember(await manage.create("/api/v2/connections", body), "id"));
  return ids;
}

async function fillSettings(manage: Manager): Promise<void> {
  const changes: readonly (readonly [path: string, body: object])[] = [
    ["/api/v2/branding", { colors: { primary: "#0a7f5b", page_background: "#f4f4f4" }, logo_url: "https://cdn.example.test/logo.svg" }],
    [
      "/api/v2/tenants/settings",
      {
        friendly_name: "Orders and more",
        support_email: "help@example.test",
        support_url: "https://help.example.test/",
        session_lifetime: 24,
        idle_session_lifetime: 1.5,
        enabled_locales: ["en", "de"],
        allowed_logout_urls: ["https://shop.example.test/bye"],
        default_redirection_uri: "https://shop.example.test/login",
        error_page: { html: "<h1>Oh</h1>", show_log_link: true, url: "" },
      },
    ],
    [
      "/api/v2/attack-protection/brute-force-protection",
      { enabled: true, max_attempts: 7, shields: ["block"], allowlist: ["192.0.2.0/24"] },
    ],
    ["/api/v2/attack-protection/suspicious-ip-throttling", { enabled: true, shields: ["block"], allowlist: [] }],
    ["/api/v2/prompts", { universal_login_experience: "classic" }],
    ["/api/v2/attack-protection/breached-password-detection", { shields: ["admin_notification"] }],
    ["/api/v2/clients/global", { custom_login_page: "<html>Hello</html>", custom_login_page_on: true }],
  ];
  const guardian: readonly (readonly [path: string, body: object])[] = [
    ["/api/v2/guardian/factors/otp", { enabled: true }],
    ["/api/v2/guardian/factors/sms", { enabled: true }],
    ["/api/v2/guardian/policies", ["all-applications"]],
    ["/api/v2/guardian/factors/phone/message-types", { message_types: ["sms", "voice"] }],
    ["/api/v2/guardian/factors/phone/selected-provider", { provider: "twilio" }],
    ["/api/v2/guardian/factors/sms/providers/twilio", { from: "+15550100", sid: "AC1", auth_token: "never-exported" }],
    ["/api/v2/guardian/factors/sms/templates", { enrollment_message: "Add: {{ code }}", verification_message: "Sign in: {{ code }}" }],
  ];
  const texts = { login: { title: "Willkommen", description: "Zu den Bestellungen" } };
  for (const [method, path, body] of [
    ...changes.map((change) => ["PATCH", ...change] as const),
    ["PUT", "/api/v2/prompts/login/custom-text/de", texts],
    ...guardian.map((setting) => ["PUT", ...setting] as const),
  ] as const) {
    const { status, body: reply } = await manage(method, path, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  }
  await manage.create("/api/v2/log-streams", {
    type: "http",
    name: "SIEM",
    sink: { httpEndpoint: "https://siem.example.test/logs", httpContentFormat: "JSONLINES", httpAuthorization: "never-exported" },
    filters: [{ type: "category", name: "auth.login.fail" }],
  });
  await manage.create("/api/v2/emails/provider", {
    name: "smtp",
    enabled: true,
    default_from_address: "orders@example.test",
    credentials: { smtp_host: "smtp.example.test", smtp_port: 587, smtp_user: "orders", smtp_pass: "never-exported" },
  });
  const mail = { syntax: "liquid", enabled: true, from: "", subject: "Hello", body: "<p>Hello {{ user.email }}</p>" };
  for (const template of ["verify_email", "welcome_email"])
    jsonBody(await manage("POST", "/api/v2/email-templates", { template, ...mail }));
  await manage.create("/api/v2/custom-domains", { domain: "login.orders.example.test", type: "self_managed_certs" });
}
