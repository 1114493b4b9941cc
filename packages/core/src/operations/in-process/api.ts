// Made by `npx pnpm@12 reference` from the routes: do not edit.
import type { ListReply, Only, WithCheckpoints, WithTotals } from "./lists.ts";

/** Method and path of each operation of the in-process API, by its name. */
export const operations = {
  users: {
    list: "GET /api/v2/users",
    create: "POST /api/v2/users",
    get: "GET /api/v2/users/:id",
    update: "PATCH /api/v2/users/:id",
    delete: "DELETE /api/v2/users/:id",
    roles: {
      list: "GET /api/v2/users/:id/roles",
      add: "POST /api/v2/users/:id/roles",
      remove: "DELETE /api/v2/users/:id/roles",
    },
    permissions: {
      list: "GET /api/v2/users/:id/permissions",
      add: "POST /api/v2/users/:id/permissions",
      remove: "DELETE /api/v2/users/:id/permissions",
    },
    identities: {
      link: "POST /api/v2/users/:id/identities",
      unlink: "DELETE /api/v2/users/:id/identities/:provider/:user_id",
    },
    logs: {
      list: "GET /api/v2/users/:id/logs",
    },
    organizations: {
      list: "GET /api/v2/users/:id/organizations",
    },
    sessions: {
      list: "GET /api/v2/users/:user_id/sessions",
      deleteAll: "DELETE /api/v2/users/:user_id/sessions",
    },
    refreshTokens: {
      list: "GET /api/v2/users/:user_id/refresh-tokens",
      revokeAll: "DELETE /api/v2/users/:user_id/refresh-tokens",
    },
  },
  usersByEmail: {
    list: "GET /api/v2/users-by-email",
  },
  userBlocks: {
    getByIdentifier: "GET /api/v2/user-blocks",
    deleteByIdentifier: "DELETE /api/v2/user-blocks",
    get: "GET /api/v2/user-blocks/:id",
    delete: "DELETE /api/v2/user-blocks/:id",
  },
  roles: {
    list: "GET /api/v2/roles",
    create: "POST /api/v2/roles",
    get: "GET /api/v2/roles/:id",
    update: "PATCH /api/v2/roles/:id",
    delete: "DELETE /api/v2/roles/:id",
    permissions: {
      list: "GET /api/v2/roles/:id/permissions",
      add: "POST /api/v2/roles/:id/permissions",
      remove: "DELETE /api/v2/roles/:id/permissions",
    },
    users: {
      list: "GET /api/v2/roles/:id/users",
      add: "POST /api/v2/roles/:id/users",
    },
  },
  organizations: {
    list: "GET /api/v2/organizations",
    create: "POST /api/v2/organizations",
    get: "GET /api/v2/organizations/:id",
    update: "PATCH /api/v2/organizations/:id",
    delete: "DELETE /api/v2/organizations/:id",
    getByName: "GET /api/v2/organizations/name/:name",
    members: {
      list: "GET /api/v2/organizations/:id/members",
      add: "POST /api/v2/organizations/:id/members",
      remove: "DELETE /api/v2/organizations/:id/members",
      roles: {
        list: "GET /api/v2/organizations/:id/members/:user_id/roles",
        add: "POST /api/v2/organizations/:id/members/:user_id/roles",
        remove: "DELETE /api/v2/organizations/:id/members/:user_id/roles",
      },
    },
    connections: {
      list: "GET /api/v2/organizations/:id/connections",
      create: "POST /api/v2/organizations/:id/connections",
      get: "GET /api/v2/organizations/:id/connections/:connection_id",
      update: "PATCH /api/v2/organizations/:id/connections/:connection_id",
      delete: "DELETE /api/v2/organizations/:id/connections/:connection_id",
    },
    clientGrants: {
      list: "GET /api/v2/organizations/:id/client-grants",
      create: "POST /api/v2/organizations/:id/client-grants",
      delete: "DELETE /api/v2/organizations/:id/client-grants/:grant_id",
    },
    invitations: {
      list: "GET /api/v2/organizations/:id/invitations",
      create: "POST /api/v2/organizations/:id/invitations",
      get: "GET /api/v2/organizations/:id/invitations/:invitation_id",
      delete: "DELETE /api/v2/organizations/:id/invitations/:invitation_id",
    },
  },
  clientGrants: {
    organizations: {
      list: "GET /api/v2/client-grants/:id/organizations",
    },
    list: "GET /api/v2/client-grants",
    create: "POST /api/v2/client-grants",
    get: "GET /api/v2/client-grants/:id",
    update: "PATCH /api/v2/client-grants/:id",
    delete: "DELETE /api/v2/client-grants/:id",
  },
  clients: {
    global: {
      get: "GET /api/v2/clients/global",
      update: "PATCH /api/v2/clients/global",
    },
    list: "GET /api/v2/clients",
    create: "POST /api/v2/clients",
    get: "GET /api/v2/clients/:id",
    update: "PATCH /api/v2/clients/:id",
    delete: "DELETE /api/v2/clients/:id",
    rotateSecret: "POST /api/v2/clients/:id/rotate-secret",
    credentials: {
      list: "GET /api/v2/clients/:client_id/credentials",
      create: "POST /api/v2/clients/:client_id/credentials",
      get: "GET /api/v2/clients/:client_id/credentials/:id",
      update: "PATCH /api/v2/clients/:client_id/credentials/:id",
      delete: "DELETE /api/v2/clients/:client_id/credentials/:id",
    },
    connections: {
      list: "GET /api/v2/clients/:id/connections",
      update: "PATCH /api/v2/clients/:id/connections",
    },
  },
  grants: {
    list: "GET /api/v2/grants",
    deleteAll: "DELETE /api/v2/grants",
    delete: "DELETE /api/v2/grants/:id",
  },
  connections: {
    clients: {
      list: "GET /api/v2/connections/:id/clients",
      update: "PATCH /api/v2/connections/:id/clients",
    },
    list: "GET /api/v2/connections",
    create: "POST /api/v2/connections",
    get: "GET /api/v2/connections/:id",
    update: "PATCH /api/v2/connections/:id",
    delete: "DELETE /api/v2/connections/:id",
  },
  resourceServers: {
    list: "GET /api/v2/resource-servers",
    create: "POST /api/v2/resource-servers",
    get: "GET /api/v2/resource-servers/:id",
    update: "PATCH /api/v2/resource-servers/:id",
    delete: "DELETE /api/v2/resource-servers/:id",
  },
  settings: {
    get: "GET /api/v2/tenants/settings",
    update: "PATCH /api/v2/tenants/settings",
  },
  logs: {
    list: "GET /api/v2/logs",
    get: "GET /api/v2/logs/:id",
  },
  keys: {
    signing: {
      list: "GET /api/v2/keys/signing",
      get: "GET /api/v2/keys/signing/:kid",
      rotate: "POST /api/v2/keys/signing/rotate",
      revoke: "PUT /api/v2/keys/signing/:kid/revoke",
      renew: "POST /api/v2/keys/signing/:kid/renew",
    },
  },
  sessions: {
    list: "GET /api/v2/sessions",
    get: "GET /api/v2/sessions/:id",
    clients: {
      get: "GET /api/v2/sessions/:id/clients/:client_id",
    },
    update: "PATCH /api/v2/sessions/:id",
    delete: "DELETE /api/v2/sessions/:id",
    revoke: "POST /api/v2/sessions/:id/revoke",
  },
  refreshTokens: {
    get: "GET /api/v2/refresh-tokens/:id",
    update: "PATCH /api/v2/refresh-tokens/:id",
    delete: "DELETE /api/v2/refresh-tokens/:id",
  },
  branding: {
    get: "GET /api/v2/branding",
    update: "PATCH /api/v2/branding",
    themes: {
      create: "POST /api/v2/branding/themes",
      getDefault: "GET /api/v2/branding/themes/default",
      get: "GET /api/v2/branding/themes/:id",
      update: "PATCH /api/v2/branding/themes/:id",
      delete: "DELETE /api/v2/branding/themes/:id",
    },
    templates: {
      universalLogin: {
        get: "GET /api/v2/branding/templates/universal-login",
        replace: "PUT /api/v2/branding/templates/universal-login",
        delete: "DELETE /api/v2/branding/templates/universal-login",
      },
    },
  },
  prompts: {
    get: "GET /api/v2/prompts",
    update: "PATCH /api/v2/prompts",
    customText: {
      get: "GET /api/v2/prompts/:prompt/custom-text/:language",
      replace: "PUT /api/v2/prompts/:prompt/custom-text/:language",
    },
    partials: {
      get: "GET /api/v2/prompts/:prompt/partials",
      replace: "PUT /api/v2/prompts/:prompt/partials",
    },
    rendering: {
      list: "GET /api/v2/prompts/rendering",
      update: "PATCH /api/v2/prompts/rendering",
    },
    screen: {
      rendering: {
        get: "GET /api/v2/prompts/:prompt/screen/:screen/rendering",
        update: "PATCH /api/v2/prompts/:prompt/screen/:screen/rendering",
      },
    },
  },
  customDomains: {
    list: "GET /api/v2/custom-domains",
    create: "POST /api/v2/custom-domains",
    get: "GET /api/v2/custom-domains/:id",
    update: "PATCH /api/v2/custom-domains/:id",
    verify: "POST /api/v2/custom-domains/:id/verify",
    delete: "DELETE /api/v2/custom-domains/:id",
  },
  emails: {
    provider: {
      get: "GET /api/v2/emails/provider",
      create: "POST /api/v2/emails/provider",
      update: "PATCH /api/v2/emails/provider",
      delete: "DELETE /api/v2/emails/provider",
    },
  },
  emailTemplates: {
    create: "POST /api/v2/email-templates",
    get: "GET /api/v2/email-templates/:templateName",
    update: "PATCH /api/v2/email-templates/:templateName",
    replace: "PUT /api/v2/email-templates/:templateName",
  },
  attackProtection: {
    bruteForceProtection: {
      get: "GET /api/v2/attack-protection/brute-force-protection",
      update: "PATCH /api/v2/attack-protection/brute-force-protection",
    },
    suspiciousIpThrottling: {
      get: "GET /api/v2/attack-protection/suspicious-ip-throttling",
      update: "PATCH /api/v2/attack-protection/suspicious-ip-throttling",
    },
    breachedPasswordDetection: {
      get: "GET /api/v2/attack-protection/breached-password-detection",
      update: "PATCH /api/v2/attack-protection/breached-password-detection",
    },
  },
  tickets: {
    emailVerification: {
      create: "POST /api/v2/tickets/email-verification",
    },
    passwordChange: {
      create: "POST /api/v2/tickets/password-change",
    },
  },
  jobs: {
    verificationEmail: {
      create: "POST /api/v2/jobs/verification-email",
    },
    usersImports: {
      create: "POST /api/v2/jobs/users-imports",
    },
    usersExports: {
      create: "POST /api/v2/jobs/users-exports",
    },
    get: "GET /api/v2/jobs/:id",
    errors: {
      list: "GET /api/v2/jobs/:id/errors",
    },
  },
  logStreams: {
    list: "GET /api/v2/log-streams",
    create: "POST /api/v2/log-streams",
    get: "GET /api/v2/log-streams/:id",
    update: "PATCH /api/v2/log-streams/:id",
    delete: "DELETE /api/v2/log-streams/:id",
  },
  tenants: {
    list: "GET /tenants",
    create: "POST /tenants",
    get: "GET /tenants/:id",
    update: "PATCH /tenants/:id",
    delete: "DELETE /tenants/:id",
    operations: {
      list: "GET /tenants/:id/operations",
      create: "POST /tenants/:id/operations",
    },
  },
  operations: {
    get: "GET /operations/:id",
  },
} as const;

export type { ListCheckpoint, ListReply, ListTotals, Only, WithCheckpoints, WithTotals } from "./lists.ts";

/** The Management API of one tenant, in process: made by `postern.tenant(id)`. Each method rejects with a {@link PosternError}. */
export interface TenantApi {
  readonly users: UsersApi;
  readonly usersByEmail: UsersByEmailApi;
  readonly userBlocks: UserBlocksApi;
  readonly roles: RolesApi;
  readonly organizations: OrganizationsApi;
  readonly clientGrants: ClientGrantsApi;
  readonly clients: ClientsApi;
  readonly grants: GrantsApi;
  readonly connections: ConnectionsApi;
  readonly resourceServers: ResourceServersApi;
  readonly settings: SettingsApi;
  readonly logs: LogsApi;
  readonly keys: KeysApi;
  readonly sessions: SessionsApi;
  readonly refreshTokens: RefreshTokensApi;
  readonly branding: BrandingApi;
  readonly prompts: PromptsApi;
  readonly customDomains: CustomDomainsApi;
  readonly emails: EmailsApi;
  readonly emailTemplates: EmailTemplatesApi;
  readonly attackProtection: AttackProtectionApi;
  readonly tickets: TicketsApi;
  readonly jobs: JobsApi;
  readonly logStreams: LogStreamsApi;
  readonly tenants: TenantsApi;
  readonly operations: OperationsApi;
}

/** `postern.tenant(id).users` */
export interface UsersApi {
  /** List and search users. With `read:user_idp_tokens`, identities show the tokens that their providers gave; that scope alone shows which accounts somebody has, without their profiles. Scopes: `read:users` or `read:user_idp_tokens`. */
  list<Query extends UsersListQuery = Record<never, never>>(query?: Only<Query, UsersListQuery>): Promise<ListReply<Query, "users", User>>;
  /** Create a user. With `verify_email: true`, a link to verify the address is sent. Scopes: `create:users`. */
  create(body: CreateUser): Promise<User>;
  /** Get a user. A linked account answers 404, or itself with `linked_to` where `Prefer: include-linked` asks for it. With `read:user_idp_tokens`, identities show the tokens that their providers gave; that scope alone shows which accounts somebody has, without their profiles. Scopes: `read:users` or `read:current_user` or `read:user_idp_tokens`. */
  get(id: string): Promise<User>;
  /** Change a user. `connection` selects a linked account. The reply is the primary user with all identities. With `verify_email: true`, a link to verify the address is sent, about the app that `client_id` names. A new password ends the person's sessions and refresh tokens; people who set their own keep the session of their token with `Prefer: keep-session`. With `update:users_app_metadata` alone, `app_metadata` is changed and shown, and nothing else; with `update:current_user_metadata` alone, people change their own `user_metadata` and nothing else. Scopes: `update:users` or `update:users_app_metadata` or `update:current_user_metadata`. Also requires `update:users` or `update:users_app_metadata` if the body has `app_metadata`. Also requires `update:users` or `update:current_user_metadata` if the body has `user_metadata` and the user is the caller. Also requires `update:users` if the body has any other member. */
  update(id: string, body: UpdateUser): Promise<User>;
  /** Delete a user. Answers 204 also when there is nothing to delete, so that a call may be repeated. A linked account is part of its primary user and answers 404: unlink it first. Scopes: `delete:users` or `delete:current_user`. */
  delete(id: string): Promise<void>;
  readonly roles: UsersRolesApi;
  readonly permissions: UsersPermissionsApi;
  readonly identities: UsersIdentitiesApi;
  readonly logs: UsersLogsApi;
  readonly organizations: UsersOrganizationsApi;
  readonly sessions: UsersSessionsApi;
  readonly refreshTokens: UsersRefreshTokensApi;
}

/** The query of `postern.tenant(id).users.list` */
export interface UsersListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly connection?: string | undefined;
  readonly primary_order?: boolean | undefined;
}

/** `postern.tenant(id).users.roles` */
export interface UsersRolesApi {
  /** List a user's roles. Scopes: `read:users` or `read:roles` or `read:role_members`. */
  list<Query extends UsersRolesListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, UsersRolesListQuery>,
  ): Promise<ListReply<Query, "roles", Role>>;
  /** Give a user roles. Scopes: `update:users` or `create:role_members`. Also requires each scope of the Management API that the request grants. */
  add(id: string, body: RoleList): Promise<void>;
  /** Take roles from a user. Scopes: `update:users` or `delete:role_members`. */
  remove(id: string, body: RoleList): Promise<void>;
}

/** The query of `postern.tenant(id).users.roles.list` */
export interface UsersRolesListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).users.permissions` */
export interface UsersPermissionsApi {
  /** List a user's permissions, direct ones and those of roles. Scopes: `read:users`. */
  list<Query extends UsersPermissionsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, UsersPermissionsListQuery>,
  ): Promise<ListReply<Query, "permissions", UserPermission>>;
  /** Give a user permissions directly. Scopes: `update:users`. Also requires each scope of the Management API that the request grants. */
  add(id: string, body: PermissionList): Promise<void>;
  /** Take direct permissions from a user. Scopes: `update:users`. */
  remove(id: string, body: PermissionList): Promise<void>;
}

/** The query of `postern.tenant(id).users.permissions.list` */
export interface UsersPermissionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).users.identities` */
export interface UsersIdentitiesApi {
  /** Link an account to a user. What the linked account had of its own (roles, permissions, memberships, sessions) is dropped, never merged. Scopes: `update:users` or `update:current_user_identities`. */
  link(id: string, body: LinkUser): Promise<readonly Identity[]>;
  /** Unlink an account from a user. Scopes: `update:users` or `update:current_user_identities`. */
  unlink(id: string, provider: string, userId: string): Promise<readonly Identity[]>;
}

/** `postern.tenant(id).users.logs` */
export interface UsersLogsApi {
  /** List a user's audit events. Scopes: `read:logs` or `read:logs_users`. */
  list<Query extends UsersLogsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, UsersLogsListQuery>,
  ): Promise<ListReply<Query, "logs", LogEvent>>;
}

/** The query of `postern.tenant(id).users.logs.list` */
export interface UsersLogsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
}

/** `postern.tenant(id).users.organizations` */
export interface UsersOrganizationsApi {
  /** List the organizations that a user is a member of. Scopes: `read:organizations`. */
  list<Query extends UsersOrganizationsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, UsersOrganizationsListQuery>,
  ): Promise<ListReply<Query, "organizations", Organization>>;
}

/** The query of `postern.tenant(id).users.organizations.list` */
export interface UsersOrganizationsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).users.sessions` */
export interface UsersSessionsApi {
  /** List a user's sessions. Scopes: `read:sessions`. */
  list<Query extends UsersSessionsListQuery = Record<never, never>>(
    userId: string,
    query?: Only<Query, UsersSessionsListQuery>,
  ): Promise<ListReply<Query, "sessions", Session>>;
  /** End all sessions of a user. Their refresh tokens are revoked with them. Scopes: `delete:sessions`. */
  deleteAll(userId: string): Promise<void>;
}

/** The query of `postern.tenant(id).users.sessions.list` */
export interface UsersSessionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** `postern.tenant(id).users.refreshTokens` */
export interface UsersRefreshTokensApi {
  /** List a user's refresh tokens. Those of exactly this user; revoked ones stay listed, with `revoked_at`. Scopes: `read:refresh_tokens` or `read:users`. */
  list<Query extends UsersRefreshTokensListQuery = Record<never, never>>(
    userId: string,
    query?: Only<Query, UsersRefreshTokensListQuery>,
  ): Promise<ListReply<Query, "tokens", RefreshToken>>;
  /** Revoke all refresh tokens of a user. They stay listed, with `revoked_at`. Scopes: `delete:refresh_tokens`. */
  revokeAll(userId: string): Promise<void>;
}

/** The query of `postern.tenant(id).users.refreshTokens.list` */
export interface UsersRefreshTokensListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** `postern.tenant(id).usersByEmail` */
export interface UsersByEmailApi {
  /** Find users by e-mail address. Scopes: `read:users`. */
  list(query: { readonly email: string }): Promise<readonly User[]>;
}

/** `postern.tenant(id).userBlocks` */
export interface UserBlocksApi {
  /** Whether a user is refused for failed logins, by identifier. Scopes: `read:users`. */
  getByIdentifier(query: {
    readonly identifier: string;
    readonly consider_brute_force_enablement?: boolean | undefined;
  }): Promise<UserBlocks>;
  /** Let a user sign in again, by identifier. Scopes: `update:users`. */
  deleteByIdentifier(query: { readonly identifier: string; readonly consider_brute_force_enablement?: boolean | undefined }): Promise<void>;
  /** Whether a user is refused for failed logins. Scopes: `read:users`. */
  get(
    id: string,
    query?: {
      readonly consider_brute_force_enablement?: boolean | undefined;
    },
  ): Promise<UserBlocks>;
  /** Let a user sign in again. Scopes: `update:users`. */
  delete(id: string): Promise<void>;
}

/** `postern.tenant(id).roles` */
export interface RolesApi {
  /** List roles. Scopes: `read:roles`. */
  list<Query extends RolesListQuery = Record<never, never>>(query?: Only<Query, RolesListQuery>): Promise<ListReply<Query, "roles", Role>>;
  /** Create a role. Scopes: `create:roles`. */
  create(body: CreateRole): Promise<Role>;
  /** Get a role. Scopes: `read:roles`. */
  get(id: string): Promise<Role>;
  /** Change a role. Scopes: `update:roles`. */
  update(id: string, body: UpdateRole): Promise<Role>;
  /** Delete a role. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:roles`. */
  delete(id: string): Promise<void>;
  readonly permissions: RolesPermissionsApi;
  readonly users: RolesUsersApi;
}

/** The query of `postern.tenant(id).roles.list` */
export interface RolesListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly name_filter?: string | undefined;
  /** `tenant`: the roles that this tenant can change, without those of the installation and of the control plane. Every other value has no effect */
  readonly type?: string | undefined;
}

/** `postern.tenant(id).roles.permissions` */
export interface RolesPermissionsApi {
  /** List the permissions that a role gives. Scopes: `read:roles`. */
  list<Query extends RolesPermissionsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, RolesPermissionsListQuery>,
  ): Promise<ListReply<Query, "permissions", Permission>>;
  /** Let a role give permissions. Scopes: `update:roles`. Also requires each scope of the Management API that the request grants. */
  add(id: string, body: PermissionList): Promise<void>;
  /** Let a role no longer give permissions. Scopes: `update:roles`. */
  remove(id: string, body: PermissionList): Promise<void>;
}

