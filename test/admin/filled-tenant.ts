import { tenantScreens } from "../../packages/admin/src/screens.ts";
import { list, stringMember } from "../support/api.ts";
import { insertLogoutDelivery } from "../support/rows.ts";
import { createFilledUser, type TestConsole } from "./console.ts";

/** Creates the records that the screens show. @returns the path of every screen. */
export async function fillConsoleTenant(opened: TestConsole, text: string): Promise<readonly string[]> {
  const { service } = opened;
  const { manage, bob } = service;
  const userId = await createFilledUser(opened, text);
  const client = await manage.create("/api/v2/clients", {
    name: text.replaceAll(/[<>]/g, ""),
    description: text.slice(0, 140),
    app_type: "regular_web",
    callbacks: [],
  });
  const role = stringMember(await manage.create("/api/v2/roles", { name: text, description: text }), "id");
  const scopes = [{ value: "read:x", description: text }];
  const api = stringMember(
    await manage.create("/api/v2/resource-servers", { name: text.replaceAll(/[<>]/g, ""), identifier: "https://api.example.test", scopes }),
    "id",
  );
  const permissions = [{ resource_server_identifier: "https://api.example.test", permission_name: "read:x" }];
  await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions });
  const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme", display_name: text }), "id");
  await manage("POST", `/api/v2/users/${encodeURIComponent(userId)}/roles`, { roles: [role] });
  await manage("POST", `/api/v2/organizations/${organization}/members`, { members: [userId] });
  await manage("POST", `/api/v2/organizations/${organization}/members/${encodeURIComponent(userId)}/roles`, { roles: [role] });
  const connection = stringMember(
    await manage.create("/api/v2/connections", {
      name: "corporate",
      display_name: text,
      strategy: "oidc",
      options: { client_id: text, client_secret: "the-secret", issuer: "https://idp.example.test" },
      enabled_clients: [stringMember(client, "client_id")],
    }),
    "id",
  );
  await manage("POST", `/api/v2/organizations/${organization}/enabled_connections`, { connection_id: connection });
  const invitation = await manage.create(`/api/v2/organizations/${organization}/invitations`, {
    inviter: { name: text },
    invitee: { email: "invited@example.test" },
    client_id: service.web.clientId,
  });
  await service.call("POST", "/oauth/token", {
    body: { grant_type: "password", client_id: "spa", username: bob.email, password: text },
    headers: { "user-agent": text },
  });
  const domain = await manage.create("/api/v2/custom-domains", { domain: "login.example.test", type: "self_managed_certs" });
  const sink = { httpEndpoint: "https://logs.example.test/", httpAuthorization: "the-secret" };
  const stream = await manage.create("/api/v2/log-streams", { name: text, type: "http", sink });
  await manage.create("/api/v2/emails/provider", {
    name: "smtp",
    credentials: { smtp_host: "mail.example.test", smtp_user: text, smtp_pass: "the-secret" },
    settings: { [text]: text },
  });
  await manage("POST", "/api/v2/email-templates", {
    template: "welcome_email",
    body: text,
    subject: text,
    from: "",
    syntax: "liquid",
    enabled: true,
  });
  await insertLogoutDelivery(service);
  const [key] = list(await manage("GET", "/api/v2/keys/signing"));
  const [event] = await service.postern.tenant("main").logs.list({ per_page: 1 });
  const grant = await manage.create("/api/v2/client-grants", {
    client_id: stringMember(client, "client_id"),
    audience: "https://api.example.test",
    scope: ["read:x"],
  });
  const ids: { readonly [section: string]: string } = {
    users: encodeURIComponent(userId),
    organizations: organization,
    roles: role,
    apis: api,
    connections: connection,
    apps: stringMember(client, "client_id"),
    logs: event?.log_id ?? "",
    "settings/domains": stringMember(domain, "custom_domain_id"),
    "settings/streams": stringMember(stream, "id"),
    "settings/keys": String(key?.["kid"]),
  };
  // These two lead to a provider and back: connection-test.test.ts.
  const pages = tenantScreens.filter(({ path }) => !/\/try\/(start|result)$/.test(path));
  return pages.map(({ path }) =>
    path
      .slice(1)
      .replace(":id", ids[path.slice(1, path.indexOf("/:"))] ?? "")
      .replace(":grant", stringMember(grant, "id"))
      .replace(":strategy", "oidc")
      .replace(":type", "splunk")
      .replace(":factor", path.startsWith("/settings") ? "otp" : "unknown")
      .replace(":provider", "ses")
      .replace(":template", "welcome_email")
      .replace(":user", encodeURIComponent(userId))
      .replace(":invitation", stringMember(invitation, "id")),
  );
}
