import { beforeAll, expect, test } from "vitest";
import { expectError, jsonBody, list, stringMember } from "../support/api.ts";
import { codeGrant, errorParameters, refreshGrant, sendAuthorization, tokens, type LoginService } from "../support/flow.ts";
import { clientSecret } from "../support/postern.ts";
import {
  codeForTools,
  openServiceForStrangers,
  publicClient,
  registered,
  setOpenRegistration,
  tools,
  type Stranger,
} from "../support/registration.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openServiceForStrangers({ limits: { registrationsPerAddress: 1000 } });
  await setOpenRegistration(service, true);
});

const pathOf = ({ clientId }: Stranger) => `/api/v2/clients/${clientId}`;

/** Signs Ada in to a client. */
async function signIn(client: Stranger, parameters = {}) {
  const browser = service.browser();
  const issued = tokens(await service.exchange(codeGrant(client, await codeForTools(browser, client, service.ada, parameters))));
  return { browser, issued };
}

async function introspect(token: string): Promise<unknown> {
  const { web } = service;
  const body = new URLSearchParams({ token, client_id: web.clientId, client_secret: clientSecret }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return jsonBody(await service.call("POST", "/oauth/introspect", { body, headers }))["active"];
}

test("lists the clients that registered themselves, and no others", async () => {
  const client = await registered(service, { ...publicClient, client_name: "Zeta" });
  const all = list(await service.manage("GET", "/api/v2/clients?external_metadata_type=dcr&per_page=100"));
  expect(all.map(({ external_metadata_type: type }) => type)).toEqual(all.map(() => "dcr"));
  expect(all.map(({ client_id: id }) => id)).toContain(client.clientId);
  const sorted = list(await service.manage("GET", "/api/v2/clients?external_metadata_type=dcr&sort=name:-1&per_page=1"));
  expect(sorted).toMatchObject([{ name: "Zeta" }]);
  expect(list(await service.manage("GET", "/api/v2/clients?external_metadata_type=cimd"))).toEqual([]);
  expectError(await service.manage("GET", "/api/v2/clients?external_metadata_type=saml"), 400, "invalid_request", "external_metadata_type");
});

test("shows the connections and the consents of a client", async () => {
  const client = await registered(service);
  const body = jsonBody(await service.manage("GET", `${pathOf(client)}/connections`));
  const shown = [{ connection: { name: "Username-Password-Authentication" } }];
  expect(body).toMatchObject({ enabled_connections: shown, connections: [{ name: "Username-Password-Authentication" }] });
  await service.manage.create("/api/v2/connections", { name: "mails", strategy: "email" });
  expect(jsonBody(await service.manage("GET", `${pathOf(client)}/connections`))).toEqual(body);

  await signIn(client);
  expect(list(await service.manage("GET", `/api/v2/grants?client_id=${client.clientId}`))).toMatchObject([
    { clientID: client.clientId, user_id: service.ada.userId, audience: tools, scope: ["openid", "offline_access", "read:tools"] },
  ]);
});

test("blocks a client at once: no sign-in, no refresh, no active tokens and no management", async () => {
  const client = await registered(service);
  const { browser, issued } = await signIn(client, { scope: "openid profile offline_access", resource: undefined });
  const resource = await signIn(client);
  expect(await service.userinfo(issued.access)).toMatchObject({ status: 200 });
  expect(jsonBody(await service.manage("PATCH", pathOf(client), { blocked: true }))).toMatchObject({ blocked: true });

  expect(await sendAuthorization(browser, client)).toMatchObject({ kind: "page", status: 400 });
  expectError(await service.exchange(refreshGrant(client, issued.refresh)), 401, "invalid_client");
  expect(await service.userinfo(issued.access)).toMatchObject({ status: 401 });
  expect(await introspect(resource.issued.access)).toBe(false);
  for (const method of ["GET", "DELETE"])
    expectError(await service.call(method, client.path, { token: client.token }), 401, "invalid_token");

  const unblocked = jsonBody(await service.manage("PATCH", pathOf(client), { blocked: false }));
  expect(unblocked).not.toHaveProperty("blocked");
  tokens(await service.exchange(refreshGrant(client, issued.refresh)));
  expect(jsonBody(await service.call("GET", client.path, { token: client.token }))).toMatchObject({ client_id: client.clientId });
});

test("makes a client an ordinary one with its present connections, which can no longer change itself", async () => {
  const client = await registered(service);
  const { browser, issued } = await signIn(client);
  const { external_metadata_type: _, external_metadata_created_by: __, ...kept } = jsonBody(await service.manage("GET", pathOf(client)));
  expect(jsonBody(await service.manage("POST", `${pathOf(client)}/pin`))).toEqual(kept);
  expect(jsonBody(await service.manage("POST", `${pathOf(client)}/pin`)), "a second time").toEqual(kept);
  expectError(await service.call("GET", client.path, { token: client.token }), 401, "invalid_token");

  const [connection] = list(await service.manage("GET", "/api/v2/connections?strategy=auth0"));
  const connectionPath = `/api/v2/connections/${stringMember(connection ?? {}, "id")}`;
  jsonBody(await service.manage("PATCH", connectionPath, { is_domain_connection: false }));
  expect(jsonBody(await service.manage("GET", `${pathOf(client)}/connections`))).toMatchObject({
    enabled_connections: [{ connection_id: connection?.["id"] }],
  });
  tokens(await service.exchange(refreshGrant(client, issued.refresh)));
  await codeForTools(browser, client, service.ada, { prompt: "none" });
  jsonBody(await service.manage("PATCH", connectionPath, { is_domain_connection: true }));
  expect(await service.manage("POST", "/api/v2/clients/tpc_missing/pin")).toMatchObject({ status: 404 });
});

test("lets an administrator change and delete a client", async () => {
  const client = await registered(service);
  await signIn(client);
  jsonBody(await service.manage("PATCH", pathOf(client), { name: "Known", callbacks: ["https://known.example.test/cb"] }));
  expect(jsonBody(await service.call("GET", client.path, { token: client.token }))).toMatchObject({
    client_name: "Known",
    redirect_uris: ["https://known.example.test/cb"],
  });
  expect(await service.manage("DELETE", pathOf(client))).toMatchObject({ status: 204 });
  expectError(await service.call("GET", client.path, { token: client.token }), 401, "invalid_token");
  expect(list(await service.manage("GET", `/api/v2/grants?client_id=${client.clientId}`))).toEqual([]);
});

test("gives a client the scopes of the grant for all third-party clients, or of its own", async () => {
  const client = await registered(service);
  expect((await signIn(client, { scope: "openid read:tools write:tools" })).issued.scope).toBe("openid read:tools");
  await service.manage.create("/api/v2/client-grants", {
    client_id: client.clientId,
    audience: tools,
    scope: ["write:tools"],
    subject_type: "user",
  });
  expect((await signIn(client, { scope: "openid read:tools write:tools" })).issued.scope).toBe("openid write:tools");

  await service.manage.create("/api/v2/resource-servers", {
    name: "Closed",
    identifier: "https://closed.example.test",
    scopes: [{ value: "read:x" }],
  });
  const browser = service.browser();
  const refused = await sendAuthorization(browser, client, { scope: "openid read:x", resource: "https://closed.example.test" });
  expect(refused.kind === "response" ? errorParameters(refused) : refused).not.toHaveProperty("code");
});

test("does not give the grant for all third-party clients to a client that an administrator created", async () => {
  const identifier = "https://strict.example.test";
  const policy = { user: { policy: "require_client_grant" } };
  await service.manage.create("/api/v2/resource-servers", {
    name: "Strict",
    identifier,
    scopes: [{ value: "read:x" }],
    subject_type_authorization: policy,
  });
  await service.manage.create("/api/v2/client-grants", { default_for: "third_party_clients", audience: identifier, scope: ["read:x"] });
  const partner = await service.register({ name: "Partner", is_first_party: false });
  const parameters = { scope: "openid read:x", resource: identifier };
  await expect(codeForTools(service.browser(), partner, service.ada, parameters)).rejects.toThrow();
  const client = await registered(service);
  expect((await signIn(client, parameters)).issued.scope).toBe("openid read:x");
});

test.each([
  ["a client", { client_id: "app-1" }, "client_id"],
  ["grants to clients themselves", { subject_type: "client" }, "subject_type"],
  ["other clients", { default_for: "all_clients" }, "default_for"],
])("rejects a grant for all third-party clients that is for %s", async (_, sent, named) => {
  const body = { default_for: "third_party_clients", audience: tools, scope: ["read:tools"], ...sent };
  expectError(await service.manage("POST", "/api/v2/client-grants", body), 400, "invalid_request", new RegExp(`${named}|default_for`));
});

test("rejects a grant of the Management API for all third-party clients, and lists the others", async () => {
  const body = { default_for: "third_party_clients", audience: `${service.postern.issuer}api/v2/`, scope: ["read:users"] };
  expectError(await service.manage("POST", "/api/v2/client-grants", body), 400, "invalid_request", "default_for");
  const grants = list(await service.manage("GET", "/api/v2/client-grants?default_for=third_party_clients"));
  expect(grants[0]).toEqual(expect.objectContaining({ default_for: "third_party_clients", audience: tools, subject_type: "user" }));
  expect(grants[0]).not.toHaveProperty("client_id");
});