/** The query of `postern.tenant(id).roles.permissions.list` */
export interface RolesPermissionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).roles.users` */
export interface RolesUsersApi {
  /** List the users who have a role. Scopes: `read:users` or `read:roles` or `read:role_members`. */
  list<Query extends RolesUsersListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, RolesUsersListQuery>,
  ): Promise<ListReply<Query, "users", RoleUser>>;
  /** Give a role to users. Scopes: `update:roles` or `create:role_members`. Also requires each scope of the Management API that the request grants. */
  add(id: string, body: UserList): Promise<void>;
}

/** The query of `postern.tenant(id).roles.users.list` */
export interface RolesUsersListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).organizations` */
export interface OrganizationsApi {
  /** List organizations. Scopes: `read:organizations` or `read:organizations_summary`. */
  list<Query extends OrganizationsListQuery = Record<never, never>>(
    query?: Only<Query, OrganizationsListQuery>,
  ): Promise<ListReply<Query, "organizations", Organization>>;
  /** Create an organization. Scopes: `create:organizations` or `create:organization_connections`. */
  create(body: CreateOrganization): Promise<Organization>;
  /** Get an organization. Scopes: `read:organizations` or `read:organizations_summary`. */
  get(id: string): Promise<Organization>;
  /** Change an organization. Scopes: `update:organizations`. Also requires `update:tenants` if the organization is a tenant's and gets another name. */
  update(id: string, body: UpdateOrganization): Promise<Organization>;
  /** Delete an organization. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:organizations`. */
  delete(id: string): Promise<void>;
  /** Get an organization by its name. Scopes: `read:organizations` or `read:organizations_summary`. */
  getByName(name: string): Promise<Organization>;
  readonly members: OrganizationsMembersApi;
  readonly connections: OrganizationsConnectionsApi;
  readonly clientGrants: OrganizationsClientGrantsApi;
  readonly invitations: OrganizationsInvitationsApi;
}

/** The query of `postern.tenant(id).organizations.list` */
export interface OrganizationsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** `postern.tenant(id).organizations.members` */
export interface OrganizationsMembersApi {
  /** List an organization's members. `fields` with `roles` in it adds their roles inside the organization. Scopes: `read:organization_members`. Also requires `read:organization_member_roles` if `fields` names `roles`. */
  list<Query extends OrganizationsMembersListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, OrganizationsMembersListQuery>,
  ): Promise<ListReply<Query, "members", OrganizationMember>>;
  /** Add members to an organization. Scopes: `create:organization_members`. Also requires each scope of the Management API that the request grants. */
  add(id: string, body: MemberList): Promise<void>;
  /** Remove members from an organization. Their roles inside the organization go as well. Who is no member is no error. Scopes: `delete:organization_members`. */
  remove(id: string, body: MemberList): Promise<void>;
  readonly roles: OrganizationsMembersRolesApi;
}

/** The query of `postern.tenant(id).organizations.members.list` */
export interface OrganizationsMembersListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).organizations.members.roles` */
export interface OrganizationsMembersRolesApi {
  /** List a member's roles inside an organization. Scopes: `read:organization_member_roles`. */
  list<Query extends OrganizationsMembersRolesListQuery = Record<never, never>>(
    id: string,
    userId: string,
    query?: Only<Query, OrganizationsMembersRolesListQuery>,
  ): Promise<ListReply<Query, "roles", Role>>;
  /** Give a member roles inside an organization. Scopes: `create:organization_member_roles`. Also requires each scope of the Management API that the request grants. */
  add(id: string, userId: string, body: RoleList): Promise<void>;
  /** Take roles inside an organization from a member. Scopes: `delete:organization_member_roles`. */
  remove(id: string, userId: string, body: RoleList): Promise<void>;
}

/** The query of `postern.tenant(id).organizations.members.roles.list` */
export interface OrganizationsMembersRolesListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).organizations.connections` */
export interface OrganizationsConnectionsApi {
  /** List an organization's connections. Scopes: `read:organization_connections`. */
  list<Query extends OrganizationsConnectionsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, OrganizationsConnectionsListQuery>,
  ): Promise<ListReply<Query, "connections", OrganizationConnection>>;
  /** Add a connection to an organization. Scopes: `create:organization_connections`. Also requires each scope of the Management API that the request grants. */
  create(id: string, body: AddOrganizationConnection): Promise<OrganizationConnection>;
  /** Get a connection of an organization. Scopes: `read:organization_connections`. */
  get(id: string, connectionId: string): Promise<OrganizationConnection>;
  /** Change a connection of an organization. Scopes: `update:organization_connections`. Also requires each scope of the Management API that the request grants. */
  update(id: string, connectionId: string, body: UpdateOrganizationConnection): Promise<OrganizationConnection>;
  /** Take a connection from an organization. Answers 204 also when there is nothing to take, so that a call may be repeated. Scopes: `delete:organization_connections`. */
  delete(id: string, connectionId: string): Promise<void>;
}

/** The query of `postern.tenant(id).organizations.connections.list` */
export interface OrganizationsConnectionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly is_enabled?: boolean | undefined;
}

/** `postern.tenant(id).organizations.clientGrants` */
export interface OrganizationsClientGrantsApi {
  /** List an organization's client grants. Those that were given to it. Grants that allow any organization are listed only where they were given to it as well. Scopes: `read:organization_client_grants`. */
  list<Query extends OrganizationsClientGrantsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, OrganizationsClientGrantsListQuery>,
  ): Promise<ListReply<Query, "client_grants", OrganizationClientGrant>>;
  /** Give a client grant to an organization. The client may then act for the organization with what the grant gives, where its `organization_usage` is `allow` or `require`. Scopes: `create:organization_client_grants`. Also requires each scope of the Management API that the request grants. */
  create(id: string, body: AddOrganizationClientGrant): Promise<OrganizationClientGrant>;
  /** Take a client grant from an organization. The client's tokens for the organization open nothing here any more. Answers 204 also when there is nothing to take, so that a call may be repeated. Scopes: `delete:organization_client_grants`. */
  delete(id: string, grantId: string): Promise<void>;
}

/** The query of `postern.tenant(id).organizations.clientGrants.list` */
export interface OrganizationsClientGrantsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly audience?: string | undefined;
  readonly client_id?: string | undefined;
  readonly grant_ids?: string | readonly string[] | undefined;
}

/** `postern.tenant(id).organizations.invitations` */
export interface OrganizationsInvitationsApi {
  /** List an organization's invitations. Scopes: `read:organization_invitations`. */
  list<Query extends OrganizationsInvitationsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, OrganizationsInvitationsListQuery>,
  ): Promise<ListReply<Query, "invitations", Invitation>>;
  /** Invite somebody into an organization. Sends a mail with the invitation's address unless `send_invitation_email` is false. Scopes: `create:organization_invitations`. Also requires each scope of the Management API that the request grants. */
  create(id: string, body: CreateInvitation): Promise<Invitation>;
  /** Get an invitation. Scopes: `read:organization_invitations`. */
  get(id: string, invitationId: string): Promise<Invitation>;
  /** Withdraw an invitation. Answers 204 also when there is nothing to withdraw, so that a call may be repeated. Who accepted it stays a member. Scopes: `delete:organization_invitations`. */
  delete(id: string, invitationId: string): Promise<void>;
}

/** The query of `postern.tenant(id).organizations.invitations.list` */
export interface OrganizationsInvitationsListQuery extends WithTotals {
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  /** The first page is 0 */
  readonly page?: number | undefined;
}

/** `postern.tenant(id).clientGrants` */
export interface ClientGrantsApi {
  readonly organizations: ClientGrantsOrganizationsApi;
  /** List client grants. Scopes: `read:client_grants`. */
  list<Query extends ClientGrantsListQuery = Record<never, never>>(
    query?: Only<Query, ClientGrantsListQuery>,
  ): Promise<ListReply<Query, "client_grants", ClientGrant>>;
  /** Create a client grant. Scopes: `create:client_grants`. Also requires each scope of the Management API that the request grants. */
  create(body: CreateClientGrant): Promise<ClientGrant>;
  /** Get a client grant. Scopes: `read:client_grants`. */
  get(id: string): Promise<ClientGrant>;
  /** Change a client grant. Scopes: `update:client_grants`. Also requires each scope of the Management API that the request grants. */
  update(id: string, body: UpdateClientGrant): Promise<ClientGrant>;
  /** Delete a client grant. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:client_grants`. */
  delete(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).clientGrants.list` */
export interface ClientGrantsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly client_id?: string | undefined;
  readonly audience?: string | undefined;
  readonly subject_type?: "client" | "user" | undefined;
  readonly allow_any_organization?: "true" | undefined;
}

/** `postern.tenant(id).clientGrants.organizations` */
export interface ClientGrantsOrganizationsApi {
  /** List the organizations that a client grant was given to. Scopes: `read:organization_client_grants`. */
  list<Query extends ClientGrantsOrganizationsListQuery = Record<never, never>>(
    id: string,
    query?: Only<Query, ClientGrantsOrganizationsListQuery>,
  ): Promise<ListReply<Query, "organizations", OrganizationSummary>>;
}

/** The query of `postern.tenant(id).clientGrants.organizations.list` */
export interface ClientGrantsOrganizationsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

/** `postern.tenant(id).clients` */
export interface ClientsApi {
  readonly global: ClientsGlobalApi;
  /** List clients. `read:client_summary` shows `client_id`, `name`, `description` and `app_type`; `read:client_credentials` the client's keys besides; `read:clients` everything but `encryption_key`; `read:client_keys` everything. A secret is only in the reply that makes it. Scopes: `read:clients` or `read:client_keys` or `read:client_credentials` or `read:client_summary`. */
  list<Query extends ClientsListQuery = Record<never, never>>(
    query?: Only<Query, ClientsListQuery>,
  ): Promise<ListReply<Query, "clients", Client>>;
  /** Create a client. Scopes: `create:clients`. */
  create(body: CreateClient): Promise<ClientWithSecret>;
  /** Get a client. `read:client_summary` shows `client_id`, `name`, `description` and `app_type`; `read:client_credentials` the client's keys besides; `read:clients` everything but `encryption_key`; `read:client_keys` everything. A secret is only in the reply that makes it. Scopes: `read:clients` or `read:client_keys` or `read:client_credentials` or `read:client_summary`. */
  get(id: string): Promise<Client>;
  /** Change a client. Scopes: `update:clients`. Also requires `update:client_keys` if `client_secret` or how the client authenticates changes. Also requires `update:client_keys` if the client receives responses at further addresses and has a client grant for users of the Management API. */
  update(id: string, body: UpdateClient): Promise<Client>;
  /** Delete a client. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:clients`. */
  delete(id: string): Promise<void>;
  /** Give a client a new secret. The old secret stops working at once. The new one is in this reply and in no other. Scopes: `update:client_keys`. */
  rotateSecret(id: string): Promise<ClientWithSecret>;
  readonly credentials: ClientsCredentialsApi;
  readonly connections: ClientsConnectionsApi;
}

/** The query of `postern.tenant(id).clients.list` */
export interface ClientsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly is_global?: boolean | undefined;
  readonly is_first_party?: boolean | undefined;
  readonly app_type?: string | undefined;
}

/** `postern.tenant(id).clients.global` */
export interface ClientsGlobalApi {
  /** Get the global client. It stands for all applications, as the vendor's tools expect one to, and nobody signs in with it. Scopes: `read:clients`. */
  get(): Promise<Client>;
  /** Change the global client. It stands for all applications, as the vendor's tools expect one to, and nobody signs in with it. What is not sent stays as it is. The login page is kept, and shown to nobody. Scopes: `update:clients`. */
  update(body: UpdateGlobalClient): Promise<Client>;
}

/** `postern.tenant(id).clients.credentials` */
export interface ClientsCredentialsApi {
  /** List the keys of a client. Scopes: `read:client_credentials`. */
  list(clientId: string): Promise<readonly ClientCredential[]>;
  /** Add a key to a client. A public key or a certificate in PEM. It authenticates the client once `client_authentication_methods` names it. Scopes: `create:client_credentials`. */
  create(clientId: string, body: CreateClientCredential): Promise<ClientCredential>;
  /** Get a key of a client. Scopes: `read:client_credentials`. */
  get(clientId: string, id: string): Promise<ClientCredential>;
  /** Change when a key of a client expires. `null`: it does not. Scopes: `update:client_credentials`. Also requires `update:client_keys`. */
  update(clientId: string, id: string, body: UpdateClientCredential): Promise<ClientCredential>;
  /** Take a key from a client. The client can no longer authenticate with the key. Returns 204 also if the key does not exist, so that a call can be retried. Scopes: `delete:client_credentials`. Also requires `update:client_keys`. */
  delete(clientId: string, id: string): Promise<void>;
}

/** `postern.tenant(id).clients.connections` */
export interface ClientsConnectionsApi {
  /** List the connections that are enabled for a client. In their order on the login page. If no list is defined for the client, `enabled_connections` has every connection of the tenant, and `connections` those that the login page offers: the databases and passwordless connections, without identity providers. `read:client_summary` alone shows IDs, names and strategies. Scopes: `read:clients` or `read:connections` or `read:client_summary`. */
  list(
    id: string,
    query?: {
      readonly strategy?: string | readonly string[] | undefined;
    },
  ): Promise<ClientConnections>;
  /** Choose the connections that a client offers. The array of connection ids replaces the whole list, and its order is the order on the login page. Ids that name no connection of the tenant are dropped, and so is what comes twice. An empty array: the client offers none. Scopes: `update:clients`. */
  update(id: string, body: readonly string[]): Promise<ClientConnections>;
}

/** `postern.tenant(id).grants` */
export interface GrantsApi {
  /** List what people allowed clients. The consents that people gave to clients: to third-party ones, and to first-party ones where an API or a request has everybody asked. Scopes: `read:grants`. */
  list<Query extends GrantsListQuery = Record<never, never>>(
    query?: Only<Query, GrantsListQuery>,
  ): Promise<ListReply<Query, "grants", Grant>>;
  /** Take back everything that a user allowed. For every client that was allowed something, its codes, its refresh tokens and the access tokens that came with these end. Answers 204 also when there is nothing to take back. Scopes: `delete:grants`. */
  deleteAll(query: { readonly user_id: string }): Promise<void>;
  /** Take back what a user allowed a client at one API. The client's codes and refresh tokens for that API, and the access tokens that came with these, end. Answers 204 also when there is nothing to take back. Scopes: `delete:grants`. */
  delete(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).grants.list` */
export interface GrantsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly user_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly audience?: string | undefined;
}

/** `postern.tenant(id).connections` */
export interface ConnectionsApi {
  readonly clients: ConnectionsClientsApi;
  /** List connections. Scopes: `read:connections`. */
  list<Query extends ConnectionsListQuery = Record<never, never>>(
    query?: Only<Query, ConnectionsListQuery>,
  ): Promise<ListReply<Query, "connections", Connection>>;
  /** Create a connection. Scopes: `create:connections`. */
  create(body: CreateConnection): Promise<Connection>;
  /** Get a connection. Scopes: `read:connections`. */
  get(id: string): Promise<Connection>;
  /** Change a connection. Scopes: `update:connections`. */
  update(id: string, body: UpdateConnection): Promise<Connection>;
  /** Delete a connection. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:connections`. */
  delete(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).connections.list` */
export interface ConnectionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly name?: string | undefined;
  readonly strategy?: string | readonly string[] | undefined;
}

/** `postern.tenant(id).connections.clients` */
export interface ConnectionsClientsApi {
  /** List the clients that offer a connection. Scopes: `read:connections`. */
  list(id: string): Promise<ConnectionClients>;
  /** Switch a connection on or off for clients. Clients that are not named stay as they are. Where one is named twice, the last entry holds. Scopes: `update:connections`. */
  update(
    id: string,
    body: readonly {
      readonly client_id: string;
      readonly status: boolean;
    }[],
  ): Promise<void>;
}

/** `postern.tenant(id).resourceServers` */
export interface ResourceServersApi {
  /** List resource servers. Scopes: `read:resource_servers`. */
  list<Query extends ResourceServersListQuery = Record<never, never>>(
    query?: Only<Query, ResourceServersListQuery>,
  ): Promise<ListReply<Query, "resource_servers", ResourceServer>>;
  /** Create an API. Scopes: `create:resource_servers`. */
  create(body: CreateResourceServer): Promise<ResourceServer>;
  /** Get an API. Scopes: `read:resource_servers`. */
  get(id: string): Promise<ResourceServer>;
  /** Change an API. Scopes: `update:resource_servers`. */
  update(id: string, body: UpdateResourceServer): Promise<ResourceServer>;
  /** Delete an API. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:resource_servers`. */
  delete(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).resourceServers.list` */
export interface ResourceServersListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly identifiers?: string | readonly string[] | undefined;
}

/** `postern.tenant(id).settings` */
export interface SettingsApi {
  /** Get the tenant's settings. Scopes: `read:tenant_settings`. */
  get(): Promise<TenantSettings>;
  /** Change the tenant's settings. What is not sent stays as it is. Lifetimes are taken in hours or in minutes. Scopes: `update:tenant_settings`. */
  update(body: UpdateTenantSettings): Promise<TenantSettings>;
}

/** `postern.tenant(id).logs` */
export interface LogsApi {
  /** List and search audit events. Scopes: `read:logs` or `read:logs_users`. */
  list<Query extends LogsListQuery = Record<never, never>>(query?: Only<Query, LogsListQuery>): Promise<ListReply<Query, "logs", LogEvent>>;
  /** Get an audit event. Scopes: `read:logs` or `read:logs_users`. */
  get(id: string): Promise<LogEvent>;
}

/** The query of `postern.tenant(id).logs.list` */
export interface LogsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
  readonly search?: string | undefined;
}

/** `postern.tenant(id).keys` */
export interface KeysApi {
  readonly signing: KeysSigningApi;
}

/** `postern.tenant(id).keys.signing` */
export interface KeysSigningApi {
  /** List signing keys. Those of one bucket: the tenant's own, and the control plane's that it shares, marked `inherited`. Scopes: `read:signing_keys`. */
  list(query?: { readonly type?: "jwt_signing" | "saml_encryption" | undefined }): Promise<readonly SigningKey[]>;
  /** Get a signing key. Scopes: `read:signing_keys`. */
  get(
    kid: string,
    query?: {
      readonly type?: "jwt_signing" | "saml_encryption" | undefined;
    },
  ): Promise<SigningKey>;
  /** Rotate the signing key. Publishes a new key, which signs from `activate_in_days` on (0); the keys before it stay valid for `grace_days` (1) after that. `validity_days` is a year for `jwt_signing`, five for `saml_encryption`. Each parameter may stand in the query or in the body. A tenant's own keys count under its own host names, and under the shared issuer for the first 50 tenants that have any. Scopes: `create:signing_keys` or `update:signing_keys`. */
  rotate(
    body?: SigningKeyRotation,
    query?: {
      readonly type?: "jwt_signing" | "saml_encryption" | undefined;
      readonly validity_days?: number | undefined;
      readonly activate_in_days?: number | undefined;
      readonly grace_days?: number | undefined;
    },
  ): Promise<SigningKey>;
  /** Revoke a signing key. It leaves the JWKS at once, and what it signed is refused. The current key gets a successor, whose certificate is valid for `validity_days`. Scopes: `update:signing_keys`. */
  revoke(
    kid: string,
    body?: SigningKeyCertificate,
    query?: {
      readonly type?: "jwt_signing" | "saml_encryption" | undefined;
      readonly validity_days?: number | undefined;
    },
  ): Promise<SigningKey>;
  /** Renew the certificate of a signing key. The key pair and its `kid` stay; the certificate is issued again, for `validity_days`. Scopes: `create:signing_keys`. */
  renew(
    kid: string,
    body?: SigningKeyCertificate,
    query?: {
      readonly type?: "jwt_signing" | "saml_encryption" | undefined;
      readonly validity_days?: number | undefined;
    },
  ): Promise<SigningKey>;
}

/** `postern.tenant(id).sessions` */
export interface SessionsApi {
  /** List sessions. Scopes: `read:sessions`. */
  list<Query extends SessionsListQuery = Record<never, never>>(
    query?: Only<Query, SessionsListQuery>,
  ): Promise<ListReply<Query, "sessions", Session>>;
  /** Get a session. Scopes: `read:sessions`. */
  get(id: string): Promise<Session>;
  readonly clients: SessionsClientsApi;
  /** Change the metadata of a session. Scopes: `update:sessions`. */
  update(id: string, body: UpdateSession): Promise<Session>;
  /** End a session. Its refresh tokens are revoked with it. Answers 202 also when there is none, so that a call may be repeated. Scopes: `delete:sessions`. */
  delete(id: string): Promise<void>;
  /** Revoke a session. The same as to delete it, but for one that is not there. Scopes: `delete:sessions` or `delete:refresh_tokens`. */
  revoke(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).sessions.list` */
export interface SessionsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** `postern.tenant(id).sessions.clients` */
export interface SessionsClientsApi {
  /** Check that a session is still valid at a client. Responds with 200 while the user may stay signed in to the client, and with 404 otherwise: the session or the user was deleted, revoked or blocked; the client was deleted; the connection of the session was deleted or is disabled for the client. A session that only expired counts while the client holds a refresh token of it. With `organization_id`, the user must still be a member, and the organization must still allow the connection. Scopes: `read:sessions`. Also requires `read:organization_members` if `organization_id` is sent. */
  get(
    id: string,
    clientId: string,
    query?: {
      readonly organization_id?: string | undefined;
    },
  ): Promise<ClientSession>;
}

/** `postern.tenant(id).refreshTokens` */
export interface RefreshTokensApi {
  /** Get a refresh token. Scopes: `read:refresh_tokens`. */
  get(id: string): Promise<RefreshToken>;
  /** Change the metadata of a refresh token. Scopes: `update:refresh_tokens`. */
  update(id: string, body: UpdateRefreshToken): Promise<RefreshToken>;
  /** Delete a refresh token. Its rotation family is revoked first. Answers 200 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:refresh_tokens`. */
  delete(id: string): Promise<void>;
}

/** `postern.tenant(id).branding` */
export interface BrandingApi {
  /** Get the branding. Scopes: `read:branding`. */
  get(): Promise<Branding>;
  /** Change the branding. What is not sent stays as it is, also single colors; `null` takes a setting away. Scopes: `update:branding`. */
  update(body: UpdateBranding): Promise<Branding>;
  readonly themes: BrandingThemesApi;
  readonly templates: BrandingTemplatesApi;
}

/** `postern.tenant(id).branding.themes` */
export interface BrandingThemesApi {
  /** Create the branding theme. A tenant has one at most. Scopes: `update:branding`. */
  create(body: WriteBrandingTheme): Promise<BrandingTheme>;
  /** Get the branding theme. Scopes: `read:branding`. */
  getDefault(): Promise<BrandingTheme>;
  /** Get the branding theme by its id. Scopes: `read:branding`. */
  get(id: string): Promise<BrandingTheme>;
  /** Change the branding theme. Replaces all of it but its id; `displayName` stays where it is not sent. Scopes: `update:branding`. */
  update(id: string, body: WriteBrandingTheme): Promise<BrandingTheme>;
  /** Delete the branding theme. Scopes: `delete:branding`. */
  delete(id: string): Promise<void>;
}

/** `postern.tenant(id).branding.templates` */
export interface BrandingTemplatesApi {
  readonly universalLogin: BrandingTemplatesUniversalLoginApi;
}

/** `postern.tenant(id).branding.templates.universalLogin` */
export interface BrandingTemplatesUniversalLoginApi {
  /** Get the template of the login pages. Scopes: `read:branding`. */
  get(): Promise<PageTemplate>;
  /** Set the template of the login pages. It is kept and returned; the pages are drawn without it. Answers 201 the first time, then 204. Scopes: `update:branding`. */
  replace(body: SetPageTemplate): Promise<void>;
  /** Remove the template of the login pages. Answers 204 also when there is none, so that a call may be repeated. Scopes: `delete:branding`. */
  delete(): Promise<void>;
}

/** `postern.tenant(id).prompts` */
export interface PromptsApi {
  /** Get the settings of the prompts. Scopes: `read:prompts`. */
  get(): Promise<PromptSettings>;
  /** Change the settings of the prompts. What is not sent stays as it is. Scopes: `update:prompts`. */
  update(body: UpdatePromptSettings): Promise<PromptSettings>;
  readonly customText: PromptsCustomTextApi;
  readonly partials: PromptsPartialsApi;
  readonly rendering: PromptsRenderingApi;
  readonly screen: PromptsScreenApi;
}

/** `postern.tenant(id).prompts.customText` */
export interface PromptsCustomTextApi {
  /** Get a prompt's texts in a language. Those that the tenant gave; an empty object where it gave none. Scopes: `read:prompts`. */
  get(prompt: string, language: string): Promise<CustomTexts>;
  /** Replace a prompt's texts in a language. The next page shows them. Returns the stored texts. An empty object deletes them, and an empty text means the pages' own. Scopes: `update:prompts`. */
  replace(prompt: string, language: string, body: CustomTexts): Promise<CustomTexts>;
}

/** `postern.tenant(id).prompts.partials` */
export interface PromptsPartialsApi {
  /** Get a prompt's partials. Scopes: `read:prompts`. */
  get(prompt: string): Promise<Partials>;
  /** Replace a prompt's partials. They are stored and returned, and have no effect in Postern. Scopes: `update:prompts`. */
  replace(prompt: string, body: Partials): Promise<Partials>;
}

/** `postern.tenant(id).prompts.rendering` */
export interface PromptsRenderingApi {
  /** List how screens are rendered. The screens that something was said about. It is kept and returned; the pages are always drawn here. Scopes: `read:prompts`. */
  list<Query extends PromptsRenderingListQuery = Record<never, never>>(
    query?: Only<Query, PromptsRenderingListQuery>,
  ): Promise<ListReply<Query, "configs", Rendering>>;
  /** Change how screens are rendered. What is not sent stays as it is; `null` takes a setting away. Scopes: `update:prompts`. */
  update(body: UpdateRenderings): Promise<UpdateRenderings>;
}

/** The query of `postern.tenant(id).prompts.rendering.list` */
export interface PromptsRenderingListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly prompt?: string | undefined;
  readonly screen?: string | undefined;
  readonly rendering_mode?: "advanced" | "standard" | undefined;
}

