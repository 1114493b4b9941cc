import { schema, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { expectError, list, jsonBody, stringMember } from "../support/api.ts";
import { writeNumbers } from "../support/each-write.ts";
import { openService, type LoginService } from "../support/flow.ts";
import { isNightly, sampled } from "../support/nightly.ts";
import { organizationsBy } from "../support/organizations.ts";
import { insertPublicKey } from "../support/rows.ts";
import { rowsContaining } from "../support/rows-containing.ts";

const api = "https://api.example.test/";
const rowCount = 120;

/** Creates a store in which the given write and all later writes fail, as if the process had crashed. */
function crashingStore(): { readonly data: DataAdapter; failFrom(write: number): void; recover(): void; writes(): number } {
  let count = 0;
  let last = Infinity;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    // A removal is complete without its audit event, so writes to `logs` are not counted.
    if (name !== "logs.insert" && count++ >= last) throw new Error("the process crashed");
    return run();
  });
  return {
    data,
    failFrom(write) {
      count = 0;
      last = write;
    },
    recover() {
      last = Infinity;
    },
    writes: () => count,
  };
}

/** A resource with many dependent rows. */
interface Removal {
  /** Creates the resource. @returns its path, and the id that no row may contain after the removal. */
  prepare(service: LoginService): Promise<{ readonly path: string; readonly id: string }>;
  /** Creates another resource with the same name. It must neither conflict with the first one nor contain its data. */
  recreate(service: LoginService): Promise<unknown>;
  /** Expects that the access that the resource granted ended with the first write of the removal. */
  expectNoAccess?(service: LoginService, id: string): Promise<void>;
}

const connection = "Username-Password-Authentication";
const newUser = (email: string) => ({ connection, email, password: "correct horse battery", email_verified: true });
const encoded = encodeURIComponent;

/** Creates an API that enforces policies, and a role that grants its scope. */
async function prepareRole({ manage }: LoginService): Promise<string> {
  await manage.create("/api/v2/resource-servers", { identifier: api, enforce_policies: true, scopes: [{ value: "read:things" }] });
  const role = stringMember(await manage.create("/api/v2/roles", { name: "Reader" }), "id");
  const permissions = [{ resource_server_identifier: api, permission_name: "read:things" }];
  expect(await manage("POST", `/api/v2/roles/${role}/permissions`, { permissions })).toMatchObject({ status: 201 });
  return role;
}

