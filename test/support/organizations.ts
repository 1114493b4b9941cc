import { expect } from "vitest";
import { list, jsonBody, stringMember, type JsonBody, type Manager } from "./api.ts";
import type { TestAccount } from "./flow.ts";

/** The requests that tests send to the Management API for organizations. */
export interface OrganizationManager {
  create(name: string, more?: object): Promise<string>;
  addMembers(organizationId: string, ...accounts: readonly TestAccount[]): Promise<void>;
  removeMember(organizationId: string, account: TestAccount): Promise<void>;
  members(organizationId: string): Promise<readonly JsonBody[]>;
  /** Assigns a user a role in an organization. */
  assignRole(organizationId: string, account: TestAccount, roleId: string): Promise<void>;
  rolesOf(organizationId: string, account: TestAccount): Promise<readonly unknown[]>;
  /** Creates a role with permissions for an API. @returns the id of the role. */
  createRole(name: string, api: string, ...permissions: readonly string[]): Promise<string>;
  /** Creates an API that enforces policies, with these scopes. */
  createApi(identifier: string, ...scopes: readonly string[]): Promise<void>;
  /** Returns the id of the connection with this name. */
  connection(name: string): Promise<string>;
}

const path = "/api/v2/organizations";

/** Creates an {@link OrganizationManager}. */
export function organizationsBy(manage: Manager): OrganizationManager {
  const done = async (method: string, at: string, body: unknown): Promise<void> => {
    expect(await manage(method, at, body)).toMatchObject({ status: 204 });
  };
  const rolesPath = (id: string, { userId }: TestAccount): string => `${path}/${id}/members/${encodeURIComponent(userId)}/roles`;
  return {
    create: async (name, more = {}) => stringMember(await manage.create(path, { name, ...more }), "id"),
    addMembers: (id, ...accounts) => done("POST", `${path}/${id}/members`, { members: accounts.map(({ userId }) => userId) }),
    removeMember: (id, { userId }) => done("DELETE", `${path}/${id}/members`, { members: [userId] }),
    members: async (id) => list(await manage("GET", `${path}/${id}/members?per_page=100`)),
    assignRole: (id, account, roleId) => done("POST", rolesPath(id, account), { roles: [roleId] }),
    rolesOf: async (id, account) => list(await manage("GET", rolesPath(id, account))).map((role) => role["id"]),
    createRole: async (name, api, ...permissions) => {
      const id = stringMember(await manage.create("/api/v2/roles", { name }), "id");
      const result = permissions.map((permission) => ({ resource_server_identifier: api, permission_name: permission }));
      expect(await manage("POST", `/api/v2/roles/${id}/permissions`, { permissions: result })).toMatchObject({ status: 201 });
      return id;
    },
    createApi: async (identifier, ...scopes) => {
      await manage.create("/api/v2/resource-servers", {
        identifier,
        name: identifier,
        enforce_policies: true,
        allow_offline_access: true,
        token_dialect: "access_token_authz",
        scopes: scopes.map((value) => ({ value })),
      });
    },
    connection: async (name) => {
      const [found] = list(await manage("GET", `/api/v2/connections?name=${encodeURIComponent(name)}`));
      return stringMember(found ?? jsonBody({ status: 404, headers: new Headers(), body: undefined }), "id");
    },
  };
}