/** `postern.tenant(id).prompts.screen` */
export interface PromptsScreenApi {
  readonly rendering: PromptsScreenRenderingApi;
}

/** `postern.tenant(id).prompts.screen.rendering` */
export interface PromptsScreenRenderingApi {
  /** Get how a screen is rendered. Scopes: `read:prompts`. */
  get(prompt: string, screen: string): Promise<Rendering>;
  /** Change how a screen is rendered. What is not sent stays as it is; `null` takes a setting away. Scopes: `update:prompts`. */
  update(prompt: string, screen: string, body: UpdateRendering): Promise<UpdateRendering>;
}

/** `postern.tenant(id).customDomains` */
export interface CustomDomainsApi {
  /** List custom domains. A page holds 100 where `per_page` does not say otherwise. Scopes: `read:custom_domains`. */
  list<Query extends CustomDomainsListQuery = Record<never, never>>(
    query?: Only<Query, CustomDomainsListQuery>,
  ): Promise<ListReply<Query, "custom_domains", CustomDomain>>;
  /** Add a custom domain. It answers for the tenant, and is an issuer, once it is verified by the TXT record of the reply. Until then it keeps nobody else from it; what is not verified within seven days ends. Scopes: `create:custom_domains`. */
  create(body: CreateCustomDomain): Promise<CustomDomain>;
  /** Get a custom domain. Scopes: `read:custom_domains`. */
  get(id: string): Promise<CustomDomain>;
  /** Change a custom domain. Scopes: `update:custom_domains`. */
  update(id: string, body: UpdateCustomDomain): Promise<CustomDomain>;
  /** Verify a custom domain. Looks for the TXT record. Where it is not there yet the domain stays `pending_verification`, and `error_msg` says why. Scopes: `create:custom_domains`. */
  verify(id: string): Promise<CustomDomain>;
  /** Delete a custom domain. It answers for nobody any more, and tokens that name it as their issuer are refused. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:custom_domains`. */
  delete(id: string): Promise<void>;
}

/** The query of `postern.tenant(id).customDomains.list` */
export interface CustomDomainsListQuery extends WithTotals, WithCheckpoints {
  /** The first page is 0, unless the installation counts from 1 */
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** `postern.tenant(id).emails` */
export interface EmailsApi {
  readonly provider: EmailsProviderApi;
}

/** `postern.tenant(id).emails.provider` */
export interface EmailsProviderApi {
  /** Get the e-mail provider. Scopes: `read:email_provider`. */
  get(): Promise<EmailProvider>;
  /** Set the e-mail provider. The host sends the mail: its sender is handed the provider with each mail. Where `enabled` is false, the tenant sends none. Scopes: `create:email_provider`. */
  create(body: CreateEmailProvider): Promise<EmailProvider>;
  /** Change the e-mail provider. What is not sent stays as it is, also single credentials, unless `name` says that it is another provider now: then its credentials are those of the body. A change of where the stored secrets are sent (`smtp_host`, `smtp_port`, `region`, `domain`, `tenantId`, the `settings` of a `custom` provider) must bring the secrets again. Scopes: `update:email_provider`. */
  update(body: UpdateEmailProvider): Promise<EmailProvider>;
  /** Remove the e-mail provider. The host's own way is used from then on. Answers 204 also when there is nothing to remove, so that a call may be repeated. Scopes: `delete:email_provider`. */
  delete(): Promise<void>;
}

/** `postern.tenant(id).emailTemplates` */
export interface EmailTemplatesApi {
  /** Set an e-mail template. Scopes: `create:email_templates`. */
  create(body: SetEmailTemplate): Promise<EmailTemplate>;
  /** Get an e-mail template. Scopes: `read:email_templates`. */
  get(templateName: string): Promise<EmailTemplate>;
  /** Change an e-mail template. What is not sent stays as it is. Scopes: `update:email_templates`. */
  update(templateName: string, body: UpdateEmailTemplate): Promise<EmailTemplate>;
  /** Replace an e-mail template. Scopes: `update:email_templates`. */
  replace(templateName: string, body: SetEmailTemplate): Promise<EmailTemplate>;
}

/** `postern.tenant(id).attackProtection` */
export interface AttackProtectionApi {
  readonly bruteForceProtection: AttackProtectionBruteForceProtectionApi;
  readonly suspiciousIpThrottling: AttackProtectionSuspiciousIpThrottlingApi;
  readonly breachedPasswordDetection: AttackProtectionBreachedPasswordDetectionApi;
}

/** `postern.tenant(id).attackProtection.bruteForceProtection` */
export interface AttackProtectionBruteForceProtectionApi {
  /** Get brute-force protection. Scopes: `read:attack_protection`. */
  get(): Promise<BruteForceProtection>;
  /** Change brute-force protection. What is not sent stays as it is; lists are replaced. Scopes: `update:attack_protection`. */
  update(body: UpdateBruteForceProtection): Promise<BruteForceProtection>;
}

/** `postern.tenant(id).attackProtection.suspiciousIpThrottling` */
export interface AttackProtectionSuspiciousIpThrottlingApi {
  /** Get suspicious IP throttling. Scopes: `read:attack_protection`. */
  get(): Promise<SuspiciousIpThrottling>;
  /** Change suspicious IP throttling. What is not sent stays as it is, also whole stages; lists are replaced. Scopes: `update:attack_protection`. */
  update(body: UpdateSuspiciousIpThrottling): Promise<SuspiciousIpThrottling>;
}

/** `postern.tenant(id).attackProtection.breachedPasswordDetection` */
export interface AttackProtectionBreachedPasswordDetectionApi {
  /** Get breached-password detection. Scopes: `read:attack_protection`. */
  get(): Promise<BreachedPasswordDetection>;
  /** Change breached-password detection. What is not sent stays as it is, also whole stages; lists are replaced. Scopes: `update:attack_protection`. */
  update(body: UpdateBreachedPasswordDetection): Promise<BreachedPasswordDetection>;
}

/** `postern.tenant(id).tickets` */
export interface TicketsApi {
  readonly emailVerification: TicketsEmailVerificationApi;
  readonly passwordChange: TicketsPasswordChangeApi;
}

/** `postern.tenant(id).tickets.emailVerification` */
export interface TicketsEmailVerificationApi {
  /** Make a link by which a person verifies their e-mail address. Of a linked account no address is verified by a link. Sends nothing. Scopes: `create:user_tickets`. Also requires each scope of the Management API that the request grants. */
  create(body: CreateVerificationTicket): Promise<Ticket>;
}

/** `postern.tenant(id).tickets.passwordChange` */
export interface TicketsPasswordChangeApi {
  /** Make a link by which a person sets a new password. Names the person by `user_id`, or by `email` and `connection_id`. Sends nothing. Scopes: `create:user_tickets`. Also requires each scope of the Management API that the request grants. */
  create(body: CreatePasswordTicket): Promise<Ticket>;
}

/** `postern.tenant(id).jobs` */
export interface JobsApi {
  readonly verificationEmail: JobsVerificationEmailApi;
  readonly usersImports: JobsUsersImportsApi;
  readonly usersExports: JobsUsersExportsApi;
  /** Get a job. Jobs are kept for a day. Where an export is, is told to those who may read users. Scopes: `create:users` or `read:users`. */
  get(id: string): Promise<Job>;
  readonly errors: JobsErrorsApi;
}

/** `postern.tenant(id).jobs.verificationEmail` */
export interface JobsVerificationEmailApi {
  /** Send a person a link to verify their e-mail address. Scopes: `update:users`. */
  create(body: CreateVerificationJob): Promise<Job>;
}

/** `postern.tenant(id).jobs.usersImports` */
export interface JobsUsersImportsApi {
  /** Import users. The file is a list of users in JSON, by `multipart/form-data`, as large as a request may be. Hashes of passwords of other systems are kept as they came and replaced when their owners sign in. The import is complete when the response arrives. If no response arrives, send the same file again. Scopes: `create:users`. Also requires `update:users` if `upsert` is true. */
  create(body: CreateImportJob): Promise<Job>;
}

/** `postern.tenant(id).jobs.usersExports` */
export interface JobsUsersExportsApi {
  /** Export users. `GET /api/v2/jobs/{id}` says where the export is. It is made when it is fetched: a gzipped file of primary users, with their linked accounts in `identities`. Scopes: `read:users`. */
  create(body: CreateExportJob): Promise<Job>;
}

/** `postern.tenant(id).jobs.errors` */
export interface JobsErrorsApi {
  /** List the users that an import could not take. Without any, 204. At most 500 are kept; `summary.failed` of the job counts all. Scopes: `create:users` or `read:users`. */
  list(id: string): Promise<ImportErrors>;
}

/** `postern.tenant(id).logStreams` */
export interface LogStreamsApi {
  /** List log streams. Scopes: `read:log_streams`. */
  list(): Promise<readonly LogStream[]>;
  /** Create a log stream. Events are delivered at least once, in the order of the log, some seconds after they happened. Deliveries of `http` are signed by the Standard Webhooks scheme, with the `signing_secret` of this reply. Scopes: `create:log_streams`. */
  create(body: CreateLogStream): Promise<LogStreamState>;
  /** Get a log stream. Scopes: `read:log_streams`. */
  get(id: string): Promise<LogStreamState>;
  /** Change a log stream. Made `active` again, a stream goes on where it stopped: nothing was passed over. Scopes: `update:log_streams`. */
  update(id: string, body: UpdateLogStream): Promise<LogStreamState>;
  /** Delete a log stream. Answers 204 also when there is nothing to delete, so that a call may be repeated. Scopes: `delete:log_streams`. */
  delete(id: string): Promise<void>;
}

/** `postern.tenant(id).tenants` */
export interface TenantsApi {
  /** List tenants. A client of the control plane sees all tenants. A user sees the tenants whose organization they are a member of, and the control plane with `read:tenant_settings`. Scopes: `read:tenants`. */
  list(query?: {
    /** The first page is 1 */
    readonly page?: number | undefined;
    /** Default 50 */
    readonly per_page?: number | undefined;
    readonly sort?: string | undefined;
    readonly q?: string | undefined;
  }): Promise<TenantList>;
  /** Create a tenant. With its settings, and an organization on the control plane whose members reach it. A person who creates a tenant is the first member. It answers when the tenant is there, with its first connection and the control plane's copies. Scopes: `create:tenants`. */
  create(body: CreateTenant): Promise<{
    readonly tenant: Tenant;
  }>;
  /** Get a tenant. Scopes: `read:tenants`. */
  get(id: string): Promise<{
    readonly tenant: Tenant;
  }>;
  /** Change a tenant. What is not sent stays as it is. Scopes: `update:tenants`. Also requires `update:tenant_settings` if a user changes the control plane. */
  update(
    id: string,
    body: UpdateTenant,
  ): Promise<{
    readonly tenant: Tenant;
  }>;
  /** Delete a tenant. With everything of it. The tenant is gone at once; how far the removal of its data is, the operation says. The control plane cannot be deleted. Scopes: `delete:tenants`. */
  delete(id: string): Promise<{
    readonly success: boolean;
  }>;
  readonly operations: TenantsOperationsApi;
}

/** `postern.tenant(id).tenants.operations` */
export interface TenantsOperationsApi {
  /** List the operations on a tenant. The newest first. A client also sees those on a tenant that is gone. Scopes: `read:tenant_operations`. */
  list(
    id: string,
    query?: {
      /** The first page is 1 */
      readonly page?: number | undefined;
      /** Default 50 */
      readonly per_page?: number | undefined;
      readonly kind?: "provision" | "update" | "upgrade" | "deprovision" | "sync" | undefined;
      readonly status?: "pending" | "running" | "succeeded" | "failed" | undefined;
    },
  ): Promise<TenantOperationList>;
  /** Begin an operation on a tenant. An `upgrade` lets the host add what the tenant's database lacks, and copies anew what the control plane shares. It is done after the answer: `GET /operations/{id}` says how far it is. Scopes: `create:tenant_operations`. */
  create(id: string, body: BeginTenantOperation): Promise<TenantOperation>;
}

/** `postern.tenant(id).operations` */
export interface OperationsApi {
  /** Get an operation with its steps. `events` are the steps in the order in which they were reported. Scopes: `read:tenant_operations`. */
  get(id: string): Promise<TenantOperationWithSteps>;
}

export interface User {
  readonly user_id: string;
  readonly connection: string;
  readonly provider: string;
  readonly email?: string | undefined;
  readonly email_verified: boolean;
  readonly username?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly phone_verified?: boolean | undefined;
  readonly name?: string | undefined;
  readonly nickname?: string | undefined;
  readonly given_name?: string | undefined;
  readonly family_name?: string | undefined;
  readonly picture?: string | undefined;
  readonly blocked?: boolean | undefined;
  readonly user_metadata: { readonly [name: string]: unknown };
  readonly app_metadata: { readonly [name: string]: unknown };
  readonly identities: readonly Identity[];
  readonly linked_to?: string | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
  /** ISO 8601, UTC */
  readonly last_login?: string | undefined;
  readonly last_ip?: string | undefined;
  /** ISO 8601, UTC */
  readonly last_password_reset?: string | undefined;
  readonly logins_count?: number | undefined;
}

export interface Identity {
  readonly connection: string;
  readonly user_id: string;
  readonly provider: string;
  readonly isSocial: boolean;
  /** The provider's access token. Requires the scope `read:user_idp_tokens` */
  readonly access_token?: string | undefined;
  /** The provider's refresh token. Requires the scope `read:user_idp_tokens` */
  readonly refresh_token?: string | undefined;
  readonly profileData?:
    | {
        readonly email?: string | undefined;
        readonly email_verified?: boolean | undefined;
        readonly name?: string | undefined;
        readonly username?: string | undefined;
        readonly given_name?: string | undefined;
        readonly family_name?: string | undefined;
        readonly phone_number?: string | undefined;
        readonly phone_verified?: boolean | undefined;
        readonly nickname?: string | undefined;
        readonly picture?: string | undefined;
      }
    | undefined;
}

export interface CreateUser {
  readonly connection: string;
  readonly user_id?: string | undefined;
  readonly password?: string | undefined;
  readonly blocked?: boolean | undefined;
  readonly verify_email?: boolean | undefined;
  readonly user_metadata?: { readonly [name: string]: unknown } | undefined;
  readonly app_metadata?: { readonly [name: string]: unknown } | undefined;
  readonly email?: string | undefined;
  readonly email_verified?: boolean | undefined;
  readonly phone_number?: string | undefined;
  readonly phone_verified?: boolean | undefined;
  readonly given_name?: string | undefined;
  readonly family_name?: string | undefined;
  readonly name?: string | undefined;
  readonly nickname?: string | undefined;
  readonly picture?: string | undefined;
  readonly username?: string | undefined;
}

export interface UpdateUser {
  readonly connection?: string | undefined;
  readonly client_id?: string | undefined;
  readonly password?: string | undefined;
  readonly email?: string | null | undefined;
  readonly email_verified?: boolean | undefined;
  readonly phone_number?: string | null | undefined;
  readonly phone_verified?: boolean | undefined;
  readonly username?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly nickname?: string | null | undefined;
  readonly given_name?: string | null | undefined;
  readonly family_name?: string | null | undefined;
  readonly picture?: string | null | undefined;
  readonly blocked?: boolean | undefined;
  readonly verify_email?: boolean | undefined;
  readonly verify_phone_number?: boolean | undefined;
  readonly user_metadata?: { readonly [name: string]: unknown } | undefined;
  readonly app_metadata?: { readonly [name: string]: unknown } | undefined;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The role belongs to the control plane or to the installation and cannot be changed in this tenant */
  readonly is_system?: true | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean } | undefined;
}

export interface RoleList {
  readonly roles: readonly string[];
}

export interface UserPermission {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
  readonly resource_server_name: string;
  readonly description: string;
  readonly sources: readonly {
    readonly source_id: string;
    readonly source_name: string;
    readonly source_type: "DIRECT" | "ROLE";
  }[];
}

export interface PermissionList {
  readonly permissions: readonly {
    readonly resource_server_identifier: string;
    readonly permission_name: string;
  }[];
}

export type LinkUser =
  | {
      readonly provider: string;
      readonly user_id: string | number;
      readonly connection_id?: string | undefined;
    }
  | {
      readonly link_with: string;
    };

export interface LogEvent {
  readonly _id: string;
  readonly log_id: string;
  /** ISO 8601, UTC */
  readonly date: string;
  readonly type: string;
  readonly description: string | null;
  readonly connection: string;
  readonly connection_id: string;
  readonly organization_id: string | null;
  readonly organization_name: string | null;
  readonly client_id: string;
  readonly client_name: string;
  readonly ip: string;
  readonly hostname: string;
  readonly details: { readonly [name: string]: unknown };
  readonly user_id: string;
  readonly user_name: string;
  readonly user_agent: string;
  readonly audience: string | null;
  readonly scope: string | null;
  readonly strategy: string;
  readonly strategy_type: "database" | "social" | "enterprise" | "passwordless" | "";
  readonly isMobile: boolean;
  /** Always null: Postern does not locate IP addresses */
  readonly location_info: null;
}

export interface UserBlocks {
  readonly blocked_for: readonly {
    readonly identifier: string;
    readonly connection: string;
  }[];
}

export interface CreateRole {
  readonly name: string;
  readonly description?: string | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean | null } | undefined;
}

export interface UpdateRole {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean | null } | undefined;
  /** Accepted with the stored value, so that a client can send back what it read. No other value is allowed */
  readonly is_system?: boolean | undefined;
}

export interface Permission {
  readonly resource_server_identifier: string;
  readonly permission_name: string;
  readonly resource_server_name: string;
  readonly description: string;
}

export interface RoleUser {
  readonly user_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly picture?: string | undefined;
}

export interface UserList {
  readonly users: readonly string[];
}

/** Stored for compatibility with Auth0; has no effect in Postern: `metadata`. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly display_name?: string | undefined;
  readonly branding?:
    | {
        readonly logo_url?: string | undefined;
        /** A Postern extension: shown instead of `logo_url` on dark pages */
        readonly logo_url_dark?: string | undefined;
        readonly colors?:
          | {
              readonly primary?: string | undefined;
              readonly page_background?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string } | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | undefined;
  readonly enabled_connections: readonly OrganizationConnection[];
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `is_signup_enabled`. */
export interface OrganizationConnection {
  readonly connection_id: string;
  readonly assign_membership_on_login: boolean;
  readonly show_as_button: boolean;
  readonly is_signup_enabled: boolean;
  readonly connection: {
    readonly name: string;
    readonly strategy: string;
  };
}