async function scopeOf(
  service: LoginService,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<unknown> {
  const { clientId } = await service.register({ app_type: "native", grant_types: ["password"] });
  const body = { grant_type: "password", client_id: clientId, username: email, password, audience: api, scope: "openid read:things" };
  return jsonBody(await service.exchange(body))["scope"];
}

/** Creates a client grant for many organizations, or many client grants for the given organization. */
async function createGrants(
  { manage, data }: Pick<LoginService, "manage" | "data">,
  of: { readonly client_id: string; readonly audience: string },
  organization?: string,
): Promise<string> {
  if (organization !== undefined) await manage.create("/api/v2/resource-servers", { identifier: api });
  const id = stringMember(await manage.create("/api/v2/client-grants", { ...of, scope: [], organization_usage: "allow" }), "id");
  const owner = organization ?? stringMember(await manage.create("/api/v2/organizations", { name: "given" }), "id");
  await manage.create(`/api/v2/organizations/${owner}/client-grants`, { grant_id: id });
  for (let i = 0; i < rowCount; i++) {
    const row = { tenant_id: "main", organization_id: owner, grant_id: id, ...of, created_at: 0 };
    const other = organization === undefined ? { organization_id: `org_${i}` } : { grant_id: `cgr_${i}` };
    await data.collections.organization_client_grants.insert([{ ...row, ...other }]);
  }
  return id;
}

/** Expects that the API's client grant no longer grants a token. */
async function expectNoToken({ exchange, web }: LoginService): Promise<void> {
  const body = { grant_type: "client_credentials", client_id: web.clientId, client_secret: web.secret ?? "", audience: api };
  expectError(await exchange(body), 400, "access_denied");
}

const removals: { readonly [name: string]: Removal } = {
  "a user": {
    async prepare(service) {
      const { manage, data, ada } = service;
      const role = await prepareRole(service);
      const user = `/api/v2/users/${encoded(ada.userId)}`;
      await manage("POST", `${user}/roles`, { roles: [role] });
      const organizations = organizationsBy(manage);
      await organizations.addMembers(await organizations.create("acme"), ada);
      for (const email of ["one@example.test", "two@example.test"]) {
        const linked = stringMember(await manage.create("/api/v2/users", newUser(email)), "user_id");
        expect(await manage("POST", `${user}/identities`, { provider: "auth0", user_id: linked })).toMatchObject({ status: 201 });
      }
      const { clientId } = await service.register({ app_type: "native", grant_types: ["password", "refresh_token"] });
      const signIn = {
        grant_type: "password",
        client_id: clientId,
        username: ada.email,
        password: ada.password,
        scope: "openid offline_access",
      };
      jsonBody(await service.exchange(signIn));
      const where = { tenant_id: "main", user_id: ada.userId };
      const [[session], [token]] = await Promise.all([
        data.collections.sessions.find({ where, limit: 1 }),
        data.collections.refresh_tokens.find({ where, limit: 1 }),
      ]);
      if (session === undefined || token === undefined) throw new Error("no session exists");
      for (let i = 0; i < rowCount; i++) {
        await data.collections.sessions.insert([{ ...session, id: `sess_${i}` }]);
        await data.collections.refresh_tokens.insert([{ ...token, id: `rt_${i}`, session_id: `sess_${i}` }]);
      }
      await insertPublicKey(service, { userId: ada.userId, clientId });
      return { path: user, id: ada.userId };
    },
    async recreate({ manage, ada }) {
      const { user_id: id, identities } = await manage.create("/api/v2/users", {
        ...newUser(ada.email),
        user_id: ada.userId.split("|")[1],
      });
      expect([id, identities]).toMatchObject([ada.userId, [{ connection }]]);
      for (const what of ["roles", "permissions", "organizations", "sessions", "refresh-tokens"])
        expect(list(await manage("GET", `/api/v2/users/${encoded(ada.userId)}/${what}?per_page=1`)), what).toEqual([]);
    },
    expectNoAccess: async ({ exchange, ada, register }) => {
      const { clientId } = await register({ app_type: "native", grant_types: ["password"] });
      const body = { grant_type: "password", client_id: clientId, username: ada.email, password: ada.password };
      expectError(await exchange(body), 403, "INVALID_CREDENTIALS");
    },
  },
  "an organization": {
    async prepare({ manage, data, ada, web }) {
      const organizations = organizationsBy(manage);
      const enabled_connections = [{ connection_id: await organizations.connection(connection) }];
      const id = await organizations.create("acme", { enabled_connections });
      const role = stringMember(await manage.create("/api/v2/roles", { name: "Editor" }), "id");
      await organizations.addMembers(id, ada);
      await organizations.assignRole(id, ada, role);
      for (let i = 0; i < rowCount; i++) {
        await data.collections.organization_members.insert([
          { tenant_id: "main", organization_id: id, user_id: `auth0|${i}`, created_at: 0 },
        ]);
      }
      for (const email of ["x@example.test", "y@example.test"]) {
        await manage.create(`/api/v2/organizations/${id}/invitations`, {
          inviter: { name: "Ann" },
          invitee: { email },
          client_id: web.clientId,
        });
      }
      await createGrants({ manage, data }, { client_id: web.clientId, audience: api }, id);
      return { path: `/api/v2/organizations/${id}`, id };
    },
    recreate: ({ manage }) => manage.create("/api/v2/organizations", { name: "acme" }),
    expectNoAccess: async ({ manage, ada }) => {
      expect(list(await manage("GET", `/api/v2/users/${encoded(ada.userId)}/organizations`))).toEqual([]);
    },
  },
  "a role": {
    async prepare(service) {
      const { manage, data, ada } = service;
      const id = await prepareRole(service);
      await manage("POST", `/api/v2/users/${encoded(ada.userId)}/roles`, { roles: [id] });
      expect(await scopeOf(service, ada)).toBe("openid read:things");
      for (let i = 0; i < rowCount; i++) {
        await data.collections.user_roles.insert([
          { tenant_id: "main", user_id: `auth0|${i}`, organization_id: "", role_id: id, created_at: 0 },
        ]);
      }
      return { path: `/api/v2/roles/${id}`, id };
    },
    recreate: ({ manage }) => manage.create("/api/v2/roles", { name: "Reader" }),
    expectNoAccess: async (service) => {
      expect(await scopeOf(service, service.ada)).toBe("openid");
      expect(list(await service.manage("GET", `/api/v2/users/${encoded(service.ada.userId)}/roles`))).toEqual([]);
    },
  },
  "a client": {
    async prepare(service) {
      const { manage, data, exchange, ada } = service;
      await manage.create("/api/v2/resource-servers", { identifier: api });
      const settings = { name: "App", app_type: "native", token_endpoint_auth_method: "none", grant_types: ["password", "refresh_token"] };
      const id = stringMember(await manage.create("/api/v2/clients", settings), "client_id");
      await createGrants({ manage, data }, { client_id: id, audience: api });
      const body = { grant_type: "password", client_id: id, username: ada.email, password: ada.password, scope: "openid offline_access" };
      jsonBody(await exchange(body));
      const [token] = await data.collections.refresh_tokens.find({ where: { tenant_id: "main", client_id: id }, limit: 1 });
      if (token === undefined) throw new Error("no session exists");
      for (let i = 0; i < rowCount; i++) await data.collections.refresh_tokens.insert([{ ...token, id: `rt_${i}` }]);
      await insertPublicKey(service, { userId: ada.userId, clientId: id });
      return { path: `/api/v2/clients/${id}`, id };
    },
    recreate: ({ manage }) => manage.create("/api/v2/clients", { name: "App" }),
    expectNoAccess: async ({ exchange, ada }, id) => {
      const body = { grant_type: "password", client_id: id, username: ada.email, password: ada.password };
      expectError(await exchange(body), 401, "invalid_client");
    },
  },
  "a client grant": {
    async prepare({ manage, data, web }) {
      await manage.create("/api/v2/resource-servers", { identifier: api, scopes: [{ value: "read:things" }] });
      const id = await createGrants({ manage, data }, { client_id: web.clientId, audience: api });
      return { path: `/api/v2/client-grants/${id}`, id };
    },
    recreate: ({ manage, web }) => manage.create("/api/v2/client-grants", { client_id: web.clientId, audience: api, scope: [] }),
    expectNoAccess: expectNoToken,
  },
  "a connection": {
    async prepare({ manage, web }) {
      const settings = { name: "staff", strategy: "auth0", enabled_clients: [web.clientId] };
      const id = stringMember(await manage.create("/api/v2/connections", settings), "id");
      const organization = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
      await manage("POST", `/api/v2/organizations/${organization}/enabled_connections`, { connection_id: id });
      for (let i = 0; i < 5; i++) await manage.create("/api/v2/users", { connection: "staff", email: `staff-${i}@example.test` });
      return { path: `/api/v2/connections/${id}`, id };
    },
    async recreate({ manage }) {
      await manage.create("/api/v2/connections", { name: "staff", strategy: "auth0" });
      expect(list(await manage("GET", "/api/v2/users?q=connection:staff"))).toEqual([]);
    },
  },
  "an API": {
    async prepare(service) {
      const { manage, data, ada, web } = service;
      await prepareRole(service);
      const permissions = [{ resource_server_identifier: api, permission_name: "read:things" }];
      await manage("POST", `/api/v2/users/${encoded(ada.userId)}/permissions`, { permissions });
      await createGrants({ manage, data }, { client_id: web.clientId, audience: api });
      const { id } = jsonBody(await manage("GET", `/api/v2/resource-servers/${encoded(api)}`));
      return { path: `/api/v2/resource-servers/${String(id)}`, id: String(id) };
    },
    recreate: ({ manage }) => manage.create("/api/v2/resource-servers", { identifier: api }),
    expectNoAccess: expectNoToken,
  },
};

test.each(Object.entries(removals))(
  "a removal of %s takes effect despite a crash between any two writes, and a repeated call or `sweep` completes it",
  { timeout: 60_000 },
  async (_, removal) => {
    /** @param stored is the number of stored writes before the crash. @returns the number of writes that were started. */
    const attempt = async (stored: number, finish: "call" | "sweep"): Promise<number> => {
      const store = crashingStore();
      // Copies in other tenants are written after the response. test/tenancy/sync-crashes.test.ts covers them.
      const service = await openService({ data: store.data, sync: false, logger: { log: () => {} } });
      const { path, id } = await removal.prepare(service);
      // The token is requested before the crash is set, so that the writes of this request are not counted.
      const token = await service.token();
      store.failFrom(stored);
      const { status } = await service.call("DELETE", path, { token });
      const writes = store.writes();
      expect(status).toBe(stored === Infinity ? 204 : 500);
      store.recover();

      expect(await service.manage("GET", path)).toMatchObject({ status: 404 });
      await removal.expectNoAccess?.(service, id);
      if (finish === "call") expect(await service.manage("DELETE", path)).toMatchObject({ status: 204 });
      else {
        service.clock.advance("2m");
        expect(await service.postern.jobs.sweep()).toMatchObject({ finished: true });
      }
      // The row of a connection stays until no process can have it in its cache.
      if (finish === "call" && path.includes("/connections/")) {
        service.clock.advance("2m");
        await service.postern.jobs.sweep();
      }
      // A session lists the clients that its user used, including deleted ones.
      expect((await rowsContaining(service.data, id)).filter((row) => !path.includes("/clients/") || !row.startsWith("sessions:"))).toEqual(
        [],
      );
      await removal.recreate(service);
      return writes;
    };
    const writes = await attempt(Infinity, "call");
    if (isNightly) await attempt(Infinity, "sweep");
    const crashes = writeNumbers(writes - 1).flatMap((stored) => [[stored, "call"] as const, [stored, "sweep"] as const]);
    for (const [stored, finish] of sampled("crashes", crashes)) await attempt(stored, finish);
  },
);

test("these tests cover every collection whose rows are deleted in steps", () => {
  const deletedInSteps = Object.values(schema).filter(({ scope, fields }) => scope === "tenant" && "deleting_at" in fields);
  expect(deletedInSteps).toHaveLength(Object.keys(removals).length);
});
