import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { ReadyLine } from "../../standalone/start.ts";

/** The standalone example with data in every screen of its admin console. */
export interface FilledExample {
  /** The URL of the console. */
  readonly url: string;
  /** The path of every screen, below the tenant. */
  readonly paths: readonly string[];
  /** The path of every screen about the tenants of the control plane. */
  readonly tenantPaths: readonly string[];
  /** Sends a sign-in with a wrong password, which writes a log event. */
  failSignIn(): Promise<void>;
}

/** Names that a page must display as text, in any length and script. */
const unusualNames = [
  "Ada Lovelace",
  "Grace Hopper",
  "Alan Turing",
  "Katherine Johnson",
  "Margaret Hamilton",
  "Barbara Liskov",
  "Edsger Dijkstra",
  "Radia Perlman",
  "Hedy Lamarr",
  "مريم العثماني",
  `Name${"LongWord".repeat(20)}`,
  '<b>Markup</b> & "quotes"',
];

const connection = "Username-Password-Authentication";
const password = "a-long-password-of-the-test-9";

/**
 * Creates users, roles, an organization, sessions and log events through the API.
 * @param names of the users. The first one is Ada Lovelace. Default: long and foreign names.
 */
export async function fillExample(
  { issuer, management_client: manager, web_client: web, user: admin }: ReadyLine,
  names: readonly string[] = unusualNames,
): Promise<FilledExample> {
  const send = async (method: string, path: string, body: unknown, token?: string): Promise<unknown> => {
    const response = await fetch(new URL(path, issuer), {
      method,
      headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  const member = (value: unknown, name: string): string => String(Reflect.get(Object(value), name));
  const grant = { grant_type: "client_credentials", ...manager, audience: `${issuer}api/v2/` };
  const token = member(await send("POST", "oauth/token", grant), "access_token");
  const manage = (method: string, path: string, body?: unknown): Promise<unknown> => send(method, `api/v2/${path}`, body, token);

  const ids: string[] = [];
  const emails: string[] = [];
  for (const [index, name] of names.entries()) {
    const user = await manage("POST", "users", {
      connection,
      password,
      name,
      email: `${
        name
          .toLowerCase()
          .replaceAll(/[^a-z]/g, "")
          .slice(0, 40) || "user"
      }${index}@example.com`,
      email_verified: index % 4 !== 3,
      blocked: index % 5 === 4,
      user_metadata: { theme: "dark" },
      app_metadata: { plan: { name: "team", seats: 12 } },
    });
    ids.push(member(user, "user_id"));
    emails.push(member(user, "email"));
  }
  const [userId = ""] = ids;
  const user = `users/${encodeURIComponent(userId)}`;
  const roles: string[] = [];
  for (const name of ["Support", "Auditor"]) {
    roles.push(member(await manage("POST", "roles", { name, description: `${name} of the example` }), "id"));
  }
  const api = member(
    await manage("POST", "resource-servers", {
      name: "Orders",
      identifier: "https://orders.example.com/api",
      scopes: [
        { value: "read:orders", description: "See orders and their items" },
        { value: `write:${"long-name-".repeat(12)}`, description: "Long names must fit" },
      ],
    }),
    "id",
  );
  const permissions = [{ resource_server_identifier: `${issuer}api/v2/`, permission_name: "read:users" }];
  await manage("POST", `roles/${roles[0]}/permissions`, { permissions });
  await manage("POST", `${user}/roles`, { roles: roles.slice(0, 1) });
  const organization = member(await manage("POST", "organizations", { name: "acme", display_name: "Acme Ltd" }), "id");
  await manage("POST", `organizations/${organization}/members`, { members: ids });
  await manage("POST", `organizations/${organization}/members/${encodeURIComponent(userId)}/roles`, { roles });
  const [corporate, legacy] = [
    member(
      await manage("POST", "connections", {
        name: "acme-corporate-directory",
        display_name: "Acme corporate directory",
        strategy: "oidc",
        options: { client_id: "0123456789abcdef".repeat(4), client_secret: "the-secret", issuer: "https://idp.example.com" },
      }),
      "id",
    ),
    member(await manage("POST", "connections", { name: "acme-legacy", strategy: "adfs" }), "id"),
  ];
  await manage("POST", `organizations/${organization}/enabled_connections`, { connection_id: corporate });
  // The example itself is the provider of this connection, so the operator is already signed in there.
  await manage("PATCH", `clients/${web.client_id}`, { callbacks: [`${issuer}login/callback`] });
  const itself = member(
    await manage("POST", "connections", {
      name: "another-installation",
      strategy: "oidc",
      options: { client_id: web.client_id, client_secret: web.client_secret, issuer },
    }),
    "id",
  );
  const domain = member(
    await manage("POST", "custom-domains", { domain: "login.example.com", type: "self_managed_certs" }),
    "custom_domain_id",
  );
  const sink = { httpEndpoint: `https://logs.example.com/${"long-path/".repeat(20)}` };
  const credentials = { smtp_host: `mail.${"long-name-".repeat(6)}example.com`, smtp_port: 587, smtp_pass: "the-secret" };
  await manage("POST", "emails/provider", { name: "smtp", default_from_address: "Acme <login@example.com>", credentials });
  const stream = member(await manage("POST", "log-streams", { name: "Archive", type: "http", sink }), "id");
  const keys = await manage("GET", "keys/signing");
  const key = member(Array.isArray(keys) ? keys[0] : undefined, "kid");
  const invitation = member(
    await manage("POST", `organizations/${organization}/invitations`, {
      inviter: { name: "Ada Lovelace" },
      invitee: { email: "charles.babbage@example.com" },
      client_id: web.client_id,
      send_invitation_email: false,
    }),
    "id",
  );
  const factor = member(
    await manage("POST", `${user}/authentication-methods`, {
      type: "phone",
      phone_number: "+14155550123",
      preferred_authentication_method: "sms",
    }),
    "id",
  );
  const tokenOf = (secret: string, username = "adalovelace0@example.com"): Promise<unknown> =>
    send("POST", "oauth/token", {
      ...web,
      grant_type: "http://auth0.com/oauth/grant-type/password-realm",
      realm: connection,
      username,
      password: secret,
      scope: "openid offline_access",
    });
  await manage("PATCH", `clients/${web.client_id}`, {
    grant_types: ["authorization_code", "refresh_token", "client_credentials", "http://auth0.com/oauth/grant-type/password-realm"],
  });
  await tokenOf(password);
  for (let i = 0; i < 3; i++) await tokenOf("wrong");
  // No server answers at this address, so the logout of the second user stays undelivered.
  const backChannel = { backchannel_logout_urls: ["https://app.example.com/logout"], backchannel_logout_initiators: { mode: "all" } };
  await manage("PATCH", `clients/${web.client_id}`, { oidc_logout: backChannel });
  await tokenOf(password, emails[1]);
  await manage("DELETE", `users/${encodeURIComponent(ids[1] ?? "")}/sessions`);
  const events = await manage("GET", "logs?per_page=1");
  const eventId = member(Array.isArray(events) ? events[0] : undefined, "log_id");
  for (let attempts = 0; attempts < 100 && String(await manage("GET", "logout-deliveries")) === ""; attempts++) await setTimeout(200);
  const tenantId = `globex-${"long-name-".repeat(5)}`;
  await send("POST", "tenants", { id: tenantId, name: tenantId, friendly_name: names.at(-1) }, token);
  const found = await manage("GET", `users-by-email?email=${admin.email}`);
  const operator = member(Array.isArray(found) ? found[0] : undefined, "user_id");
  const operators = member(await manage("GET", `organizations/name/${tenantId}`), "id");
  await manage("POST", `organizations/${operators}/members`, { members: [operator] });
  const operation = member(await send("POST", `tenants/${tenantId}/operations`, { kind: "upgrade" }, token), "id");
  const tenant = `tenants/${tenantId}`;
  const audience = "https://orders.example.com/api";
  const grantOfApp = member(await manage("POST", "client-grants", { client_id: web.client_id, audience, scope: ["read:orders"] }), "id");
  const app = `apps/${web.client_id}`;
  const acme = `organizations/${organization}`;
  const membership = `${acme}/members/${encodeURIComponent(userId)}`;
  const tabs = ["edit", "events", "sessions", "roles", "roles/edit", "organizations", "consents", "factors", "raw", "danger", "delete"];
  return {
    url: `${issuer}admin/`,
    tenantPaths: [
      "tenants",
      "tenants?q=unknown",
      "tenants/new",
      tenant,
      ...["edit", "upgrade", "delete", `operations/${operation}`].map((page) => `${tenant}/${page}`),
    ],
    paths: [
      "",
      "users",
      "users?q=nobody",
      "users/new",
      "users/block",
      user,
      ...tabs.map((tab) => `${user}/${tab}`),
      `${user}/factors/${encodeURIComponent(factor)}/remove`,
      "organizations",
      "organizations?q=nobody",
      "organizations/new",
      acme,
      ...["edit", "invitations", "invitations/new", "connections", "raw", "danger", "delete"].map((tab) => `${acme}/${tab}`),
      `${acme}/members/add?q=a`,
      `${acme}/invitations/${invitation}/withdraw`,
      `${membership}/roles`,
      `${membership}/remove`,
      "roles",
      "roles?q=nobody",
      "roles/new",
      "roles/presets",
      `roles/${roles[0]}`,
      ...["edit", "permissions/edit", "users", "raw", "danger", "delete"].map((tab) => `roles/${roles[0]}/${tab}`),
      "apis",
      "apis?q=nobody",
      "apis/new",
      `apis/${api}`,
      ...["edit", "permissions", "permissions/edit", "raw", "danger", "delete"].map((tab) => `apis/${api}/${tab}`),
      "connections",
      "connections?strategy=apple",
      ...[corporate, legacy].map((id) => `connections/${id}`),
      ...["edit", "apps", "apps/edit", "try", "raw", "danger", "delete"].map((tab) => `connections/${corporate}/${tab}`),
      `connections/${itself}/try/start`,
      ...["", "/auth0", "/oidc", "/apple"].map((strategy) => `connections/new${strategy}`),
      "apps",
      "apps/new",
      app,
      ...["quickstart", "secret", "rotate", "connections", "apis", "apis/add", "raw", "danger", "delete"].map((tab) => `${app}/${tab}`),
      `${app}/apis/${grantOfApp}`,
      `${app}/apis/${grantOfApp}/remove`,
      "logs",
      "logs?kind=factors",
      `logs/${eventId}`,
      "settings",
      "settings/edit",
      "settings/account",
      "settings/account/edit",
      "settings/protection",
      ...["brute-force-protection", "suspicious-ip-throttling", "breached-password-detection"].map((one) => `settings/protection/${one}`),
      "settings/domains",
      "settings/domains/new",
      ...["test", "delete"].map((page) => `settings/domains/${domain}/${page}`),
      "settings/streams",
      ...["", "/http", "/datadog", "/splunk"].map((receiver) => `settings/streams/new${receiver}`),
      "settings/deliveries",
      `settings/streams/${stream}`,
      ...["pause", "resume", "delete"].map((page) => `settings/streams/${stream}/${page}`),
      ...["", "/policy", "/phone", "/remember", "/otp/on", "/sms/off"].map((page) => `settings/factors${page}`),
      "settings/branding",
      "settings/branding/edit",
      ...["", "/test", "/new", "/new/ses", "/edit", "/delete", "/templates/welcome_email"].map((page) => `settings/mail${page}`),
      "settings/keys",
      "settings/keys/rotate",
      `settings/keys/${key}/revoke`,
      "search",
      "search?q=a",
      "search?q=nothing-at-all",
      "shortcuts",
      "unknown",
    ],
    failSignIn: async () => void (await tokenOf("wrong")),
  };
}

/** Signs the administrator of the example in to the console. */
export async function signInToConsole(page: Page, { issuer, user }: ReadyLine): Promise<void> {
  await page.goto(`${issuer}admin`);
  await page.getByRole("textbox").fill(user.email);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.locator("input[type=password]").fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/admin\/t\/main\/$/);
}