export interface CreateOrganization {
  readonly name: string;
  readonly display_name?: string | undefined;
  readonly branding?:
    | {
        readonly logo_url?: string | null | undefined;
        readonly logo_url_dark?: string | null | undefined;
        readonly colors?:
          | {
              readonly primary?: string | undefined;
              readonly page_background?: string | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string | null } | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | undefined;
  readonly enabled_connections?: readonly AddOrganizationConnection[] | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `is_signup_enabled`. */
export interface AddOrganizationConnection {
  readonly connection_id: string;
  readonly assign_membership_on_login?: boolean | undefined;
  readonly show_as_button?: boolean | undefined;
  readonly is_signup_enabled?: boolean | undefined;
  readonly organization_connection_name?: null | undefined;
  readonly organization_access_level?: null | undefined;
  readonly is_enabled?: true | null | undefined;
}

export interface UpdateOrganization {
  readonly name?: string | undefined;
  readonly display_name?: string | undefined;
  readonly branding?:
    | {
        readonly logo_url?: string | null | undefined;
        readonly logo_url_dark?: string | null | undefined;
        readonly colors?:
          | {
              readonly primary?: string | undefined;
              readonly page_background?: string | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string | null } | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | null
    | undefined;
}

export interface OrganizationMember {
  readonly user_id: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly picture?: string | undefined;
  /** The member's roles in the organization. Returned only if `fields` contains `roles` */
  readonly roles?:
    | readonly {
        readonly id: string;
        readonly name: string;
      }[]
    | undefined;
}

export interface MemberList {
  readonly members: readonly string[];
}

/** Stored for compatibility with Auth0; has no effect in Postern: `is_signup_enabled`. */
export interface UpdateOrganizationConnection {
  readonly assign_membership_on_login?: boolean | undefined;
  readonly show_as_button?: boolean | undefined;
  readonly is_signup_enabled?: boolean | undefined;
  readonly organization_connection_name?: null | undefined;
  readonly organization_access_level?: null | undefined;
  readonly is_enabled?: true | null | undefined;
}

export interface OrganizationClientGrant {
  readonly id: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: readonly string[];
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly allow_any_organization: boolean;
}

export interface AddOrganizationClientGrant {
  readonly grant_id: string;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `metadata`. */
export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly display_name?: string | undefined;
  readonly branding?:
    | {
        readonly logo_url?: string | undefined;
        /** A Postern extension: shown instead of `logo_url` on dark pages */
        readonly logo_url_dark?: string | undefined;
        readonly colors?:
          | {
              readonly primary?: string | undefined;
              readonly page_background?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string } | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | undefined;
}

export interface Invitation {
  readonly id: string;
  readonly organization_id: string;
  readonly inviter: {
    readonly name: string;
  };
  readonly invitee: {
    readonly email: string;
  };
  readonly invitation_url?: string | undefined;
  /** Absent, like `invitation_url`, if the ticket was sealed with a key that is no longer configured, or if the invitation grants more than the caller holds */
  readonly ticket_id?: string | undefined;
  readonly client_id: string;
  readonly connection_id?: string | undefined;
  readonly app_metadata?: { readonly [name: string]: unknown } | undefined;
  readonly user_metadata?: { readonly [name: string]: unknown } | undefined;
  readonly roles: readonly string[];
  readonly ttl_sec: number;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly expires_at: string;
}

export interface CreateInvitation {
  readonly inviter: {
    readonly name: string;
  };
  readonly invitee: {
    readonly email: string;
  };
  readonly client_id: string;
  readonly connection_id?: string | undefined;
  /** Added to the user's metadata. Metadata of an existing account is not replaced */
  readonly app_metadata?: { readonly [name: string]: unknown } | undefined;
  /** Added to the user's metadata. Metadata of an existing account is not replaced */
  readonly user_metadata?: { readonly [name: string]: unknown } | undefined;
  /** Default: `[]` */
  readonly roles?: readonly string[] | undefined;
  /** Seconds Default: `604800` */
  readonly ttl_sec?: number | undefined;
  /** Default: `true` */
  readonly send_invitation_email?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `oidc_conformant`, `client_aliases`, `allowed_clients`, `oidc_logout`, `sso`, `sso_disabled`, `custom_login_page_on`, `custom_login_page`, `custom_login_page_preview`, `form_template`, `addons`, `mobile`, `require_pushed_authorization_requests`, `require_proof_of_possession`, `signed_request_object`, `third_party_security_mode`, `redirection_policy`, `session_transfer`, `encryption_key`, `cross_origin_loc`, `native_social_login`, `fedcm_login`, `organization_discovery_methods`, `compliance_level`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `token_exchange`, `par_request_expiry`, `express_configuration`, `my_organization_configuration`, `async_approval_notification_channels`, `client_metadata`, `token_vault_privileged_access`, `resource_server_identifier`, `jwt_configuration.secret_encoded`, `jwt_configuration.scopes`, `refresh_token.policies`. */
export interface Client {
  readonly client_id: string;
  readonly tenant: string;
  readonly global: boolean;
  readonly name: string;
  readonly description?: string | undefined;
  readonly app_type?:
    | "native"
    | "spa"
    | "regular_web"
    | "non_interactive"
    | "resource_server"
    | "express_configuration"
    | "rms"
    | "box"
    | "cloudbees"
    | "concur"
    | "dropbox"
    | "mscrm"
    | "echosign"
    | "egnyte"
    | "newrelic"
    | "office365"
    | "salesforce"
    | "sentry"
    | "sharepoint"
    | "slack"
    | "springcm"
    | "zendesk"
    | "zoom"
    | "sso_integration"
    | "oag"
    | undefined;
  readonly is_first_party: boolean;
  readonly grant_types: readonly string[];
  readonly callbacks: readonly string[];
  readonly allowed_logout_urls: readonly string[];
  readonly web_origins: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly token_endpoint_auth_method?: "none" | "client_secret_post" | "client_secret_basic" | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly oidc_conformant?: boolean | undefined;
  readonly client_aliases?: readonly string[] | undefined;
  readonly allowed_clients?: readonly string[] | undefined;
  readonly oidc_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sso?: boolean | undefined;
  readonly sso_disabled?: boolean | undefined;
  readonly custom_login_page_on?: boolean | undefined;
  readonly custom_login_page?: string | undefined;
  readonly custom_login_page_preview?: string | undefined;
  readonly form_template?: string | undefined;
  readonly addons?: { readonly [name: string]: { readonly [name: string]: unknown } } | undefined;
  readonly mobile?:
    | {
        readonly android?:
          | {
              readonly app_package_name?: string | undefined;
              readonly sha256_cert_fingerprints?: readonly string[] | undefined;
            }
          | undefined;
        readonly ios?:
          | {
              readonly team_id?: string | undefined;
              readonly app_bundle_identifier?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly require_pushed_authorization_requests?: false | undefined;
  readonly require_proof_of_possession?: false | undefined;
  readonly signed_request_object?:
    | {
        readonly required?: false | undefined;
        readonly credentials?: readonly never[] | undefined;
      }
    | undefined;
  readonly third_party_security_mode?: "strict" | "permissive" | undefined;
  readonly redirection_policy?: "allow_always" | "open_redirect_protection" | undefined;
  readonly session_transfer?:
    | {
        readonly can_create_session_transfer_token?: boolean | undefined;
        readonly enforce_cascade_revocation?: boolean | undefined;
        readonly allowed_authentication_methods?: readonly ("cookie" | "query")[] | null | undefined;
        readonly enforce_device_binding?: "ip" | "asn" | "none" | undefined;
        readonly allow_refresh_token?: boolean | undefined;
        readonly enforce_online_refresh_tokens?: boolean | undefined;
        readonly delegation?:
          | {
              readonly allow_delegated_access?: boolean | undefined;
              readonly enforce_device_binding?: "ip" | "asn" | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly encryption_key?:
    | {
        readonly pub?: string | undefined;
        readonly cert?: string | undefined;
        readonly subject?: string | undefined;
      }
    | undefined;
  readonly cross_origin_loc?: string | undefined;
  readonly native_social_login?:
    | {
        readonly apple?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly facebook?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly google?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly fedcm_login?:
    | {
        readonly google?:
          | {
              readonly is_enabled?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly organization_discovery_methods?: readonly ("email" | "organization_name")[] | undefined;
  readonly compliance_level?: "none" | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | undefined;
  readonly token_exchange?:
    | {
        readonly allow_any_profile_of_type?: readonly ("custom_authentication" | "on_behalf_of_token_exchange")[] | undefined;
      }
    | undefined;
  readonly par_request_expiry?: number | undefined;
  readonly express_configuration?:
    | {
        readonly initiate_login_uri_template: string;
        readonly user_attribute_profile_id: string;
        readonly connection_profile_id: string;
        readonly enable_client: boolean;
        readonly enable_organization: boolean;
        readonly linked_clients?:
          | readonly {
              readonly client_id: string;
            }[]
          | undefined;
        readonly okta_oin_client_id: string;
        readonly admin_login_domain: string;
        readonly oin_submission_id?: string | undefined;
      }
    | undefined;
  readonly my_organization_configuration?:
    | {
        readonly connection_profile_id?: string | undefined;
        readonly user_attribute_profile_id?: string | undefined;
        readonly allowed_strategies: readonly ("pingfederate" | "adfs" | "waad" | "google-apps" | "okta" | "oidc" | "samlp")[];
        readonly connection_deletion_behavior: "allow" | "allow_if_empty";
        readonly invitation_landing_client_id?: string | undefined;
      }
    | undefined;
  readonly async_approval_notification_channels?: readonly ("guardian-push" | "email")[] | undefined;
  readonly client_metadata?: { readonly [name: string]: string } | undefined;
  readonly token_vault_privileged_access?:
    | {
        readonly credentials: readonly {
          readonly id: string;
        }[];
        readonly ip_allowlist?: readonly string[] | undefined;
      }
    | undefined;
  readonly resource_server_identifier?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly initiate_login_uri?: string | undefined;
  readonly cross_origin_authentication?: boolean | undefined;
  readonly is_token_endpoint_ip_header_trusted?: boolean | undefined;
  readonly default_organization?:
    | {
        readonly organization_id: string;
        readonly flows: readonly "client_credentials"[];
      }
    | undefined;
  readonly organization_require_behavior?: "no_prompt" | "pre_login_prompt" | "post_login_prompt" | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | undefined;
  readonly jwt_configuration?:
    | {
        readonly lifetime_in_seconds: number;
        readonly secret_encoded: boolean;
        readonly alg: "RS256" | "ES256";
        readonly scopes?: { readonly [name: string]: unknown } | undefined;
      }
    | undefined;
  readonly refresh_token?:
    | {
        readonly rotation_type: "rotating" | "non-rotating";
        readonly expiration_type: "expiring" | "non-expiring";
        /** Seconds in which the previous token still works */
        readonly leeway: number;
        readonly token_lifetime: number;
        readonly infinite_token_lifetime: boolean;
        readonly idle_token_lifetime: number;
        readonly infinite_idle_token_lifetime: boolean;
        /** Seconds in which a rotated token can be exchanged again if its successor was never used. 0 disables the window */
        readonly recovery_window: number;
        readonly policies?:
          | readonly {
              readonly audience: string;
              readonly scope: readonly string[];
            }[]
          | null
          | undefined;
      }
    | undefined;
  readonly client_authentication_methods?:
    | {
        readonly private_key_jwt: {
          readonly credentials: readonly {
            readonly id: string;
          }[];
        };
      }
    | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `custom_login_page`, `custom_login_page_on`, `custom_login_page_preview`. */
export interface UpdateGlobalClient {
  readonly custom_login_page?: string | undefined;
  readonly custom_login_page_on?: boolean | undefined;
  readonly custom_login_page_preview?: string | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `oidc_conformant`, `client_aliases`, `allowed_clients`, `oidc_logout`, `sso`, `sso_disabled`, `custom_login_page_on`, `custom_login_page`, `custom_login_page_preview`, `form_template`, `addons`, `mobile`, `require_pushed_authorization_requests`, `require_proof_of_possession`, `signed_request_object`, `third_party_security_mode`, `redirection_policy`, `session_transfer`, `encryption_key`, `cross_origin_loc`, `native_social_login`, `fedcm_login`, `organization_discovery_methods`, `compliance_level`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `token_exchange`, `par_request_expiry`, `express_configuration`, `my_organization_configuration`, `async_approval_notification_channels`, `jwt_configuration.secret_encoded`, `jwt_configuration.scopes`, `refresh_token.policies`, `client_metadata`, `resource_server_identifier`. */
export interface CreateClient {
  readonly description?: string | undefined;
  readonly app_type?:
    | "native"
    | "spa"
    | "regular_web"
    | "non_interactive"
    | "resource_server"
    | "express_configuration"
    | "rms"
    | "box"
    | "cloudbees"
    | "concur"
    | "dropbox"
    | "mscrm"
    | "echosign"
    | "egnyte"
    | "newrelic"
    | "office365"
    | "salesforce"
    | "sentry"
    | "sharepoint"
    | "slack"
    | "springcm"
    | "zendesk"
    | "zoom"
    | "sso_integration"
    | "oag"
    | undefined;
  readonly is_first_party?: boolean | undefined;
  readonly grant_types?: readonly string[] | undefined;
  readonly callbacks?: readonly string[] | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly web_origins?: readonly string[] | undefined;
  readonly allowed_origins?: readonly string[] | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly initiate_login_uri?: string | undefined;
  readonly cross_origin_authentication?: boolean | undefined;
  readonly is_token_endpoint_ip_header_trusted?: boolean | undefined;
  readonly oidc_conformant?: boolean | undefined;
  readonly client_aliases?: readonly string[] | undefined;
  readonly allowed_clients?: readonly string[] | undefined;
  readonly oidc_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sso?: boolean | undefined;
  readonly sso_disabled?: boolean | undefined;
  readonly custom_login_page_on?: boolean | undefined;
  readonly custom_login_page?: string | undefined;
  readonly custom_login_page_preview?: string | undefined;
  readonly form_template?: string | undefined;
  readonly addons?: { readonly [name: string]: { readonly [name: string]: unknown } } | undefined;
  readonly mobile?:
    | {
        readonly android?:
          | {
              readonly app_package_name?: string | undefined;
              readonly sha256_cert_fingerprints?: readonly string[] | undefined;
            }
          | undefined;
        readonly ios?:
          | {
              readonly team_id?: string | undefined;
              readonly app_bundle_identifier?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly require_pushed_authorization_requests?: false | undefined;
  readonly require_proof_of_possession?: false | undefined;
  readonly signed_request_object?:
    | {
        readonly required?: false | undefined;
        readonly credentials?: readonly never[] | undefined;
      }
    | undefined;
  readonly third_party_security_mode?: "strict" | "permissive" | undefined;
  readonly redirection_policy?: "allow_always" | "open_redirect_protection" | undefined;
  readonly default_organization?:
    | {
        readonly organization_id: string;
        readonly flows: readonly "client_credentials"[];
      }
    | null
    | undefined;
  readonly organization_require_behavior?: "no_prompt" | "pre_login_prompt" | "post_login_prompt" | null | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | null
    | undefined;
  readonly session_transfer?:
    | {
        readonly can_create_session_transfer_token?: boolean | undefined;
        readonly enforce_cascade_revocation?: boolean | undefined;
        readonly allowed_authentication_methods?: readonly ("cookie" | "query")[] | null | undefined;
        readonly enforce_device_binding?: "ip" | "asn" | "none" | undefined;
        readonly allow_refresh_token?: boolean | undefined;
        readonly enforce_online_refresh_tokens?: boolean | undefined;
        readonly delegation?:
          | {
              readonly allow_delegated_access?: boolean | undefined;
              readonly enforce_device_binding?: "ip" | "asn" | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly encryption_key?:
    | {
        readonly pub?: string | undefined;
        readonly cert?: string | undefined;
        readonly subject?: string | undefined;
      }
    | null
    | undefined;
  readonly cross_origin_loc?: string | null | undefined;
  readonly native_social_login?:
    | {
        readonly apple?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly facebook?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly google?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
      }
    | null
    | undefined;
  readonly fedcm_login?:
    | {
        readonly google?:
          | {
              readonly is_enabled?: boolean | undefined;
            }
          | undefined;
      }
    | null
    | undefined;
  readonly organization_discovery_methods?: readonly ("email" | "organization_name")[] | null | undefined;
  readonly compliance_level?: "none" | null | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | null | undefined;
  readonly token_exchange?:
    | {
        readonly allow_any_profile_of_type?: readonly ("custom_authentication" | "on_behalf_of_token_exchange")[] | undefined;
      }
    | null
    | undefined;
  readonly par_request_expiry?: number | null | undefined;
  readonly express_configuration?:
    | {
        readonly initiate_login_uri_template: string;
        readonly user_attribute_profile_id: string;
        readonly connection_profile_id: string;
        readonly enable_client: boolean;
        readonly enable_organization: boolean;
        readonly linked_clients?:
          | readonly {
              readonly client_id: string;
            }[]
          | undefined;
        readonly okta_oin_client_id: string;
        readonly admin_login_domain: string;
        readonly oin_submission_id?: string | undefined;
      }
    | null
    | undefined;
  readonly my_organization_configuration?:
    | {
        readonly connection_profile_id?: string | undefined;
        readonly user_attribute_profile_id?: string | undefined;
        readonly allowed_strategies: readonly ("pingfederate" | "adfs" | "waad" | "google-apps" | "okta" | "oidc" | "samlp")[];
        readonly connection_deletion_behavior: "allow" | "allow_if_empty";
        readonly invitation_landing_client_id?: string | undefined;
      }
    | null
    | undefined;
  readonly async_approval_notification_channels?: readonly ("guardian-push" | "email")[] | null | undefined;
  readonly jwt_configuration?:
    | {
        readonly lifetime_in_seconds?: number | undefined;
        readonly secret_encoded?: boolean | undefined;
        readonly alg?: "RS256" | "ES256" | undefined;
        readonly scopes?: { readonly [name: string]: unknown } | undefined;
      }
    | undefined;
  readonly refresh_token?:
    | {
        readonly rotation_type: "rotating" | "non-rotating";
        readonly expiration_type: "expiring" | "non-expiring";
        /** Seconds in which the previous token still works */
        readonly leeway?: number | undefined;
        readonly token_lifetime?: number | undefined;
        readonly infinite_token_lifetime?: boolean | undefined;
        readonly idle_token_lifetime?: number | undefined;
        readonly infinite_idle_token_lifetime?: boolean | undefined;
        /** Seconds in which a rotated token can be exchanged again if its successor was never used. 0 disables the window */
        readonly recovery_window?: number | undefined;
        readonly policies?:
          | readonly {
              readonly audience: string;
              readonly scope: readonly string[];
            }[]
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly token_vault_privileged_access?:
    | {
        readonly credentials: readonly (
          | {
              readonly id: string;
            }
          | CreateClientCredential
        )[];
        readonly ip_allowlist?: readonly string[] | undefined;
      }
    | undefined;
  readonly oidc_backchannel_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly name: string;
  readonly client_metadata?: { readonly [name: string]: string } | undefined;
  readonly token_endpoint_auth_method?: "none" | "client_secret_post" | "client_secret_basic" | undefined;
  readonly client_authentication_methods?:
    | {
        readonly private_key_jwt?:
          | {
              readonly credentials: readonly (
                | {
                    readonly id: string;
                  }
                | CreateClientCredential
              )[];
            }
          | undefined;
        readonly tls_client_auth?: undefined;
        readonly self_signed_tls_client_auth?: undefined;
      }
    | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly resource_server_identifier?: string | undefined;
}

export interface CreateClientCredential {
  readonly credential_type: "public_key";
  readonly name?: string | undefined;
  readonly pem: string;
  readonly alg?: "RS256" | "RS384" | "PS256" | "ES256" | undefined;
  readonly kid?: string | undefined;
  readonly expires_at?: string | undefined;
  readonly parse_expiry_from_cert?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `oidc_conformant`, `client_aliases`, `allowed_clients`, `oidc_logout`, `sso`, `sso_disabled`, `custom_login_page_on`, `custom_login_page`, `custom_login_page_preview`, `form_template`, `addons`, `mobile`, `require_pushed_authorization_requests`, `require_proof_of_possession`, `signed_request_object`, `third_party_security_mode`, `redirection_policy`, `session_transfer`, `encryption_key`, `cross_origin_loc`, `native_social_login`, `fedcm_login`, `organization_discovery_methods`, `compliance_level`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `token_exchange`, `par_request_expiry`, `express_configuration`, `my_organization_configuration`, `async_approval_notification_channels`, `client_metadata`, `token_vault_privileged_access`, `resource_server_identifier`, `jwt_configuration.secret_encoded`, `jwt_configuration.scopes`, `refresh_token.policies`. */
export interface ClientWithSecret {
  readonly client_id: string;
  readonly tenant: string;
  readonly global: boolean;
  readonly name: string;
  readonly description?: string | undefined;
  readonly app_type?:
    | "native"
    | "spa"
    | "regular_web"
    | "non_interactive"
    | "resource_server"
    | "express_configuration"
    | "rms"
    | "box"
    | "cloudbees"
    | "concur"
    | "dropbox"
    | "mscrm"
    | "echosign"
    | "egnyte"
    | "newrelic"
    | "office365"
    | "salesforce"
    | "sentry"
    | "sharepoint"
    | "slack"
    | "springcm"
    | "zendesk"
    | "zoom"
    | "sso_integration"
    | "oag"
    | undefined;
  readonly is_first_party: boolean;
  readonly grant_types: readonly string[];
  readonly callbacks: readonly string[];
  readonly allowed_logout_urls: readonly string[];
  readonly web_origins: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly token_endpoint_auth_method?: "none" | "client_secret_post" | "client_secret_basic" | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly oidc_conformant?: boolean | undefined;
  readonly client_aliases?: readonly string[] | undefined;
  readonly allowed_clients?: readonly string[] | undefined;
  readonly oidc_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sso?: boolean | undefined;
  readonly sso_disabled?: boolean | undefined;
  readonly custom_login_page_on?: boolean | undefined;
  readonly custom_login_page?: string | undefined;
  readonly custom_login_page_preview?: string | undefined;
  readonly form_template?: string | undefined;
  readonly addons?: { readonly [name: string]: { readonly [name: string]: unknown } } | undefined;
  readonly mobile?:
    | {
        readonly android?:
          | {
              readonly app_package_name?: string | undefined;
              readonly sha256_cert_fingerprints?: readonly string[] | undefined;
            }
          | undefined;
        readonly ios?:
          | {
              readonly team_id?: string | undefined;
              readonly app_bundle_identifier?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly require_pushed_authorization_requests?: false | undefined;
  readonly require_proof_of_possession?: false | undefined;
  readonly signed_request_object?:
    | {
        readonly required?: false | undefined;
        readonly credentials?: readonly never[] | undefined;
      }
    | undefined;
  readonly third_party_security_mode?: "strict" | "permissive" | undefined;
  readonly redirection_policy?: "allow_always" | "open_redirect_protection" | undefined;
  readonly session_transfer?:
    | {
        readonly can_create_session_transfer_token?: boolean | undefined;
        readonly enforce_cascade_revocation?: boolean | undefined;
        readonly allowed_authentication_methods?: readonly ("cookie" | "query")[] | null | undefined;
        readonly enforce_device_binding?: "ip" | "asn" | "none" | undefined;
        readonly allow_refresh_token?: boolean | undefined;
        readonly enforce_online_refresh_tokens?: boolean | undefined;
        readonly delegation?:
          | {
              readonly allow_delegated_access?: boolean | undefined;
              readonly enforce_device_binding?: "ip" | "asn" | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly encryption_key?:
    | {
        readonly pub?: string | undefined;
        readonly cert?: string | undefined;
        readonly subject?: string | undefined;
      }
    | undefined;
  readonly cross_origin_loc?: string | undefined;
  readonly native_social_login?:
    | {
        readonly apple?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly facebook?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly google?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly fedcm_login?:
    | {
        readonly google?:
          | {
              readonly is_enabled?: boolean | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly organization_discovery_methods?: readonly ("email" | "organization_name")[] | undefined;
  readonly compliance_level?: "none" | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | undefined;
  readonly token_exchange?:
    | {
        readonly allow_any_profile_of_type?: readonly ("custom_authentication" | "on_behalf_of_token_exchange")[] | undefined;
      }
    | undefined;
  readonly par_request_expiry?: number | undefined;
  readonly express_configuration?:
    | {
        readonly initiate_login_uri_template: string;
        readonly user_attribute_profile_id: string;
        readonly connection_profile_id: string;
        readonly enable_client: boolean;
        readonly enable_organization: boolean;
        readonly linked_clients?:
          | readonly {
              readonly client_id: string;
            }[]
          | undefined;
        readonly okta_oin_client_id: string;
        readonly admin_login_domain: string;
        readonly oin_submission_id?: string | undefined;
      }
    | undefined;
  readonly my_organization_configuration?:
    | {
        readonly connection_profile_id?: string | undefined;
        readonly user_attribute_profile_id?: string | undefined;
        readonly allowed_strategies: readonly ("pingfederate" | "adfs" | "waad" | "google-apps" | "okta" | "oidc" | "samlp")[];
        readonly connection_deletion_behavior: "allow" | "allow_if_empty";
        readonly invitation_landing_client_id?: string | undefined;
      }
    | undefined;
  readonly async_approval_notification_channels?: readonly ("guardian-push" | "email")[] | undefined;
  readonly client_metadata?: { readonly [name: string]: string } | undefined;
  readonly token_vault_privileged_access?:
    | {
        readonly credentials: readonly {
          readonly id: string;
        }[];
        readonly ip_allowlist?: readonly string[] | undefined;
      }
    | undefined;
  readonly resource_server_identifier?: string | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly initiate_login_uri?: string | undefined;
  readonly cross_origin_authentication?: boolean | undefined;
  readonly is_token_endpoint_ip_header_trusted?: boolean | undefined;
  readonly default_organization?:
    | {
        readonly organization_id: string;
        readonly flows: readonly "client_credentials"[];
      }
    | undefined;
  readonly organization_require_behavior?: "no_prompt" | "pre_login_prompt" | "post_login_prompt" | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | undefined;
  readonly jwt_configuration?:
    | {
        readonly lifetime_in_seconds: number;
        readonly secret_encoded: boolean;
        readonly alg: "RS256" | "ES256";
        readonly scopes?: { readonly [name: string]: unknown } | undefined;
      }
    | undefined;
  readonly refresh_token?:
    | {
        readonly rotation_type: "rotating" | "non-rotating";
        readonly expiration_type: "expiring" | "non-expiring";
        /** Seconds in which the previous token still works */
        readonly leeway: number;
        readonly token_lifetime: number;
        readonly infinite_token_lifetime: boolean;
        readonly idle_token_lifetime: number;
        readonly infinite_idle_token_lifetime: boolean;
        /** Seconds in which a rotated token can be exchanged again if its successor was never used. 0 disables the window */
        readonly recovery_window: number;
        readonly policies?:
          | readonly {
              readonly audience: string;
              readonly scope: readonly string[];
            }[]
          | null
          | undefined;
      }
    | undefined;
  readonly client_authentication_methods?:
    | {
        readonly private_key_jwt: {
          readonly credentials: readonly {
            readonly id: string;
          }[];
        };
      }
    | undefined;
  readonly client_secret?: string | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `oidc_conformant`, `client_aliases`, `allowed_clients`, `oidc_logout`, `sso`, `sso_disabled`, `custom_login_page_on`, `custom_login_page`, `custom_login_page_preview`, `form_template`, `addons`, `mobile`, `require_pushed_authorization_requests`, `require_proof_of_possession`, `signed_request_object`, `third_party_security_mode`, `redirection_policy`, `session_transfer`, `encryption_key`, `cross_origin_loc`, `native_social_login`, `fedcm_login`, `organization_discovery_methods`, `compliance_level`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `token_exchange`, `par_request_expiry`, `express_configuration`, `my_organization_configuration`, `async_approval_notification_channels`, `jwt_configuration.secret_encoded`, `jwt_configuration.scopes`, `refresh_token.policies`. */
export interface UpdateClient {
  readonly description?: string | undefined;
  readonly app_type?:
    | "native"
    | "spa"
    | "regular_web"
    | "non_interactive"
    | "resource_server"
    | "express_configuration"
    | "rms"
    | "box"
    | "cloudbees"
    | "concur"
    | "dropbox"
    | "mscrm"
    | "echosign"
    | "egnyte"
    | "newrelic"
    | "office365"
    | "salesforce"
    | "sentry"
    | "sharepoint"
    | "slack"
    | "springcm"
    | "zendesk"
    | "zoom"
    | "sso_integration"
    | "oag"
    | undefined;
  readonly is_first_party?: boolean | undefined;
  readonly grant_types?: readonly string[] | undefined;
  readonly callbacks?: readonly string[] | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly web_origins?: readonly string[] | undefined;
  readonly allowed_origins?: readonly string[] | undefined;
  readonly logo_uri?: string | undefined;
  readonly tos_uri?: string | undefined;
  readonly policy_uri?: string | undefined;
  readonly initiate_login_uri?: string | undefined;
  readonly cross_origin_authentication?: boolean | undefined;
  readonly is_token_endpoint_ip_header_trusted?: boolean | undefined;
  readonly oidc_conformant?: boolean | undefined;
  readonly client_aliases?: readonly string[] | undefined;
  readonly allowed_clients?: readonly string[] | undefined;
  readonly oidc_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sso?: boolean | undefined;
  readonly sso_disabled?: boolean | undefined;
  readonly custom_login_page_on?: boolean | undefined;
  readonly custom_login_page?: string | undefined;
  readonly custom_login_page_preview?: string | undefined;
  readonly form_template?: string | undefined;
  readonly addons?: { readonly [name: string]: { readonly [name: string]: unknown } } | undefined;
  readonly mobile?:
    | {
        readonly android?:
          | {
              readonly app_package_name?: string | undefined;
              readonly sha256_cert_fingerprints?: readonly string[] | undefined;
            }
          | undefined;
        readonly ios?:
          | {
              readonly team_id?: string | undefined;
              readonly app_bundle_identifier?: string | undefined;
            }
          | undefined;
      }
    | undefined;
  readonly require_pushed_authorization_requests?: false | undefined;
  readonly require_proof_of_possession?: false | undefined;
  readonly signed_request_object?:
    | {
        readonly required?: false | undefined;
        readonly credentials?: readonly never[] | undefined;
      }
    | undefined;
  readonly third_party_security_mode?: "strict" | "permissive" | undefined;
  readonly redirection_policy?: "allow_always" | "open_redirect_protection" | undefined;
  readonly default_organization?:
    | {
        readonly organization_id: string;
        readonly flows: readonly "client_credentials"[];
      }
    | null
    | undefined;
  readonly organization_require_behavior?: "no_prompt" | "pre_login_prompt" | "post_login_prompt" | null | undefined;
  readonly token_quota?:
    | {
        readonly client_credentials: {
          readonly enforce?: boolean | undefined;
          readonly per_day?: number | undefined;
          readonly per_hour?: number | undefined;
        };
      }
    | null
    | undefined;
  readonly session_transfer?:
    | {
        readonly can_create_session_transfer_token?: boolean | undefined;
        readonly enforce_cascade_revocation?: boolean | undefined;
        readonly allowed_authentication_methods?: readonly ("cookie" | "query")[] | null | undefined;
        readonly enforce_device_binding?: "ip" | "asn" | "none" | undefined;
        readonly allow_refresh_token?: boolean | undefined;
        readonly enforce_online_refresh_tokens?: boolean | undefined;
        readonly delegation?:
          | {
              readonly allow_delegated_access?: boolean | undefined;
              readonly enforce_device_binding?: "ip" | "asn" | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly encryption_key?:
    | {
        readonly pub?: string | undefined;
        readonly cert?: string | undefined;
        readonly subject?: string | undefined;
      }
    | null
    | undefined;
  readonly cross_origin_loc?: string | null | undefined;
  readonly native_social_login?:
    | {
        readonly apple?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly facebook?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
        readonly google?:
          | {
              readonly enabled?: boolean | undefined;
            }
          | undefined;
      }
    | null
    | undefined;
  readonly fedcm_login?:
    | {
        readonly google?:
          | {
              readonly is_enabled?: boolean | undefined;
            }
          | undefined;
      }
    | null
    | undefined;
  readonly organization_discovery_methods?: readonly ("email" | "organization_name")[] | null | undefined;
  readonly compliance_level?: "none" | null | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | null | undefined;
  readonly token_exchange?:
    | {
        readonly allow_any_profile_of_type?: readonly ("custom_authentication" | "on_behalf_of_token_exchange")[] | undefined;
      }
    | null
    | undefined;
  readonly par_request_expiry?: number | null | undefined;
  readonly express_configuration?:
    | {
        readonly initiate_login_uri_template: string;
        readonly user_attribute_profile_id: string;
        readonly connection_profile_id: string;
        readonly enable_client: boolean;
        readonly enable_organization: boolean;
        readonly linked_clients?:
          | readonly {
              readonly client_id: string;
            }[]
          | undefined;
        readonly okta_oin_client_id: string;
        readonly admin_login_domain: string;
        readonly oin_submission_id?: string | undefined;
      }
    | null
    | undefined;
  readonly my_organization_configuration?:
    | {
        readonly connection_profile_id?: string | undefined;
        readonly user_attribute_profile_id?: string | undefined;
        readonly allowed_strategies: readonly ("pingfederate" | "adfs" | "waad" | "google-apps" | "okta" | "oidc" | "samlp")[];
        readonly connection_deletion_behavior: "allow" | "allow_if_empty";
        readonly invitation_landing_client_id?: string | undefined;
      }
    | null
    | undefined;
  readonly async_approval_notification_channels?: readonly ("guardian-push" | "email")[] | null | undefined;
  readonly jwt_configuration?:
    | {
        readonly lifetime_in_seconds?: number | undefined;
        readonly secret_encoded?: boolean | undefined;
        readonly alg?: "RS256" | "ES256" | undefined;
        readonly scopes?: { readonly [name: string]: unknown } | undefined;
      }
    | undefined;
  readonly refresh_token?:
    | {
        readonly rotation_type: "rotating" | "non-rotating";
        readonly expiration_type: "expiring" | "non-expiring";
        /** Seconds in which the previous token still works */
        readonly leeway?: number | undefined;
        readonly token_lifetime?: number | undefined;
        readonly infinite_token_lifetime?: boolean | undefined;
        readonly idle_token_lifetime?: number | undefined;
        readonly infinite_idle_token_lifetime?: boolean | undefined;
        /** Seconds in which a rotated token can be exchanged again if its successor was never used. 0 disables the window */
        readonly recovery_window?: number | undefined;
        readonly policies?:
          | readonly {
              readonly audience: string;
              readonly scope: readonly string[];
            }[]
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly token_vault_privileged_access?:
    | {
        readonly credentials: readonly (
          | {
              readonly id: string;
            }
          | CreateClientCredential
        )[];
        readonly ip_allowlist?: readonly string[] | undefined;
      }
    | undefined;
  readonly oidc_backchannel_logout?:
    | {
        readonly backchannel_logout_urls?: readonly string[] | undefined;
        readonly backchannel_logout_initiators?:
          | {
              readonly mode?: "custom" | "all" | undefined;
              readonly selected_initiators?:
                | readonly (
                    | "rp-logout"
                    | "idp-logout"
                    | "password-changed"
                    | "session-expired"
                    | "session-revoked"
                    | "account-deleted"
                    | "email-identifier-changed"
                    | "mfa-phone-unenrolled"
                    | "account-deactivated"
                  )[]
                | undefined;
            }
          | undefined;
        readonly backchannel_logout_session_metadata?:
          | {
              readonly include?: boolean | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly name?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_metadata?: { readonly [name: string]: string | null } | undefined;
  readonly token_endpoint_auth_method?: "none" | "client_secret_post" | "client_secret_basic" | null | undefined;
  readonly client_authentication_methods?:
    | {
        readonly private_key_jwt?:
          | {
              readonly credentials: readonly (
                | {
                    readonly id: string;
                  }
                | CreateClientCredential
              )[];
            }
          | undefined;
        readonly tls_client_auth?: undefined;
        readonly self_signed_tls_client_auth?: undefined;
      }
    | null
    | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | null | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `authorization_details_types`. */
export interface ClientGrant {
  readonly id: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scope: readonly string[];
  readonly subject_type: "client" | "user";
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly allow_any_organization: boolean;
  readonly authorization_details_types?: readonly string[] | undefined;
  readonly allow_all_scopes?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `authorization_details_types`. */
export interface CreateClientGrant {
  readonly client_id: string;
  readonly audience: string;
  readonly scope?: readonly string[] | undefined;
  readonly subject_type?: "client" | "user" | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | undefined;
  readonly allow_any_organization?: boolean | undefined;
  readonly default_for?: undefined;
  readonly authorization_details_types?: readonly string[] | undefined;
  readonly allow_all_scopes?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `authorization_details_types`. */
export interface UpdateClientGrant {
  readonly scope?: readonly string[] | null | undefined;
  readonly organization_usage?: "deny" | "allow" | "require" | null | undefined;
  readonly allow_any_organization?: boolean | null | undefined;
  readonly authorization_details_types?: readonly string[] | undefined;
  readonly allow_all_scopes?: boolean | null | undefined;
}

export interface Grant {
  readonly id: string;
  readonly clientID: string;
  readonly user_id: string;
  /** The identifier of the API, or the URL of `/userinfo` if the consent is for claims about the user only */
  readonly audience: string;
  readonly scope: readonly string[];
}

export interface ConnectionClients {
  readonly clients: readonly {
    readonly client_id: string;
  }[];
  readonly next?: string | undefined;
}

export interface ClientCredential {
  readonly id: string;
  readonly credential_type: "public_key";
  readonly name?: string | undefined;
  readonly kid: string;
  readonly alg: "RS256" | "RS384" | "PS256" | "ES256";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
  /** ISO 8601, UTC */
  readonly expires_at?: string | undefined;
}

export interface UpdateClientCredential {
  readonly expires_at?: string | null | undefined;
}

export interface ClientConnections {
  readonly enabled_connections: readonly EnabledConnection[];
  readonly connections: readonly OfferedConnection[];
  readonly next?: string | undefined;
}

export interface EnabledConnection {
  readonly connection_id: string;
  readonly connection: {
    readonly id: string;
    readonly name: string;
    readonly strategy: string;
  };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `realms`, `is_domain_connection`, `authentication`, `connected_accounts`, `cross_app_access_requesting_app`, `metadata`. */
export interface OfferedConnection {
  readonly id: string;
  readonly name: string;
  readonly strategy: string;
  readonly display_name?: string | undefined;
  readonly options: { readonly [name: string]: unknown };
  readonly show_as_button?: boolean | undefined;
  readonly realms: readonly string[];
  readonly is_domain_connection: boolean;
  readonly authentication?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly connected_accounts?:
    | {
        readonly active: boolean;
        readonly cross_app_access?: boolean | undefined;
      }
    | undefined;
  readonly cross_app_access_requesting_app?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string } | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `realms`, `is_domain_connection`, `authentication`, `connected_accounts`, `cross_app_access_requesting_app`, `metadata`. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly strategy: string;
  readonly display_name?: string | undefined;
  readonly options: { readonly [name: string]: unknown };
  readonly enabled_clients: readonly string[];
  readonly show_as_button?: boolean | undefined;
  readonly realms: readonly string[];
  readonly is_domain_connection: boolean;
  readonly authentication?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly connected_accounts?:
    | {
        readonly active: boolean;
        readonly cross_app_access?: boolean | undefined;
      }
    | undefined;
  readonly cross_app_access_requesting_app?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly metadata?: { readonly [name: string]: string } | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `realms`, `is_domain_connection`, `authentication`, `connected_accounts`, `cross_app_access_requesting_app`. */
export interface CreateConnection {
  readonly display_name?: string | undefined;
  readonly options?: { readonly [name: string]: unknown } | undefined;
  readonly enabled_clients?: readonly string[] | undefined;
  readonly metadata?: { readonly [name: string]: string | null } | undefined;
  readonly show_as_button?: boolean | undefined;
  readonly realms?: readonly string[] | undefined;
  readonly is_domain_connection?: boolean | undefined;
  readonly authentication?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly connected_accounts?:
    | {
        readonly active: boolean;
        readonly cross_app_access?: boolean | undefined;
      }
    | undefined;
  readonly cross_app_access_requesting_app?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly name: string;
  readonly strategy:
    | "ad"
    | "adfs"
    | "amazon"
    | "apple"
    | "dropbox"
    | "bitbucket"
    | "auth0-oidc"
    | "auth0"
    | "baidu"
    | "bitly"
    | "box"
    | "custom"
    | "daccount"
    | "dwolla"
    | "email"
    | "evernote-sandbox"
    | "evernote"
    | "exact"
    | "facebook"
    | "fitbit"
    | "github"
    | "google-apps"
    | "google-oauth2"
    | "instagram"
    | "ip"
    | "line"
    | "linkedin"
    | "oauth1"
    | "oauth2"
    | "office365"
    | "oidc"
    | "okta"
    | "paypal"
    | "paypal-sandbox"
    | "pingfederate"
    | "planningcenter"
    | "salesforce-community"
    | "salesforce-sandbox"
    | "salesforce"
    | "samlp"
    | "sharepoint"
    | "shopify"
    | "shop"
    | "sms"
    | "soundcloud"
    | "thirtysevensignals"
    | "twitter"
    | "untappd"
    | "vkontakte"
    | "waad"
    | "weibo"
    | "windowslive"
    | "wordpress"
    | "yahoo"
    | "yandex";
}

/** Stored for compatibility with Auth0; has no effect in Postern: `realms`, `is_domain_connection`, `authentication`, `connected_accounts`, `cross_app_access_requesting_app`. */
export interface UpdateConnection {
  readonly display_name?: string | undefined;
  readonly options?: { readonly [name: string]: unknown } | null | undefined;
  readonly enabled_clients?: readonly string[] | null | undefined;
  readonly metadata?: { readonly [name: string]: string | null } | undefined;
  readonly show_as_button?: boolean | undefined;
  readonly realms?: readonly string[] | undefined;
  readonly is_domain_connection?: boolean | undefined;
  readonly authentication?:
    | {
        readonly active: boolean;
      }
    | undefined;
  readonly connected_accounts?:
    | {
        readonly active: boolean;
        readonly cross_app_access?: boolean | undefined;
      }
    | undefined;
  readonly cross_app_access_requesting_app?:
    | {
        readonly active: boolean;
      }
    | undefined;
}

export interface ResourceServer {
  readonly id: string;
  readonly identifier: string;
  readonly name: string;
  readonly is_system: boolean;
  readonly scopes?:
    | readonly {
        readonly value: string;
        readonly description?: string | undefined;
      }[]
    | undefined;
  readonly signing_alg: "RS256" | "ES256";
  readonly allow_offline_access: boolean;
  readonly skip_consent_for_verifiable_first_party_clients: boolean;
  /** Seconds */
  readonly token_lifetime: number;
  /** Seconds */
  readonly token_lifetime_for_web: number;
  readonly enforce_policies: boolean;
  readonly token_dialect: "access_token" | "access_token_authz" | "rfc9068_profile" | "rfc9068_profile_authz";
  readonly subject_type_authorization?:
    | {
        readonly user?:
          | {
              readonly policy: "allow_all" | "deny_all" | "require_client_grant";
            }
          | undefined;
        readonly client?:
          | {
              readonly policy: "deny_all" | "require_client_grant";
            }
          | undefined;
      }
    | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean } | undefined;
}

export interface CreateResourceServer {
  readonly name?: string | undefined;
  readonly scopes?:
    | readonly {
        readonly value: string;
        readonly description?: string | undefined;
      }[]
    | undefined;
  readonly signing_alg?: "RS256" | "ES256" | undefined;
  readonly allow_offline_access?: boolean | undefined;
  readonly skip_consent_for_verifiable_first_party_clients?: boolean | undefined;
  /** Seconds */
  readonly token_lifetime?: number | undefined;
  /** Seconds */
  readonly token_lifetime_for_web?: number | undefined;
  readonly enforce_policies?: boolean | undefined;
  readonly token_dialect?: "access_token" | "access_token_authz" | "rfc9068_profile" | "rfc9068_profile_authz" | undefined;
  readonly subject_type_authorization?:
    | {
        readonly user?:
          | {
              readonly policy: "allow_all" | "deny_all" | "require_client_grant";
            }
          | undefined;
        readonly client?:
          | {
              readonly policy: "deny_all" | "require_client_grant";
            }
          | undefined;
      }
    | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean | null } | undefined;
  readonly signing_secret?: undefined;
  readonly allow_online_access?: false | undefined;
  readonly allow_online_access_with_ephemeral_sessions?: false | undefined;
  readonly token_encryption?: null | undefined;
  readonly consent_policy?: null | undefined;
  readonly authorization_details?: null | undefined;
  readonly proof_of_possession?: null | undefined;
  readonly authorization_policy?: null | undefined;
  readonly identifier: string;
}

export interface UpdateResourceServer {
  readonly name?: string | undefined;
  readonly scopes?:
    | readonly {
        readonly value: string;
        readonly description?: string | undefined;
      }[]
    | undefined;
  readonly signing_alg?: "RS256" | "ES256" | undefined;
  readonly allow_offline_access?: boolean | undefined;
  readonly skip_consent_for_verifiable_first_party_clients?: boolean | undefined;
  /** Seconds */
  readonly token_lifetime?: number | undefined;
  /** Seconds */
  readonly token_lifetime_for_web?: number | undefined;
  readonly enforce_policies?: boolean | undefined;
  readonly token_dialect?: "access_token" | "access_token_authz" | "rfc9068_profile" | "rfc9068_profile_authz" | undefined;
  readonly subject_type_authorization?:
    | {
        readonly user?:
          | {
              readonly policy: "allow_all" | "deny_all" | "require_client_grant";
            }
          | undefined;
        readonly client?:
          | {
              readonly policy: "deny_all" | "require_client_grant";
            }
          | undefined;
      }
    | undefined;
  /** Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the record from child tenants */
  readonly metadata?: { readonly [name: string]: string | boolean | null } | undefined;
  readonly signing_secret?: undefined;
  readonly allow_online_access?: false | undefined;
  readonly allow_online_access_with_ephemeral_sessions?: false | undefined;
  readonly token_encryption?: null | undefined;
  readonly consent_policy?: null | undefined;
  readonly authorization_details?: null | undefined;
  readonly proof_of_possession?: null | undefined;
  readonly authorization_policy?: null | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `flags.change_pwd_flow_v1`, `flags.custom_domains_provisioning`, `flags.disable_impersonation`, `flags.disable_management_api_sms_obfuscation`, `flags.enable_apis_section`, `flags.enable_dynamic_client_registration`, `flags.enable_pipeline2`, `flags.trust_azure_adfs_email_verified_connection_property`, `picture_url`, `sandbox_version`, `legacy_sandbox_version`, `resource_parameter_profile`, `client_id_metadata_document_supported`, `phone_consolidated_experience`, `enable_ai_guide`, `include_session_metadata_in_tenant_logs`, `dynamic_client_registration_security_mode`, `universal_login`, `change_password`, `guardian_mfa_page`, `error_page`, `device_flow`, `security_headers`, `sessions`, `customize_mfa_in_postlogin_action`, `acr_values_supported`, `mtls`, `pushed_authorization_requests_supported`, `authorization_response_iss_parameter_supported`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `country_codes`. */
export interface TenantSettings {
  readonly friendly_name: string;
  readonly session_lifetime: number;
  readonly idle_session_lifetime: number;
  readonly ephemeral_session_lifetime: number;
  readonly idle_ephemeral_session_lifetime: number;
  readonly flags?:
    | ({
        readonly require_pushed_authorization_requests?: false | undefined;
        readonly enable_client_connections?: boolean | undefined;
        readonly enforce_client_authentication_on_passwordless_start?: boolean | undefined;
        readonly change_pwd_flow_v1?: boolean | undefined;
        readonly custom_domains_provisioning?: boolean | undefined;
        readonly disable_impersonation?: boolean | undefined;
        readonly disable_management_api_sms_obfuscation?: boolean | undefined;
        readonly enable_apis_section?: boolean | undefined;
        readonly enable_dynamic_client_registration?: boolean | undefined;
        readonly enable_pipeline2?: boolean | undefined;
        readonly trust_azure_adfs_email_verified_connection_property?: boolean | undefined;
      } & { readonly [name: string]: boolean })
    | undefined;
  readonly picture_url?: string | undefined;
  readonly sandbox_version?: string | undefined;
  readonly legacy_sandbox_version?: string | undefined;
  readonly resource_parameter_profile?: "audience" | "compatibility" | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  readonly phone_consolidated_experience?: boolean | undefined;
  readonly enable_ai_guide?: boolean | undefined;
  readonly include_session_metadata_in_tenant_logs?: boolean | undefined;
  readonly dynamic_client_registration_security_mode?: "strict" | "permissive" | undefined;
  readonly universal_login?: { readonly [name: string]: unknown } | undefined;
  readonly change_password?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | undefined;
  readonly guardian_mfa_page?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | undefined;
  readonly error_page?:
    | {
        readonly html?: string | undefined;
        readonly show_log_link?: boolean | undefined;
        readonly url?: string | undefined;
      }
    | undefined;
  readonly device_flow?:
    | {
        readonly charset?: "base20" | "digits" | undefined;
        readonly mask?: string | undefined;
      }
    | undefined;
  readonly security_headers?:
    | {
        readonly content_security_policy?:
          | {
              readonly enabled?: boolean | undefined;
              readonly policies?:
                | readonly {
                    readonly mode?: string | undefined;
                    readonly directives?: { readonly [name: string]: unknown } | undefined;
                    readonly flags?: { readonly [name: string]: unknown } | readonly string[] | undefined;
                    readonly reporting?: { readonly [name: string]: unknown } | undefined;
                  }[]
                | undefined;
              readonly reporting_infrastructure?:
                | {
                    readonly report_to?: __schema0 | undefined;
                    readonly reporting_endpoints?: __schema1 | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
        readonly x_xss_protection?:
          | {
              readonly enabled?: boolean | undefined;
              readonly mode?: "block" | undefined;
              readonly report_uri?: string | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sessions?:
    | {
        readonly oidc_logout_prompt_enabled?: boolean | undefined;
      }
    | undefined;
  readonly customize_mfa_in_postlogin_action?: boolean | undefined;
  readonly acr_values_supported?: readonly string[] | undefined;
  readonly mtls?:
    | {
        readonly enable_endpoint_aliases?: boolean | undefined;
      }
    | undefined;
  readonly pushed_authorization_requests_supported?: boolean | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | undefined;
  readonly country_codes?:
    | {
        readonly list?: readonly string[] | undefined;
        readonly mode?: "allow" | "deny" | undefined;
      }
    | undefined;
  readonly default_audience?: string | undefined;
  readonly default_directory?: string | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly default_redirection_uri?: string | undefined;
  readonly support_url?: string | undefined;
  readonly support_email?: string | undefined;
  readonly enabled_locales?: readonly string[] | undefined;
  readonly form_of_address?: "formal" | "familiar" | undefined;
  readonly new_device_notification?: boolean | undefined;
  readonly oidc_logout?:
    | {
        readonly rp_logout_end_session_endpoint_discovery?: boolean | undefined;
      }
    | undefined;
  readonly session_cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | undefined;
  readonly allow_organization_name_in_authentication_api?: boolean | undefined;
  readonly default_token_quota?:
    | {
        readonly clients?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
        readonly organizations?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
      }
    | undefined;
}

export type __schema0 = string | number | boolean | null | readonly __schema0[] | { readonly [name: string]: __schema0 };

export type __schema1 = string | number | boolean | null | readonly __schema1[] | { readonly [name: string]: __schema1 };

/** Stored for compatibility with Auth0; has no effect in Postern: `flags.change_pwd_flow_v1`, `flags.custom_domains_provisioning`, `flags.disable_impersonation`, `flags.disable_management_api_sms_obfuscation`, `flags.enable_apis_section`, `flags.enable_dynamic_client_registration`, `flags.enable_pipeline2`, `flags.trust_azure_adfs_email_verified_connection_property`, `picture_url`, `sandbox_version`, `legacy_sandbox_version`, `resource_parameter_profile`, `client_id_metadata_document_supported`, `phone_consolidated_experience`, `enable_ai_guide`, `include_session_metadata_in_tenant_logs`, `dynamic_client_registration_security_mode`, `universal_login`, `change_password`, `guardian_mfa_page`, `error_page`, `device_flow`, `security_headers`, `sessions`, `customize_mfa_in_postlogin_action`, `acr_values_supported`, `mtls`, `pushed_authorization_requests_supported`, `authorization_response_iss_parameter_supported`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `country_codes`. */
export interface UpdateTenantSettings {
  readonly friendly_name?: string | undefined;
  readonly default_audience?: string | undefined;
  readonly default_directory?: string | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly default_redirection_uri?: string | undefined;
  readonly support_url?: string | undefined;
  readonly support_email?: string | undefined;
  readonly enabled_locales?: readonly string[] | undefined;
  readonly form_of_address?: "formal" | "familiar" | undefined;
  readonly new_device_notification?: boolean | undefined;
  readonly oidc_logout?:
    | {
        readonly rp_logout_end_session_endpoint_discovery?: boolean | undefined;
      }
    | undefined;
  readonly flags?:
    | ({
        readonly require_pushed_authorization_requests?: false | undefined;
        readonly enable_client_connections?: boolean | undefined;
        readonly enforce_client_authentication_on_passwordless_start?: boolean | undefined;
        readonly change_pwd_flow_v1?: boolean | undefined;
        readonly custom_domains_provisioning?: boolean | undefined;
        readonly disable_impersonation?: boolean | undefined;
        readonly disable_management_api_sms_obfuscation?: boolean | undefined;
        readonly enable_apis_section?: boolean | undefined;
        readonly enable_dynamic_client_registration?: boolean | undefined;
        readonly enable_pipeline2?: boolean | undefined;
        readonly trust_azure_adfs_email_verified_connection_property?: boolean | undefined;
      } & { readonly [name: string]: boolean })
    | undefined;
  readonly picture_url?: string | undefined;
  readonly sandbox_version?: string | undefined;
  readonly legacy_sandbox_version?: string | undefined;
  readonly resource_parameter_profile?: "audience" | "compatibility" | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  readonly phone_consolidated_experience?: boolean | undefined;
  readonly enable_ai_guide?: boolean | undefined;
  readonly include_session_metadata_in_tenant_logs?: boolean | undefined;
  readonly dynamic_client_registration_security_mode?: "strict" | "permissive" | undefined;
  readonly universal_login?: { readonly [name: string]: unknown } | undefined;
  readonly session_cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | null
    | undefined;
  readonly allow_organization_name_in_authentication_api?: boolean | null | undefined;
  readonly default_token_quota?:
    | {
        readonly clients?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
        readonly organizations?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
      }
    | null
    | undefined;
  readonly change_password?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly guardian_mfa_page?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly error_page?:
    | {
        readonly html?: string | undefined;
        readonly show_log_link?: boolean | undefined;
        readonly url?: string | undefined;
      }
    | null
    | undefined;
  readonly device_flow?:
    | {
        readonly charset?: "base20" | "digits" | undefined;
        readonly mask?: string | undefined;
      }
    | null
    | undefined;
  readonly security_headers?:
    | {
        readonly content_security_policy?:
          | {
              readonly enabled?: boolean | undefined;
              readonly policies?:
                | readonly {
                    readonly mode?: string | undefined;
                    readonly directives?: { readonly [name: string]: unknown } | undefined;
                    readonly flags?: { readonly [name: string]: unknown } | readonly string[] | undefined;
                    readonly reporting?: { readonly [name: string]: unknown } | undefined;
                  }[]
                | undefined;
              readonly reporting_infrastructure?:
                | {
                    readonly report_to?: __schema0 | undefined;
                    readonly reporting_endpoints?: __schema1 | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
        readonly x_xss_protection?:
          | {
              readonly enabled?: boolean | undefined;
              readonly mode?: "block" | undefined;
              readonly report_uri?: string | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly sessions?:
    | {
        readonly oidc_logout_prompt_enabled?: boolean | undefined;
      }
    | null
    | undefined;
  readonly customize_mfa_in_postlogin_action?: boolean | null | undefined;
  readonly acr_values_supported?: readonly string[] | null | undefined;
  readonly mtls?:
    | {
        readonly enable_endpoint_aliases?: boolean | undefined;
      }
    | null
    | undefined;
  readonly pushed_authorization_requests_supported?: boolean | null | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | null | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | null | undefined;
  readonly country_codes?:
    | {
        readonly list?: readonly string[] | undefined;
        readonly mode?: "allow" | "deny" | undefined;
      }
    | null
    | undefined;
  readonly session_lifetime?: number | undefined;
  readonly idle_session_lifetime?: number | undefined;
  readonly ephemeral_session_lifetime?: number | undefined;
  readonly idle_ephemeral_session_lifetime?: number | undefined;
  readonly session_lifetime_in_minutes?: number | undefined;
  readonly idle_session_lifetime_in_minutes?: number | undefined;
  readonly ephemeral_session_lifetime_in_minutes?: number | undefined;
  readonly idle_ephemeral_session_lifetime_in_minutes?: number | undefined;
}

export interface SigningKey {
  readonly kid: string;
  readonly type: "jwt_signing" | "saml_encryption";
  readonly alg: string;
  /** The certificate, PEM */
  readonly cert: string;
  /** SHA-1 of the certificate, colon-separated hex */
  readonly fingerprint: string;
  /** SHA-1 of the certificate, base64url */
  readonly thumbprint: string;
  /** The key signs tokens */
  readonly current: boolean;
  /** The key is published and will sign later */
  readonly next: boolean;
  /** The key signed before and is still published */
  readonly previous: boolean;
  /** ISO 8601, UTC */
  readonly current_since?: string | undefined;
  /** ISO 8601, UTC */
  readonly current_until?: string | undefined;
  readonly revoked: boolean;
  /** ISO 8601, UTC */
  readonly revoked_at?: string | undefined;
  /** When the certificate expires */
  readonly expires_at: string;
  readonly expired: boolean;
  /** The key belongs to the control plane and cannot be changed in this tenant */
  readonly inherited: boolean;
}

export interface SigningKeyRotation {
  readonly type?: "jwt_signing" | "saml_encryption" | undefined;
  readonly validity_days?: number | undefined;
  readonly activate_in_days?: number | undefined;
  readonly grace_days?: number | undefined;
}

export interface SigningKeyCertificate {
  readonly type?: "jwt_signing" | "saml_encryption" | undefined;
  readonly validity_days?: number | undefined;
}

export interface Session {
  readonly id: string;
  readonly user_id: string;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
  /** ISO 8601, UTC */
  readonly authenticated_at: string;
  /** ISO 8601, UTC */
  readonly last_interacted_at: string;
  /** ISO 8601, UTC */
  readonly idle_expires_at: string;
  /** ISO 8601, UTC */
  readonly expires_at: string;
  readonly device: Device;
  readonly clients: readonly {
    readonly client_id: string;
  }[];
  readonly authentication: {
    readonly methods: readonly {
      readonly name: string;
      /** ISO 8601, UTC */
      readonly timestamp: string;
    }[];
  };
  /** Left out for a session without a browser */
  readonly cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | undefined;
  readonly session_metadata: { readonly [name: string]: unknown };
}

export interface Device {
  readonly initial_ip?: string | null | undefined;
  readonly initial_user_agent?: string | undefined;
  readonly last_ip?: string | null | undefined;
  readonly last_user_agent?: string | undefined;
}

export interface ClientSession {
  readonly session_id: string;
  readonly client_id: string;
  readonly user_id: string;
  /** The name of the connection that the user signed in with */
  readonly connection: string;
}

export interface UpdateSession {
  readonly session_metadata?: { readonly [name: string]: unknown } | null | undefined;
}

export interface RefreshToken {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly session_id?: string | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
  readonly idle_expires_at: string | null;
  readonly expires_at: string | null;
  readonly last_exchanged_at: string | null;
  /** ISO 8601, UTC */
  readonly revoked_at?: string | undefined;
  readonly device: Device;
  readonly rotating: boolean;
  readonly resource_servers: readonly {
    readonly audience: string;
    readonly scopes: string;
  }[];
  readonly refresh_token_metadata: { readonly [name: string]: unknown };
}

export interface UpdateRefreshToken {
  readonly refresh_token_metadata?: { readonly [name: string]: unknown } | null | undefined;
}

export interface Branding {
  readonly colors?:
    | {
        readonly primary?: string | undefined;
        readonly page_background?:
          | string
          | {
              readonly type: "linear-gradient";
              readonly start: string;
              readonly end: string;
              readonly angle_deg: number;
            }
          | undefined;
      }
    | undefined;
  readonly logo_url?: string | undefined;
  /** A Postern extension: shown instead of `logo_url` on dark pages */
  readonly logo_url_dark?: string | undefined;
  readonly favicon_url?: string | undefined;
  readonly font?:
    | {
        /** The URL of a font file whose server allows requests from other origins (CORS) */
        readonly url?: string | undefined;
      }
    | undefined;
}

export interface UpdateBranding {
  readonly colors?:
    | {
        readonly primary?: string | null | undefined;
        readonly page_background?:
          | string
          | {
              readonly type: "linear-gradient";
              readonly start: string;
              readonly end: string;
              readonly angle_deg: number;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly logo_url?: string | null | undefined;
  readonly logo_url_dark?: string | null | undefined;
  readonly favicon_url?: string | null | undefined;
  readonly font?:
    | {
        readonly url?: string | null | undefined;
      }
    | null
    | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `colors.captcha_widget_theme`, `colors.read_only_background`, `widget.social_buttons_layout`. */
export interface WriteBrandingTheme {
  readonly displayName?: string | undefined;
  readonly borders: {
    readonly button_border_radius: number;
    readonly button_border_weight: number;
    readonly buttons_style: "pill" | "rounded" | "sharp";
    readonly input_border_radius: number;
    readonly input_border_weight: number;
    readonly inputs_style: "pill" | "rounded" | "sharp";
    readonly show_widget_shadow: boolean;
    readonly widget_border_weight: number;
    readonly widget_corner_radius: number;
  };
  readonly colors: {
    readonly base_focus_color?: string | undefined;
    readonly base_hover_color?: string | undefined;
    /** Pages have no captcha */
    readonly captcha_widget_theme?: "auto" | "dark" | "light" | undefined;
    readonly read_only_background?: string | undefined;
    readonly body_text: string;
    readonly error: string;
    readonly header: string;
    readonly icons: string;
    readonly input_background: string;
    readonly input_border: string;
    readonly input_filled_text: string;
    readonly input_labels_placeholders: string;
    readonly links_focused_components: string;
    readonly primary_button: string;
    readonly primary_button_label: string;
    readonly secondary_button_border: string;
    readonly secondary_button_label: string;
    readonly success: string;
    readonly widget_background: string;
    readonly widget_border: string;
  };
  readonly fonts: {
    readonly body_text: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly buttons_text: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly font_url: string;
    readonly input_labels: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly links: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly links_style: "normal" | "underlined";
    /** Pixels. A browser's default text size is 16 */
    readonly reference_text_size: number;
    readonly subtitle: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly title: {
      readonly bold: boolean;
      readonly size: number;
    };
  };
  readonly page_background: {
    readonly background_color: string;
    readonly background_image_url: string;
    readonly page_layout: "center" | "left" | "right";
  };
  readonly widget: {
    readonly header_text_alignment: "center" | "left" | "right";
    readonly logo_height: number;
    readonly logo_position: "center" | "left" | "none" | "right";
    readonly logo_url: string;
    readonly social_buttons_layout: "bottom" | "top";
  };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `colors.captcha_widget_theme`, `colors.read_only_background`, `widget.social_buttons_layout`. */
export interface BrandingTheme {
  readonly themeId: string;
  readonly displayName: string;
  readonly borders: {
    readonly button_border_radius: number;
    readonly button_border_weight: number;
    readonly buttons_style: "pill" | "rounded" | "sharp";
    readonly input_border_radius: number;
    readonly input_border_weight: number;
    readonly inputs_style: "pill" | "rounded" | "sharp";
    readonly show_widget_shadow: boolean;
    readonly widget_border_weight: number;
    readonly widget_corner_radius: number;
  };
  readonly colors: {
    readonly base_focus_color?: string | undefined;
    readonly base_hover_color?: string | undefined;
    /** Pages have no captcha */
    readonly captcha_widget_theme?: "auto" | "dark" | "light" | undefined;
    readonly read_only_background?: string | undefined;
    readonly body_text: string;
    readonly error: string;
    readonly header: string;
    readonly icons: string;
    readonly input_background: string;
    readonly input_border: string;
    readonly input_filled_text: string;
    readonly input_labels_placeholders: string;
    readonly links_focused_components: string;
    readonly primary_button: string;
    readonly primary_button_label: string;
    readonly secondary_button_border: string;
    readonly secondary_button_label: string;
    readonly success: string;
    readonly widget_background: string;
    readonly widget_border: string;
  };
  readonly fonts: {
    readonly body_text: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly buttons_text: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly font_url: string;
    readonly input_labels: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly links: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly links_style: "normal" | "underlined";
    /** Pixels. A browser's default text size is 16 */
    readonly reference_text_size: number;
    readonly subtitle: {
      readonly bold: boolean;
      readonly size: number;
    };
    readonly title: {
      readonly bold: boolean;
      readonly size: number;
    };
  };
  readonly page_background: {
    readonly background_color: string;
    readonly background_image_url: string;
    readonly page_layout: "center" | "left" | "right";
  };
  readonly widget: {
    readonly header_text_alignment: "center" | "left" | "right";
    readonly logo_height: number;
    readonly logo_position: "center" | "left" | "none" | "right";
    readonly logo_url: string;
    readonly social_buttons_layout: "bottom" | "top";
  };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `body`. */
export interface PageTemplate {
  readonly body: string;
}

export interface SetPageTemplate {
  readonly template: string;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `universal_login_experience`, `identifier_first`, `webauthn_platform_first_factor`. */
export interface PromptSettings {
  readonly universal_login_experience: "new" | "classic";
  readonly identifier_first: boolean;
  readonly webauthn_platform_first_factor: boolean;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `universal_login_experience`, `identifier_first`, `webauthn_platform_first_factor`. */
export interface UpdatePromptSettings {
  readonly universal_login_experience?: "new" | "classic" | undefined;
  readonly identifier_first?: boolean | null | undefined;
  readonly webauthn_platform_first_factor?: boolean | null | undefined;
}

/** Texts by screen and by key. Texts that no page uses are stored and returned */
export type CustomTexts = { readonly [name: string]: { readonly [name: string]: string } };

/** HTML snippets by screen and by position. Stored for compatibility with Auth0; has no effect in Postern. */
export type Partials = { readonly [name: string]: { readonly [name: string]: string } };

/** Stored for compatibility with Auth0; has no effect in Postern: `rendering_mode`, `context_configuration`, `default_head_tags_disabled`, `use_page_template`, `head_tags`, `filters`. */
export interface Rendering {
  readonly tenant: string;
  readonly prompt: string;
  readonly screen: string;
  readonly rendering_mode: "advanced" | "standard";
  readonly context_configuration?: readonly string[] | null | undefined;
  readonly default_head_tags_disabled?: boolean | null | undefined;
  readonly use_page_template?: boolean | null | undefined;
  readonly head_tags?: readonly { readonly [name: string]: unknown }[] | null | undefined;
  readonly filters?:
    | {
        readonly match_type?: "includes_any" | "excludes_any" | undefined;
        readonly clients?: readonly { readonly [name: string]: unknown }[] | undefined;
        readonly organizations?: readonly { readonly [name: string]: unknown }[] | undefined;
        readonly domains?: readonly { readonly [name: string]: unknown }[] | undefined;
      }
    | null
    | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `configs.rendering_mode`, `configs.context_configuration`, `configs.default_head_tags_disabled`, `configs.use_page_template`, `configs.head_tags`, `configs.filters`. */
export interface UpdateRenderings {
  readonly configs: readonly {
    readonly prompt: string;
    readonly screen: string;
    readonly rendering_mode?: "advanced" | "standard" | undefined;
    readonly context_configuration?: readonly string[] | null | undefined;
    readonly default_head_tags_disabled?: boolean | null | undefined;
    readonly use_page_template?: boolean | null | undefined;
    readonly head_tags?: readonly { readonly [name: string]: unknown }[] | null | undefined;
    readonly filters?:
      | {
          readonly match_type?: "includes_any" | "excludes_any" | undefined;
          readonly clients?: readonly { readonly [name: string]: unknown }[] | undefined;
          readonly organizations?: readonly { readonly [name: string]: unknown }[] | undefined;
          readonly domains?: readonly { readonly [name: string]: unknown }[] | undefined;
        }
      | null
      | undefined;
  }[];
}

/** Stored for compatibility with Auth0; has no effect in Postern: `rendering_mode`, `context_configuration`, `default_head_tags_disabled`, `use_page_template`, `head_tags`, `filters`. */
export interface UpdateRendering {
  readonly rendering_mode?: "advanced" | "standard" | undefined;
  readonly context_configuration?: readonly string[] | null | undefined;
  readonly default_head_tags_disabled?: boolean | null | undefined;
  readonly use_page_template?: boolean | null | undefined;
  readonly head_tags?: readonly { readonly [name: string]: unknown }[] | null | undefined;
  readonly filters?:
    | {
        readonly match_type?: "includes_any" | "excludes_any" | undefined;
        readonly clients?: readonly { readonly [name: string]: unknown }[] | undefined;
        readonly organizations?: readonly { readonly [name: string]: unknown }[] | undefined;
        readonly domains?: readonly { readonly [name: string]: unknown }[] | undefined;
      }
    | null
    | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `tls_policy`, `custom_client_ip_header`, `relying_party_identifier`, `domain_metadata`. */
export interface CustomDomain {
  readonly custom_domain_id: string;
  readonly domain: string;
  readonly primary: boolean;
  readonly is_default: boolean;
  readonly status: "pending_verification" | "ready" | "failed";
  readonly type: "auth0_managed_certs" | "self_managed_certs";
  readonly verification: {
    readonly methods: readonly {
      readonly name: "txt";
      readonly domain: string;
      readonly record: string;
    }[];
    readonly status: "pending" | "verified";
    readonly error_msg?: string | undefined;
    /** ISO 8601, UTC */
    readonly last_verified_at?: string | undefined;
  };
  readonly tls_policy: "recommended";
  /** The host application sets the trusted proxies (`trustedProxies`) */
  readonly custom_client_ip_header: "true-client-ip" | "cf-connecting-ip" | "x-forwarded-for" | "x-azure-clientip" | "" | null;
  readonly relying_party_identifier?: string | undefined;
  readonly domain_metadata?: { readonly [name: string]: string } | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `tls_policy`, `custom_client_ip_header`, `relying_party_identifier`. */
export interface CreateCustomDomain {
  readonly domain: string;
  readonly type: "auth0_managed_certs" | "self_managed_certs";
  readonly verification_method?: "txt" | undefined;
  readonly tls_policy?: "recommended" | undefined;
  /** The host application sets the trusted proxies (`trustedProxies`) */
  readonly custom_client_ip_header?: "true-client-ip" | "cf-connecting-ip" | "x-forwarded-for" | "x-azure-clientip" | "" | null | undefined;
  readonly relying_party_identifier?: string | null | undefined;
  readonly domain_metadata?: { readonly [name: string]: string | null } | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `tls_policy`, `custom_client_ip_header`, `relying_party_identifier`. */
export interface UpdateCustomDomain {
  readonly tls_policy?: "recommended" | undefined;
  /** The host application sets the trusted proxies (`trustedProxies`) */
  readonly custom_client_ip_header?: "true-client-ip" | "cf-connecting-ip" | "x-forwarded-for" | "x-azure-clientip" | "" | null | undefined;
  readonly relying_party_identifier?: string | null | undefined;
  readonly domain_metadata?: { readonly [name: string]: string | null } | undefined;
}

export interface EmailProvider {
  readonly name: "mailgun" | "mandrill" | "sendgrid" | "resend" | "ses" | "sparkpost" | "smtp" | "azure_cs" | "ms365" | "custom";
  readonly enabled: boolean;
  readonly default_from_address?: string | undefined;
  readonly credentials: {
    readonly api_user?: string | undefined;
    readonly region?: string | undefined;
    readonly smtp_host?: string | undefined;
    readonly smtp_port?: number | undefined;
    readonly smtp_user?: string | undefined;
  };
  readonly settings?: { readonly [name: string]: unknown } | undefined;
}

export interface CreateEmailProvider {
  readonly name: "mailgun" | "mandrill" | "sendgrid" | "resend" | "ses" | "sparkpost" | "smtp" | "azure_cs" | "ms365" | "custom";
  /** `api_user`, `region`, `smtp_host`, `smtp_port` and `smtp_user` are shown; the others are sealed and never shown */
  readonly credentials: {
    readonly api_user?: string | undefined;
    readonly region?: string | undefined;
    readonly smtp_host?: string | undefined;
    readonly smtp_port?: number | undefined;
    readonly smtp_user?: string | undefined;
    readonly api_key?: string | undefined;
    readonly accessKeyId?: string | undefined;
    readonly secretAccessKey?: string | undefined;
    readonly smtp_pass?: string | undefined;
    readonly domain?: string | undefined;
    readonly connectionString?: string | undefined;
    readonly tenantId?: string | undefined;
    readonly clientId?: string | undefined;
    readonly clientSecret?: string | undefined;
  };
  /** Default: `true` */
  readonly enabled?: boolean | undefined;
  /** The sender of mails whose template does not set one */
  readonly default_from_address?: string | undefined;
  /** Further settings for the host application, passed to its email sender unchanged */
  readonly settings?: { readonly [name: string]: unknown } | null | undefined;
}

export interface UpdateEmailProvider {
  readonly name?:
    | "mailgun"
    | "mandrill"
    | "sendgrid"
    | "resend"
    | "ses"
    | "sparkpost"
    | "smtp"
    | "azure_cs"
    | "ms365"
    | "custom"
    | undefined;
  /** `api_user`, `region`, `smtp_host`, `smtp_port` and `smtp_user` are shown; the others are sealed and never shown */
  readonly credentials?:
    | {
        readonly api_user?: string | undefined;
        readonly region?: string | undefined;
        readonly smtp_host?: string | undefined;
        readonly smtp_port?: number | undefined;
        readonly smtp_user?: string | undefined;
        readonly api_key?: string | undefined;
        readonly accessKeyId?: string | undefined;
        readonly secretAccessKey?: string | undefined;
        readonly smtp_pass?: string | undefined;
        readonly domain?: string | undefined;
        readonly connectionString?: string | undefined;
        readonly tenantId?: string | undefined;
        readonly clientId?: string | undefined;
        readonly clientSecret?: string | undefined;
      }
    | undefined;
  readonly enabled?: boolean | undefined;
  /** The sender of mails whose template does not set one */
  readonly default_from_address?: string | undefined;
  /** Further settings for the host application, passed to its email sender unchanged */
  readonly settings?: { readonly [name: string]: unknown } | null | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `resultUrl`, `urlLifetimeInSeconds`, `includeEmailInRedirect`. */
export interface SetEmailTemplate {
  readonly template:
    | "verify_email"
    | "verify_email_by_code"
    | "auth_email_by_code"
    | "reset_email"
    | "reset_email_by_code"
    | "welcome_email"
    | "blocked_account"
    | "stolen_credentials"
    | "enrollment_email"
    | "mfa_oob_code"
    | "user_invitation"
    | "change_password"
    | "password_reset"
    | "async_approval";
  /** HTML as a Liquid template. Values are escaped unless they use the filter `raw` */
  readonly body: string | null;
  /** A Liquid template */
  readonly subject: string | null;
  /** The sender, as a Liquid template. If empty, the provider's `default_from_address` is used */
  readonly from: string | null;
  readonly syntax: "liquid" | null;
  /** If `false`, the built-in mail is sent instead, and `blocked_account` is not sent. `welcome_email` is sent only if `true` */
  readonly enabled: boolean | null;
  readonly resultUrl?: string | null | undefined;
  readonly urlLifetimeInSeconds?: number | null | undefined;
  readonly includeEmailInRedirect?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `resultUrl`, `urlLifetimeInSeconds`, `includeEmailInRedirect`. */
export interface EmailTemplate {
  readonly template:
    | "verify_email"
    | "verify_email_by_code"
    | "auth_email_by_code"
    | "reset_email"
    | "reset_email_by_code"
    | "welcome_email"
    | "blocked_account"
    | "stolen_credentials"
    | "enrollment_email"
    | "mfa_oob_code"
    | "user_invitation"
    | "change_password"
    | "password_reset"
    | "async_approval";
  /** HTML as a Liquid template. Values are escaped unless they use the filter `raw` */
  readonly body: string | null;
  /** A Liquid template */
  readonly subject: string | null;
  /** The sender, as a Liquid template. If empty, the provider's `default_from_address` is used */
  readonly from: string | null;
  readonly syntax: "liquid" | null;
  /** If `false`, the built-in mail is sent instead, and `blocked_account` is not sent. `welcome_email` is sent only if `true` */
  readonly enabled: boolean | null;
  readonly resultUrl?: string | null | undefined;
  readonly urlLifetimeInSeconds?: number | null | undefined;
  readonly includeEmailInRedirect?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `resultUrl`, `urlLifetimeInSeconds`, `includeEmailInRedirect`. */
export interface UpdateEmailTemplate {
  readonly template?:
    | "verify_email"
    | "verify_email_by_code"
    | "auth_email_by_code"
    | "reset_email"
    | "reset_email_by_code"
    | "welcome_email"
    | "blocked_account"
    | "stolen_credentials"
    | "enrollment_email"
    | "mfa_oob_code"
    | "user_invitation"
    | "change_password"
    | "password_reset"
    | "async_approval"
    | undefined;
  /** HTML as a Liquid template. Values are escaped unless they use the filter `raw` */
  readonly body?: string | null | undefined;
  /** A Liquid template */
  readonly subject?: string | null | undefined;
  /** The sender, as a Liquid template. If empty, the provider's `default_from_address` is used */
  readonly from?: string | null | undefined;
  readonly syntax?: "liquid" | null | undefined;
  /** If `false`, the built-in mail is sent instead, and `blocked_account` is not sent. `welcome_email` is sent only if `true` */
  readonly enabled?: boolean | null | undefined;
  readonly resultUrl?: string | null | undefined;
  readonly urlLifetimeInSeconds?: number | null | undefined;
  readonly includeEmailInRedirect?: boolean | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `mode`. */
export interface BruteForceProtection {
  readonly enabled: boolean;
  /** Without `block`, attempts are neither counted nor rejected */
  readonly shields: readonly ("block" | "user_notification")[];
  readonly allowlist: readonly string[];
  /** Failures are counted per account, from any IP address, in both modes */
  readonly mode: "count_per_identifier_and_ip" | "count_per_identifier";
  readonly max_attempts: number;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `mode`. */
export interface UpdateBruteForceProtection {
  readonly enabled?: boolean | undefined;
  /** Without `block`, attempts are neither counted nor rejected */
  readonly shields?: readonly ("block" | "user_notification")[] | undefined;
  readonly allowlist?: readonly string[] | undefined;
  /** Failures are counted per account, from any IP address, in both modes */
  readonly mode?: "count_per_identifier_and_ip" | "count_per_identifier" | undefined;
  readonly max_attempts?: number | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `stage`. */
export interface SuspiciousIpThrottling {
  readonly enabled: boolean;
  /** Without `block`, attempts are neither counted nor rejected */
  readonly shields: readonly ("block" | "admin_notification")[];
  readonly allowlist: readonly string[];
  /** The rate-limit adapter has its own thresholds. `rate` is in milliseconds per attempt */
  readonly stage: {
    readonly "pre-login": {
      readonly max_attempts: number;
      readonly rate: number;
    };
    readonly "pre-user-registration": {
      readonly max_attempts: number;
      readonly rate: number;
    };
    readonly "pre-custom-token-exchange": {
      readonly max_attempts: number;
      readonly rate: number;
    };
  };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `stage`. */
export interface UpdateSuspiciousIpThrottling {
  readonly enabled?: boolean | undefined;
  /** Without `block`, attempts are neither counted nor rejected */
  readonly shields?: readonly ("block" | "admin_notification")[] | undefined;
  readonly allowlist?: readonly string[] | undefined;
  /** The rate-limit adapter has its own thresholds. `rate` is in milliseconds per attempt */
  readonly stage?:
    | {
        readonly "pre-login"?:
          | {
              readonly max_attempts: number;
              readonly rate: number;
            }
          | undefined;
        readonly "pre-user-registration"?:
          | {
              readonly max_attempts: number;
              readonly rate: number;
            }
          | undefined;
        readonly "pre-custom-token-exchange"?:
          | {
              readonly max_attempts: number;
              readonly rate: number;
            }
          | undefined;
      }
    | undefined;
}

export interface CreateVerificationTicket {
  /** The URL that the user is sent to afterwards */
  readonly result_url?: string | undefined;
  /** The client whose login URI the user is sent to without a `result_url` */
  readonly client_id?: string | undefined;
  /** The organization whose branding the page has */
  readonly organization_id?: string | undefined;
  /** Seconds. Default, and meaning of 0: five days */
  readonly ttl_sec?: number | undefined;
  /** Whether `result_url` receives the email address Default: `false` */
  readonly includeEmailInRedirect?: boolean | undefined;
  readonly identity?:
    | {
        readonly user_id: string;
        readonly provider: string;
        readonly connection_id?: string | undefined;
      }
    | undefined;
  readonly user_id: string;
}

export interface Ticket {
  readonly ticket: string;
}

export interface CreatePasswordTicket {
  /** The URL that the user is sent to afterwards */
  readonly result_url?: string | undefined;
  /** The client whose login URI the user is sent to without a `result_url` */
  readonly client_id?: string | undefined;
  /** The organization whose branding the page has */
  readonly organization_id?: string | undefined;
  /** Seconds. Default, and meaning of 0: five days */
  readonly ttl_sec?: number | undefined;
  /** Whether `result_url` receives the email address Default: `false` */
  readonly includeEmailInRedirect?: boolean | undefined;
  readonly identity?:
    | {
        readonly user_id: string;
        readonly provider: string;
        readonly connection_id?: string | undefined;
      }
    | undefined;
  readonly user_id?: string | undefined;
  readonly email?: string | undefined;
  /** Required with `email`: the database that the account belongs to */
  readonly connection_id?: string | undefined;
  /** Whether setting the password verifies the email address Default: `false` */
  readonly mark_email_as_verified?: boolean | undefined;
}

export interface CreateVerificationJob {
  readonly user_id: string;
  /** The client that the mail names */
  readonly client_id?: string | undefined;
  /** The organization whose branding the mail and the page have */
  readonly organization_id?: string | undefined;
  readonly identity?:
    | {
        readonly user_id: string;
        readonly provider: string;
        readonly connection_id?: string | undefined;
      }
    | undefined;
}

export interface Job {
  readonly id: string;
  readonly type: "verification_email" | "users_import" | "users_export";
  /** A job is completed when the response is sent. The log says whether a mail was sent. `GET /jobs/{id}/errors` returns the users that were not imported */
  readonly status: "completed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  readonly connection_id?: string | undefined;
  readonly external_id?: string | undefined;
  readonly format?: "json" | "csv" | undefined;
  readonly limit?: number | undefined;
  readonly fields?:
    | readonly {
        readonly name: string;
        readonly export_as?: string | undefined;
      }[]
    | undefined;
  readonly summary?:
    | {
        readonly total: number;
        readonly inserted: number;
        readonly updated: number;
        readonly failed: number;
        readonly ignored?: number | undefined;
      }
    | undefined;
  /** The URL of the export. It expires after a day and needs no further credentials */
  readonly location?: string | undefined;
  readonly percentage_done?: number | undefined;
}

export interface CreateImportJob {
  /** A JSON file with a list of `ImportedUser` */
  readonly users: readonly unknown[];
  readonly connection_id: string;
  /** Whether existing users are updated. Default false: they are reported as errors */
  readonly upsert?: boolean | "true" | "false" | undefined;
  /** Returned with the job */
  readonly external_id?: string | undefined;
  /** Accepted for compatibility with Auth0's tools. No mail is sent: the job is completed when the response is sent */
  readonly send_completion_email?: boolean | "true" | "false" | undefined;
}

export interface CreateExportJob {
  /** Default: users of every connection */
  readonly connection_id?: string | undefined;
  /** `json`: one user per line. Default `csv` */
  readonly format?: "json" | "csv" | undefined;
  /** Maximum number of users. Default: all */
  readonly limit?: number | undefined;
  /** Default: the whole user for `json`, a list of common fields for `csv` */
  readonly fields?:
    | readonly {
        readonly name: string;
        readonly export_as?: string | undefined;
      }[]
    | undefined;
}

export type ImportErrors = readonly {
  readonly user: { readonly [name: string]: unknown };
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly path?: string | undefined;
  }[];
}[];

/** Stored for compatibility with Auth0; has no effect in Postern: `isPriority`. */
export interface LogStream {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** `suspended`: deliveries failed for half a day. Set it to `active` to resume */
  readonly status: "active" | "paused" | "suspended";
  readonly isPriority: boolean;
  readonly filters: readonly {
    readonly type: "category";
    readonly name:
      | "auth.login.fail"
      | "auth.login.notification"
      | "auth.login.success"
      | "auth.logout.fail"
      | "auth.logout.success"
      | "auth.signup.fail"
      | "auth.signup.success"
      | "auth.silent_auth.fail"
      | "auth.silent_auth.success"
      | "auth.token_exchange.fail"
      | "auth.token_exchange.success"
      | "management.fail"
      | "management.success"
      | "scim.event"
      | "system.notification"
      | "user.fail"
      | "user.notification"
      | "user.success"
      | "actions"
      | "other";
  }[];
  /** Without its secrets */
  readonly sink: { readonly [name: string]: unknown };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `isPriority`. */
export type CreateLogStream =
  | {
      readonly type: "http";
      readonly sink: {
        /** Must be an https URL, except for addresses that `network.allowedPrivateAddresses` allows */
        readonly httpEndpoint: string;
        readonly httpContentType?: string | undefined;
        /** Default `JSONARRAY`. `JSONOBJECT` sends one request per event */
        readonly httpContentFormat?: "JSONARRAY" | "JSONLINES" | "JSONOBJECT" | undefined;
        /** The header `Authorization`. Never returned */
        readonly httpAuthorization?: string | undefined;
        /** Further headers. Their values are never returned */
        readonly httpCustomHeaders?:
          | readonly {
              readonly header: string;
              /** If an update omits the value, the stored value is used */
              readonly value?: string | undefined;
            }[]
          | undefined;
      };
      readonly status?: "active" | "paused" | "suspended" | undefined;
      readonly name?: string | undefined;
      /** The categories of events that are delivered. Default: all */
      readonly filters?:
        | readonly {
            readonly type: "category";
            readonly name:
              | "auth.login.fail"
              | "auth.login.notification"
              | "auth.login.success"
              | "auth.logout.fail"
              | "auth.logout.success"
              | "auth.signup.fail"
              | "auth.signup.success"
              | "auth.silent_auth.fail"
              | "auth.silent_auth.success"
              | "auth.token_exchange.fail"
              | "auth.token_exchange.success"
              | "management.fail"
              | "management.success"
              | "scim.event"
              | "system.notification"
              | "user.fail"
              | "user.notification"
              | "user.success"
              | "actions"
              | "other";
          }[]
        | undefined;
      readonly isPriority?: boolean | undefined;
      /** The time of the first event that is delivered. Default: now */
      readonly startFrom?: string | undefined;
      readonly delivered_until?: string | undefined;
      readonly failures?: number | undefined;
      readonly last_error?: string | undefined;
    }
  | {
      readonly status?: "active" | "paused" | "suspended" | undefined;
      /** A type of sink that this installation has */
      readonly type: string;
      readonly sink: { readonly [name: string]: string | number | boolean };
      readonly name?: string | undefined;
      /** The categories of events that are delivered. Default: all */
      readonly filters?:
        | readonly {
            readonly type: "category";
            readonly name:
              | "auth.login.fail"
              | "auth.login.notification"
              | "auth.login.success"
              | "auth.logout.fail"
              | "auth.logout.success"
              | "auth.signup.fail"
              | "auth.signup.success"
              | "auth.silent_auth.fail"
              | "auth.silent_auth.success"
              | "auth.token_exchange.fail"
              | "auth.token_exchange.success"
              | "management.fail"
              | "management.success"
              | "scim.event"
              | "system.notification"
              | "user.fail"
              | "user.notification"
              | "user.success"
              | "actions"
              | "other";
          }[]
        | undefined;
      readonly isPriority?: boolean | undefined;
      /** The time of the first event that is delivered. Default: now */
      readonly startFrom?: string | undefined;
      readonly delivered_until?: string | undefined;
      readonly failures?: number | undefined;
      readonly last_error?: string | undefined;
    };

/** Stored for compatibility with Auth0; has no effect in Postern: `isPriority`. */
export interface LogStreamState {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** `suspended`: deliveries failed for half a day. Set it to `active` to resume */
  readonly status: "active" | "paused" | "suspended";
  readonly isPriority: boolean;
  readonly filters: readonly {
    readonly type: "category";
    readonly name:
      | "auth.login.fail"
      | "auth.login.notification"
      | "auth.login.success"
      | "auth.logout.fail"
      | "auth.logout.success"
      | "auth.signup.fail"
      | "auth.signup.success"
      | "auth.silent_auth.fail"
      | "auth.silent_auth.success"
      | "auth.token_exchange.fail"
      | "auth.token_exchange.success"
      | "management.fail"
      | "management.success"
      | "scim.event"
      | "system.notification"
      | "user.fail"
      | "user.notification"
      | "user.success"
      | "actions"
      | "other";
  }[];
  /** Without its secrets */
  readonly sink: { readonly [name: string]: unknown };
  /** Events up to this time are delivered */
  readonly delivered_until: string;
  /** Failed deliveries since the last successful one */
  readonly failures: number;
  /** Why the last delivery failed */
  readonly last_error?: string | undefined;
  /** The key that signs deliveries (Standard Webhooks). Returned only when an `http` stream is created */
  readonly signing_secret?: string | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `isPriority`. */
export interface UpdateLogStream {
  readonly name?: string | undefined;
  /** `active` resumes delivery where it stopped */
  readonly status?: "active" | "paused" | "suspended" | undefined;
  /** Replaces the whole sink, except for omitted secrets. A change of `httpEndpoint`, or of any setting of a sink of another type, must contain the secrets */
  readonly sink?:
    | {
        /** Must be an https URL, except for addresses that `network.allowedPrivateAddresses` allows */
        readonly httpEndpoint: string;
        readonly httpContentType?: string | undefined;
        /** Default `JSONARRAY`. `JSONOBJECT` sends one request per event */
        readonly httpContentFormat?: "JSONARRAY" | "JSONLINES" | "JSONOBJECT" | undefined;
        /** The header `Authorization`. Never returned */
        readonly httpAuthorization?: string | undefined;
        /** Further headers. Their values are never returned */
        readonly httpCustomHeaders?:
          | readonly {
              readonly header: string;
              /** If an update omits the value, the stored value is used */
              readonly value?: string | undefined;
            }[]
          | undefined;
      }
    | { readonly [name: string]: string | number | boolean }
    | undefined;
  /** The categories of events that are delivered. Default: all */
  readonly filters?:
    | readonly {
        readonly type: "category";
        readonly name:
          | "auth.login.fail"
          | "auth.login.notification"
          | "auth.login.success"
          | "auth.logout.fail"
          | "auth.logout.success"
          | "auth.signup.fail"
          | "auth.signup.success"
          | "auth.silent_auth.fail"
          | "auth.silent_auth.success"
          | "auth.token_exchange.fail"
          | "auth.token_exchange.success"
          | "management.fail"
          | "management.success"
          | "scim.event"
          | "system.notification"
          | "user.fail"
          | "user.notification"
          | "user.success"
          | "actions"
          | "other";
      }[]
    | undefined;
  readonly isPriority?: boolean | undefined;
  readonly delivered_until?: string | undefined;
  readonly failures?: number | undefined;
  readonly last_error?: string | undefined;
  /** Delivery continues at this time. An earlier time delivers events again; a later time skips events */
  readonly startFrom?: string | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `shields`, `admin_notification_frequency`, `method`. */
export interface BreachedPasswordDetection {
  /** Requires the option `breachedPasswords` of the installation */
  readonly enabled: boolean;
  /** Passwords are checked when they are set, as `stage` says, and not at sign-in. `block` is not allowed */
  readonly shields: readonly ("user_notification" | "admin_notification")[];
  readonly admin_notification_frequency: readonly ("immediately" | "daily" | "weekly" | "monthly")[];
  readonly method: "standard" | "enhanced";
  /** When passwords are checked: at the creation of an account, and at a change of its password */
  readonly stage: {
    /** Without `block` in `shields`, passwords are not checked */
    readonly "pre-user-registration": {
      readonly shields: readonly ("block" | "admin_notification")[];
    };
    /** Without `block` in `shields`, passwords are not checked */
    readonly "pre-change-password": {
      readonly shields: readonly ("block" | "admin_notification")[];
    };
  };
}

/** Stored for compatibility with Auth0; has no effect in Postern: `shields`, `admin_notification_frequency`, `method`. */
export interface UpdateBreachedPasswordDetection {
  /** Requires the option `breachedPasswords` of the installation */
  readonly enabled?: boolean | undefined;
  /** Passwords are checked when they are set, as `stage` says, and not at sign-in. `block` is not allowed */
  readonly shields?: readonly ("user_notification" | "admin_notification")[] | undefined;
  readonly admin_notification_frequency?: readonly ("immediately" | "daily" | "weekly" | "monthly")[] | undefined;
  readonly method?: "standard" | "enhanced" | undefined;
  /** When passwords are checked: at the creation of an account, and at a change of its password */
  readonly stage?:
    | {
        /** Without `block` in `shields`, passwords are not checked */
        readonly "pre-user-registration"?:
          | {
              readonly shields: readonly ("block" | "admin_notification")[];
            }
          | undefined;
        /** Without `block` in `shields`, passwords are not checked */
        readonly "pre-change-password"?:
          | {
              readonly shields: readonly ("block" | "admin_notification")[];
            }
          | undefined;
      }
    | undefined;
}

export interface TenantList {
  readonly tenants: readonly Tenant[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `flags.change_pwd_flow_v1`, `flags.custom_domains_provisioning`, `flags.disable_impersonation`, `flags.disable_management_api_sms_obfuscation`, `flags.enable_apis_section`, `flags.enable_dynamic_client_registration`, `flags.enable_pipeline2`, `flags.trust_azure_adfs_email_verified_connection_property`, `picture_url`, `sandbox_version`, `legacy_sandbox_version`, `resource_parameter_profile`, `client_id_metadata_document_supported`, `phone_consolidated_experience`, `enable_ai_guide`, `include_session_metadata_in_tenant_logs`, `dynamic_client_registration_security_mode`, `universal_login`, `change_password`, `guardian_mfa_page`, `error_page`, `device_flow`, `security_headers`, `sessions`, `customize_mfa_in_postlogin_action`, `acr_values_supported`, `mtls`, `pushed_authorization_requests_supported`, `authorization_response_iss_parameter_supported`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `country_codes`. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly friendly_name: string;
  readonly session_lifetime: number;
  readonly idle_session_lifetime: number;
  readonly ephemeral_session_lifetime: number;
  readonly idle_ephemeral_session_lifetime: number;
  readonly flags?:
    | ({
        readonly require_pushed_authorization_requests?: false | undefined;
        readonly enable_client_connections?: boolean | undefined;
        readonly enforce_client_authentication_on_passwordless_start?: boolean | undefined;
        readonly change_pwd_flow_v1?: boolean | undefined;
        readonly custom_domains_provisioning?: boolean | undefined;
        readonly disable_impersonation?: boolean | undefined;
        readonly disable_management_api_sms_obfuscation?: boolean | undefined;
        readonly enable_apis_section?: boolean | undefined;
        readonly enable_dynamic_client_registration?: boolean | undefined;
        readonly enable_pipeline2?: boolean | undefined;
        readonly trust_azure_adfs_email_verified_connection_property?: boolean | undefined;
      } & { readonly [name: string]: boolean })
    | undefined;
  readonly picture_url?: string | undefined;
  readonly sandbox_version?: string | undefined;
  readonly legacy_sandbox_version?: string | undefined;
  readonly resource_parameter_profile?: "audience" | "compatibility" | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  readonly phone_consolidated_experience?: boolean | undefined;
  readonly enable_ai_guide?: boolean | undefined;
  readonly include_session_metadata_in_tenant_logs?: boolean | undefined;
  readonly dynamic_client_registration_security_mode?: "strict" | "permissive" | undefined;
  readonly universal_login?: { readonly [name: string]: unknown } | undefined;
  readonly change_password?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | undefined;
  readonly guardian_mfa_page?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | undefined;
  readonly error_page?:
    | {
        readonly html?: string | undefined;
        readonly show_log_link?: boolean | undefined;
        readonly url?: string | undefined;
      }
    | undefined;
  readonly device_flow?:
    | {
        readonly charset?: "base20" | "digits" | undefined;
        readonly mask?: string | undefined;
      }
    | undefined;
  readonly security_headers?:
    | {
        readonly content_security_policy?:
          | {
              readonly enabled?: boolean | undefined;
              readonly policies?:
                | readonly {
                    readonly mode?: string | undefined;
                    readonly directives?: { readonly [name: string]: unknown } | undefined;
                    readonly flags?: { readonly [name: string]: unknown } | readonly string[] | undefined;
                    readonly reporting?: { readonly [name: string]: unknown } | undefined;
                  }[]
                | undefined;
              readonly reporting_infrastructure?:
                | {
                    readonly report_to?: __schema0 | undefined;
                    readonly reporting_endpoints?: __schema1 | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
        readonly x_xss_protection?:
          | {
              readonly enabled?: boolean | undefined;
              readonly mode?: "block" | undefined;
              readonly report_uri?: string | undefined;
            }
          | null
          | undefined;
      }
    | undefined;
  readonly sessions?:
    | {
        readonly oidc_logout_prompt_enabled?: boolean | undefined;
      }
    | undefined;
  readonly customize_mfa_in_postlogin_action?: boolean | undefined;
  readonly acr_values_supported?: readonly string[] | undefined;
  readonly mtls?:
    | {
        readonly enable_endpoint_aliases?: boolean | undefined;
      }
    | undefined;
  readonly pushed_authorization_requests_supported?: boolean | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | undefined;
  readonly country_codes?:
    | {
        readonly list?: readonly string[] | undefined;
        readonly mode?: "allow" | "deny" | undefined;
      }
    | undefined;
  readonly default_audience?: string | undefined;
  readonly default_directory?: string | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly default_redirection_uri?: string | undefined;
  readonly support_url?: string | undefined;
  readonly support_email?: string | undefined;
  readonly enabled_locales?: readonly string[] | undefined;
  readonly form_of_address?: "formal" | "familiar" | undefined;
  readonly new_device_notification?: boolean | undefined;
  readonly oidc_logout?:
    | {
        readonly rp_logout_end_session_endpoint_discovery?: boolean | undefined;
      }
    | undefined;
  readonly session_cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | undefined;
  readonly allow_organization_name_in_authentication_api?: boolean | undefined;
  readonly default_token_quota?:
    | {
        readonly clients?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
        readonly organizations?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
      }
    | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `flags.change_pwd_flow_v1`, `flags.custom_domains_provisioning`, `flags.disable_impersonation`, `flags.disable_management_api_sms_obfuscation`, `flags.enable_apis_section`, `flags.enable_dynamic_client_registration`, `flags.enable_pipeline2`, `flags.trust_azure_adfs_email_verified_connection_property`, `picture_url`, `sandbox_version`, `legacy_sandbox_version`, `resource_parameter_profile`, `client_id_metadata_document_supported`, `phone_consolidated_experience`, `enable_ai_guide`, `include_session_metadata_in_tenant_logs`, `dynamic_client_registration_security_mode`, `universal_login`, `change_password`, `guardian_mfa_page`, `error_page`, `device_flow`, `security_headers`, `sessions`, `customize_mfa_in_postlogin_action`, `acr_values_supported`, `mtls`, `pushed_authorization_requests_supported`, `authorization_response_iss_parameter_supported`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `country_codes`. */
export interface CreateTenant {
  readonly id: string;
  readonly name: string;
  readonly friendly_name?: string | undefined;
  readonly default_audience?: string | undefined;
  readonly default_directory?: string | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly default_redirection_uri?: string | undefined;
  readonly support_url?: string | undefined;
  readonly support_email?: string | undefined;
  readonly enabled_locales?: readonly string[] | undefined;
  readonly form_of_address?: "formal" | "familiar" | undefined;
  readonly new_device_notification?: boolean | undefined;
  readonly oidc_logout?:
    | {
        readonly rp_logout_end_session_endpoint_discovery?: boolean | undefined;
      }
    | undefined;
  readonly flags?:
    | ({
        readonly require_pushed_authorization_requests?: false | undefined;
        readonly enable_client_connections?: boolean | undefined;
        readonly enforce_client_authentication_on_passwordless_start?: boolean | undefined;
        readonly change_pwd_flow_v1?: boolean | undefined;
        readonly custom_domains_provisioning?: boolean | undefined;
        readonly disable_impersonation?: boolean | undefined;
        readonly disable_management_api_sms_obfuscation?: boolean | undefined;
        readonly enable_apis_section?: boolean | undefined;
        readonly enable_dynamic_client_registration?: boolean | undefined;
        readonly enable_pipeline2?: boolean | undefined;
        readonly trust_azure_adfs_email_verified_connection_property?: boolean | undefined;
      } & { readonly [name: string]: boolean })
    | undefined;
  readonly picture_url?: string | undefined;
  readonly sandbox_version?: string | undefined;
  readonly legacy_sandbox_version?: string | undefined;
  readonly resource_parameter_profile?: "audience" | "compatibility" | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  readonly phone_consolidated_experience?: boolean | undefined;
  readonly enable_ai_guide?: boolean | undefined;
  readonly include_session_metadata_in_tenant_logs?: boolean | undefined;
  readonly dynamic_client_registration_security_mode?: "strict" | "permissive" | undefined;
  readonly universal_login?: { readonly [name: string]: unknown } | undefined;
  readonly session_cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | null
    | undefined;
  readonly allow_organization_name_in_authentication_api?: boolean | null | undefined;
  readonly default_token_quota?:
    | {
        readonly clients?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
        readonly organizations?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
      }
    | null
    | undefined;
  readonly change_password?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly guardian_mfa_page?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly error_page?:
    | {
        readonly html?: string | undefined;
        readonly show_log_link?: boolean | undefined;
        readonly url?: string | undefined;
      }
    | null
    | undefined;
  readonly device_flow?:
    | {
        readonly charset?: "base20" | "digits" | undefined;
        readonly mask?: string | undefined;
      }
    | null
    | undefined;
  readonly security_headers?:
    | {
        readonly content_security_policy?:
          | {
              readonly enabled?: boolean | undefined;
              readonly policies?:
                | readonly {
                    readonly mode?: string | undefined;
                    readonly directives?: { readonly [name: string]: unknown } | undefined;
                    readonly flags?: { readonly [name: string]: unknown } | readonly string[] | undefined;
                    readonly reporting?: { readonly [name: string]: unknown } | undefined;
                  }[]
                | undefined;
              readonly reporting_infrastructure?:
                | {
                    readonly report_to?: __schema0 | undefined;
                    readonly reporting_endpoints?: __schema1 | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
        readonly x_xss_protection?:
          | {
              readonly enabled?: boolean | undefined;
              readonly mode?: "block" | undefined;
              readonly report_uri?: string | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly sessions?:
    | {
        readonly oidc_logout_prompt_enabled?: boolean | undefined;
      }
    | null
    | undefined;
  readonly customize_mfa_in_postlogin_action?: boolean | null | undefined;
  readonly acr_values_supported?: readonly string[] | null | undefined;
  readonly mtls?:
    | {
        readonly enable_endpoint_aliases?: boolean | undefined;
      }
    | null
    | undefined;
  readonly pushed_authorization_requests_supported?: boolean | null | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | null | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | null | undefined;
  readonly country_codes?:
    | {
        readonly list?: readonly string[] | undefined;
        readonly mode?: "allow" | "deny" | undefined;
      }
    | null
    | undefined;
  readonly session_lifetime?: number | undefined;
  readonly idle_session_lifetime?: number | undefined;
  readonly ephemeral_session_lifetime?: number | undefined;
  readonly idle_ephemeral_session_lifetime?: number | undefined;
  readonly session_lifetime_in_minutes?: number | undefined;
  readonly idle_session_lifetime_in_minutes?: number | undefined;
  readonly ephemeral_session_lifetime_in_minutes?: number | undefined;
  readonly idle_ephemeral_session_lifetime_in_minutes?: number | undefined;
}

/** Stored for compatibility with Auth0; has no effect in Postern: `flags.change_pwd_flow_v1`, `flags.custom_domains_provisioning`, `flags.disable_impersonation`, `flags.disable_management_api_sms_obfuscation`, `flags.enable_apis_section`, `flags.enable_dynamic_client_registration`, `flags.enable_pipeline2`, `flags.trust_azure_adfs_email_verified_connection_property`, `picture_url`, `sandbox_version`, `legacy_sandbox_version`, `resource_parameter_profile`, `client_id_metadata_document_supported`, `phone_consolidated_experience`, `enable_ai_guide`, `include_session_metadata_in_tenant_logs`, `dynamic_client_registration_security_mode`, `universal_login`, `change_password`, `guardian_mfa_page`, `error_page`, `device_flow`, `security_headers`, `sessions`, `customize_mfa_in_postlogin_action`, `acr_values_supported`, `mtls`, `pushed_authorization_requests_supported`, `authorization_response_iss_parameter_supported`, `skip_non_verifiable_callback_uri_confirmation_prompt`, `country_codes`. */
export interface UpdateTenant {
  readonly name?: string | undefined;
  readonly friendly_name?: string | undefined;
  readonly default_audience?: string | undefined;
  readonly default_directory?: string | undefined;
  readonly allowed_logout_urls?: readonly string[] | undefined;
  readonly default_redirection_uri?: string | undefined;
  readonly support_url?: string | undefined;
  readonly support_email?: string | undefined;
  readonly enabled_locales?: readonly string[] | undefined;
  readonly form_of_address?: "formal" | "familiar" | undefined;
  readonly new_device_notification?: boolean | undefined;
  readonly oidc_logout?:
    | {
        readonly rp_logout_end_session_endpoint_discovery?: boolean | undefined;
      }
    | undefined;
  readonly flags?:
    | ({
        readonly require_pushed_authorization_requests?: false | undefined;
        readonly enable_client_connections?: boolean | undefined;
        readonly enforce_client_authentication_on_passwordless_start?: boolean | undefined;
        readonly change_pwd_flow_v1?: boolean | undefined;
        readonly custom_domains_provisioning?: boolean | undefined;
        readonly disable_impersonation?: boolean | undefined;
        readonly disable_management_api_sms_obfuscation?: boolean | undefined;
        readonly enable_apis_section?: boolean | undefined;
        readonly enable_dynamic_client_registration?: boolean | undefined;
        readonly enable_pipeline2?: boolean | undefined;
        readonly trust_azure_adfs_email_verified_connection_property?: boolean | undefined;
      } & { readonly [name: string]: boolean })
    | undefined;
  readonly picture_url?: string | undefined;
  readonly sandbox_version?: string | undefined;
  readonly legacy_sandbox_version?: string | undefined;
  readonly resource_parameter_profile?: "audience" | "compatibility" | undefined;
  readonly client_id_metadata_document_supported?: boolean | undefined;
  readonly phone_consolidated_experience?: boolean | undefined;
  readonly enable_ai_guide?: boolean | undefined;
  readonly include_session_metadata_in_tenant_logs?: boolean | undefined;
  readonly dynamic_client_registration_security_mode?: "strict" | "permissive" | undefined;
  readonly universal_login?: { readonly [name: string]: unknown } | undefined;
  readonly session_cookie?:
    | {
        readonly mode: "persistent" | "non-persistent";
      }
    | null
    | undefined;
  readonly allow_organization_name_in_authentication_api?: boolean | null | undefined;
  readonly default_token_quota?:
    | {
        readonly clients?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
        readonly organizations?:
          | {
              readonly client_credentials: {
                readonly enforce?: boolean | undefined;
                readonly per_day?: number | undefined;
                readonly per_hour?: number | undefined;
              };
            }
          | undefined;
      }
    | null
    | undefined;
  readonly change_password?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly guardian_mfa_page?:
    | {
        readonly enabled?: boolean | undefined;
        readonly html?: string | undefined;
      }
    | null
    | undefined;
  readonly error_page?:
    | {
        readonly html?: string | undefined;
        readonly show_log_link?: boolean | undefined;
        readonly url?: string | undefined;
      }
    | null
    | undefined;
  readonly device_flow?:
    | {
        readonly charset?: "base20" | "digits" | undefined;
        readonly mask?: string | undefined;
      }
    | null
    | undefined;
  readonly security_headers?:
    | {
        readonly content_security_policy?:
          | {
              readonly enabled?: boolean | undefined;
              readonly policies?:
                | readonly {
                    readonly mode?: string | undefined;
                    readonly directives?: { readonly [name: string]: unknown } | undefined;
                    readonly flags?: { readonly [name: string]: unknown } | readonly string[] | undefined;
                    readonly reporting?: { readonly [name: string]: unknown } | undefined;
                  }[]
                | undefined;
              readonly reporting_infrastructure?:
                | {
                    readonly report_to?: __schema0 | undefined;
                    readonly reporting_endpoints?: __schema1 | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
        readonly x_xss_protection?:
          | {
              readonly enabled?: boolean | undefined;
              readonly mode?: "block" | undefined;
              readonly report_uri?: string | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  readonly sessions?:
    | {
        readonly oidc_logout_prompt_enabled?: boolean | undefined;
      }
    | null
    | undefined;
  readonly customize_mfa_in_postlogin_action?: boolean | null | undefined;
  readonly acr_values_supported?: readonly string[] | null | undefined;
  readonly mtls?:
    | {
        readonly enable_endpoint_aliases?: boolean | undefined;
      }
    | null
    | undefined;
  readonly pushed_authorization_requests_supported?: boolean | null | undefined;
  readonly authorization_response_iss_parameter_supported?: boolean | null | undefined;
  readonly skip_non_verifiable_callback_uri_confirmation_prompt?: boolean | null | undefined;
  readonly country_codes?:
    | {
        readonly list?: readonly string[] | undefined;
        readonly mode?: "allow" | "deny" | undefined;
      }
    | null
    | undefined;
  readonly session_lifetime?: number | undefined;
  readonly idle_session_lifetime?: number | undefined;
  readonly ephemeral_session_lifetime?: number | undefined;
  readonly idle_ephemeral_session_lifetime?: number | undefined;
  readonly session_lifetime_in_minutes?: number | undefined;
  readonly idle_session_lifetime_in_minutes?: number | undefined;
  readonly ephemeral_session_lifetime_in_minutes?: number | undefined;
  readonly idle_ephemeral_session_lifetime_in_minutes?: number | undefined;
}

export interface TenantOperationList {
  readonly operations: readonly TenantOperation[];
  readonly total: number;
  readonly page: number;
  readonly per_page: number;
}

export interface TenantOperation {
  readonly id: string;
  readonly tenant_id: string;
  readonly kind: string;
  readonly status: string;
  readonly error?: string | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
  /** ISO 8601, UTC */
  readonly finished_at?: string | undefined;
}

export interface TenantOperationWithSteps {
  readonly id: string;
  readonly tenant_id: string;
  readonly kind: string;
  readonly status: string;
  readonly error?: string | undefined;
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** ISO 8601, UTC */
  readonly updated_at: string;
  /** ISO 8601, UTC */
  readonly finished_at?: string | undefined;
  readonly events: readonly OperationStep[];
}

export interface OperationStep {
  readonly name: string;
  readonly status: "running" | "succeeded" | "failed";
  /** ISO 8601, UTC */
  readonly at: string;
  readonly detail?: { readonly [name: string]: unknown } | undefined;
}

export interface BeginTenantOperation {
  readonly kind: "upgrade";
}
