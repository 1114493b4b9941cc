import type { CreateClient, CreateConnection, CreateOrganization, CreateResourceServer } from "../in-process/api.ts";

/**
 * What a tenant begins with: passed to `postern.seed`, at every start, from one process or from all. What is missing is added. What is there stays as it is and is compared: what differs
 * is in the report and in the log. With `sync: true` the code is the authority instead, and what differs is changed to what the code says.
 */
export interface Seed {
  /** The tenant to set up: 1 to 63 lower-case letters, digits, `-` and `_`. */
  readonly tenantId: string;
  /** What people see as its name. Default: the id. */
  readonly name?: string;
  /** Host names that are the tenant's own and that the host itself vouches for: verified without a check, each an issuer. */
  readonly domains?: readonly string[];
  /** A first user of the password connection. */
  readonly user?: SeedUser;
  /** Further users, each of the password connection unless it says which. */
  readonly users?: readonly SeedUser[];
  /** APIs that tokens are issued for. */
  readonly apis?: readonly SeedApi[];
  /** Roles, with the permissions that they give. */
  readonly roles?: readonly SeedRole[];
  /** Connections besides the password connection that every tenant has; and that one too, by its name, for settings of its own. */
  readonly connections?: readonly SeedConnection[];
  /** Clients: the apps that people sign in to, and the programs that ask for tokens of their own. */
  readonly clients?: readonly SeedClient[];
  /** Organizations with their first members. */
  readonly organizations?: readonly SeedOrganization[];
}

/** An API that a {@link Seed} asks for. */
export interface SeedApi {
  /** The `audience` that clients ask for: usually an address. It cannot be changed later. */
  readonly identifier: string;
  /** The scopes that tokens for it may have. */
  readonly scopes?: readonly SeedScope[];
  /** Everything else about it, as `POST /api/v2/resource-servers` takes it. */
  readonly settings?: Omit<CreateResourceServer, "identifier" | "scopes">;
  /** The code is the authority: at each start the API becomes what stands here. Default: false. */
  readonly sync?: boolean;
}

/** A scope of a {@link SeedApi}. */
export interface SeedScope {
  /** For example `read:invoices`. */
  readonly value: string;
  /** What it allows, as people read it where they are asked for consent. */
  readonly description?: string;
}

/** A role that a {@link Seed} asks for. */
export interface SeedRole {
  /** Unique in the tenant, whatever the case of its letters. */
  readonly name: string;
  readonly description?: string;
  /** What it gives: the scopes of each API, by the API's identifier. */
  readonly permissions?: { readonly [identifier: string]: readonly string[] };
  /** The code is the authority: at each start the role says and gives what stands here, and nothing else. Default: false. */
  readonly sync?: boolean;
}

/** A connection that a {@link Seed} asks for. */
export interface SeedConnection {
  /** Unique in the tenant. It cannot be changed later. */
  readonly name: string;
  /** `auth0` for passwords, `email` and `sms` for one-time codes and links, `google-oauth2`, `github`, `oidc` and others for identity providers. It cannot be changed later. */
  readonly strategy: CreateConnection["strategy"];
  /** Everything else about it, as `POST /api/v2/connections` takes it. Secrets are stored and not compared. */
  readonly settings?: Omit<CreateConnection, "name" | "strategy" | "enabled_clients">;
  /** The ids of the clients that offer it. Left out: the clients without a list of their own, and none of them where it is an identity provider. */
  readonly clients?: readonly string[];
  /** The code is the authority: at each start the connection becomes what stands here. Default: false. */
  readonly sync?: boolean;
}

/** A client that a {@link Seed} asks for. */
export interface SeedClient {
  /** 1 to 64 ASCII characters without spaces, unique in the installation. */
  readonly clientId: string;
  /** Makes the client confidential: at least 16 characters, and not easy to guess. It is stored as a hash. */
  readonly secret?: string;
  /** Everything else about it, as `POST /api/v2/clients` takes it. */
  readonly settings: CreateClient;
  /** The scopes of APIs that the client may ask for with its own secret (`client_credentials`), by the API's identifier. */
  readonly grants?: { readonly [identifier: string]: readonly string[] };
  /**
   * Gives it every scope of the Management API, also those that later versions add; again at each start, whatever was made of its client grant meanwhile. It needs a `secret`: a public
   * client gets no token of its own.
   */
  readonly managesTenant?: true;
  /** The code is the authority: at each start the client has the settings, the secret and the grants that stand here. What stands nowhere here stays. Default: false. */
  readonly sync?: boolean;
}

/** A user that a {@link Seed} asks for. One who is there keeps everything: their password, their roles and what they changed. */
export interface SeedUser {
  /** The address that the user signs in with; it counts as verified. */
  readonly email: string;
  /** What a new user begins with; held against the connection's password policy. */
  readonly password: string;
  /** What pages and tokens call the user. */
  readonly name?: string;
  /** The names of the roles that a new user has. */
  readonly roles?: readonly string[];
  /** Of a new user, as `POST /api/v2/users` takes it. */
  readonly app_metadata?: { readonly [name: string]: unknown };
  /** Of a new user, as `POST /api/v2/users` takes it. */
  readonly user_metadata?: { readonly [name: string]: unknown };
  /** Gives a new user the role of administrators: every permission of the Management API, also those that later versions add. */
  readonly managesTenant?: true;
}

/** An organization that a {@link Seed} asks for. */
export interface SeedOrganization {
  /** 1 to 50 lower-case letters, digits, `-` and `_`; unique in the tenant. */
  readonly name: string;
  /** Everything else about it, as `POST /api/v2/organizations` takes it. */
  readonly settings?: Omit<CreateOrganization, "name" | "enabled_connections">;
  /** The names of the connections that its members sign in with. */
  readonly connections?: readonly string[];
  /** The members of a new organization: users of the password connection. */
  readonly members?: readonly SeedMember[];
  /** The code is the authority: at each start the organization has these settings, at least these connections and at least these members. Default: false. */
  readonly sync?: boolean;
}

/** A member of a {@link SeedOrganization}. */
export interface SeedMember {
  /** The address of a user. */
  readonly email: string;
  /** The names of the roles that the member has in the organization. */
  readonly roles?: readonly string[];
}

/** What a seed did, and what it left as it was. */
export interface SeedReport {
  /** What was added: `client 'web'`. */
  readonly created: readonly string[];
  /** What was changed, because of `sync`: `client 'web'`. */
  readonly changed: readonly string[];
  /** Where the stored tenant and the code say different things, and the code is not the authority. */
  readonly differences: readonly SeedDifference[];
}

/** A field that is not stored as the code has it. */
export interface SeedDifference {
  /** `client 'web'`. */
  readonly subject: string;
  /** As the Management API calls it, or `secret`, `grants`, `permissions`, `members`. */
  readonly field: string;
  /** As the Management API shows it; left out for secrets. */
  readonly stored?: unknown;
  /** What the code says; left out for secrets. */
  readonly wanted?: unknown;
}
