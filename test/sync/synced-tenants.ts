import { managerOf, list, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";

/** A control plane (`main`) and a tenant with its copies (`other`). */
export interface SyncedTenants extends TestPostern {
  /** Manages the control plane. */
  readonly main: Manager;
  /** Manages the other tenant, with every scope. */
  readonly other: Manager;
  /** Starts a sync by a change that has no effect. The sync also repairs copies. */
  resync(): Promise<void>;
}

/** Opens {@link SyncedTenants}. */
export async function openSyncedTenants(options: TestOptions = {}): Promise<SyncedTenants> {
  const service = await createTestPostern(options);
  const main = await managerOf(service, "main");
  const other = await managerOf(service, "other");
  return {
    ...service,
    main,
    other,
    async resync() {
      const { id } = await main.create("/api/v2/roles", { name: "Passing", metadata: { sync: false } });
      await main("DELETE", `/api/v2/roles/${String(id)}`);
    },
  };
}

export const encoded = encodeURIComponent;

/** Returns the APIs and roles of a tenant, copied or not, as its Management API returns them, without ids. */
export async function apisAndRolesOf(
  manage: Manager,
): Promise<{ readonly apis: readonly JsonBody[]; readonly roles: readonly JsonBody[] }> {
  const apis = list(await manage("GET", "/api/v2/resource-servers?per_page=100")).filter(({ name }) => name !== "Auth0 Management API");
  const roles = await Promise.all(
    list(await manage("GET", "/api/v2/roles?per_page=100")).map(async ({ id, ...role }) => ({
      ...role,
      permissions: list(await manage("GET", `/api/v2/roles/${String(id)}/permissions?per_page=100`))
        .map((permission) => `${stringMember(permission, "permission_name")} of ${stringMember(permission, "resource_server_identifier")}`)
        .toSorted(),
    })),
  );
  return { apis: sorted(apis.map(({ id: _, ...api }) => api)), roles: sorted(roles) };
}

function sorted(records: readonly JsonBody[]): readonly JsonBody[] {
  return records.toSorted((one, other) => (stringMember(one, "name") < stringMember(other, "name") ? -1 : 1));
}

/** Returns the copies of these APIs and roles that other tenants must have. */
export function asCopies({ apis, roles }: Awaited<ReturnType<typeof apisAndRolesOf>>): Awaited<ReturnType<typeof apisAndRolesOf>> {
  const copy = (record: JsonBody): JsonBody => ({ ...record, is_system: true });
  return { apis: apis.map(copy), roles: roles.map(copy) };
}

/** Adds permissions to a role of a tenant. */
export async function addPermissions(manage: Manager, roleId: string, identifier: string, names: readonly string[]): Promise<void> {
  const permissions = names.map((permission_name) => ({ resource_server_identifier: identifier, permission_name }));
  jsonBody({ ...(await manage("POST", `/api/v2/roles/${roleId}/permissions`, { permissions })), body: {} }, 201);
}

/** Returns an API or role of a tenant by its name. */
export async function findByName(manage: Manager, kind: "roles" | "resource-servers", name: string): Promise<JsonBody> {
  const found = list(await manage("GET", `/api/v2/${kind}?per_page=100`)).find((record) => record["name"] === name);
  if (found === undefined) throw new Error(`no ${kind} with the name ${name}`);
  return found;
}
