import { consoleScopes, managesTenants } from "./console-scopes.ts";

/** A role for operators that the console creates on request. */
interface RolePreset {
  /** The name of the new role. Operators can rename the role. */
  readonly name: string;
  readonly description: string;
  /** Scopes of the Management API. */
  readonly scopes: readonly string[];
}

const support = [
  "read:users",
  "update:users",
  "create:user_tickets",
  "read:logs",
  "read:sessions",
  "delete:sessions",
  "read:refresh_tokens",
  "delete:refresh_tokens",
  "read:device_credentials",
  "delete:device_credentials",
  "read:authentication_methods",
  "read:grants",
  "read:roles",
  "read:organizations",
];

const userAdmin = [
  ...support,
  "create:users",
  "delete:users",
  "delete:authentication_methods",
  "delete:grants",
  "read:stats",
  "read:clients",
  "read:connections",
  "read:organization_members",
  "create:organization_members",
  "delete:organization_members",
  "read:organization_member_roles",
  "create:organization_member_roles",
  "delete:organization_member_roles",
  "read:organization_invitations",
  "create:organization_invitations",
  "delete:organization_invitations",
];

const appAdmin = [
  "read:clients",
  "create:clients",
  "update:clients",
  "delete:clients",
  "read:client_grants",
  "create:client_grants",
  "update:client_grants",
  "delete:client_grants",
  "read:connections",
  "create:connections",
  "update:connections",
  "delete:connections",
  "read:resource_servers",
  "create:resource_servers",
  "update:resource_servers",
  "delete:resource_servers",
  "read:logs",
  "read:stats",
];

/** Every scope of the console that only reads. The tenants and their operations belong to the control plane. */
const auditor = consoleScopes.filter((scope) => scope.startsWith("read:") && !managesTenants(scope));

/** The presets, by the value of their form field. The console never creates one without a request. */
export const rolePresets: { readonly [id: string]: RolePreset } = {
  support: {
    name: "Support",
    description: "Finds users, sees why they cannot sign in, blocks and unblocks them, resets passwords and ends sessions",
    scopes: support,
  },
  "user-admin": {
    name: "User admin",
    description: "Support, and creates and deletes users, removes second factors, manages members and invitations",
    scopes: userAdmin,
  },
  "app-admin": {
    name: "App admin",
    description: "Manages apps, connections and APIs, and sees the log",
    scopes: appAdmin,
  },
  auditor: { name: "Auditor", description: "Sees everything in the console, and changes nothing", scopes: auditor },
};
