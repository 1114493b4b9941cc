import type { CreateClient, CreateConnection, CreateOrganization, CreateResourceServer } from "../in-process/api.ts";

/**
 * The initial resources of a tenant. Pass it to `postern.seed` at every start, from one process or from all processes.
 * Missing resources are created. Existing resources stay unchanged; differences are listed in the report and logged.
 * With `sync: true` on a resource, the code is authoritative: the stored resource is changed to match the code.
 */
export interface Seed {
  /** The id of the tenant to set up: 1 to 63 lower-case letters, digits, `-` and `_`. */
  readonly tenantId: string;
  /** The display name of the tenant. Default: the id. */
  readonly name?: string;
  /**
   * Custom domains of the tenant. They count as verified without a check, because the host application vouches for
   * them. Each domain is the host of an issuer.
   */
  readonly domains?: readonly string[];
  /** A first user of the password connection. */
  readonly user?: SeedUser;
  /** Further users, in the password connection. */
  readonly users?: readonly SeedUser[];
  /** APIs that tokens are issued for. */
  readonly apis?: readonly SeedApi[];
  /** Roles, with the permissions that they grant. */
  readonly roles?: readonly SeedRole[];
  /**
   * Connections other than the password connection that every tenant has. To change the settings of the password
   * connection, list it here by its name.
   */
  readonly connections?: readonly SeedConnection[];
  /** Clients: the applications that users sign in to, and the programs that request tokens for themselves. */
  readonly clients?: readonly SeedClient[];
  /** Organizations with their first members. */
  readonly organizations?: readonly SeedOrganization[];
  /** The second factors that users can add, and the policy that requires one. */
  readonly secondFactors?: SeedSecondFactors;
  /** The passkeys of the password connection. */
  readonly passkeys?: SeedPasskeys;
  /** Clients that register themselves, such as clients of MCP servers. */
  readonly externalClients?: SeedExternalClients;
}

/**
 * How clients may register themselves with the tenant of a {@link Seed}, and what they get. A new tenant gets these
 * settings. Later starts change them only with `sync`. Settings that the seed omits stay unchanged.
 */
export interface SeedExternalClients {
  /** Whether clients may identify themselves by the URL of a metadata document. Default of a new tenant: false. */
  readonly metadataDocuments?: boolean;
  /** The hosts whose metadata documents are accepted. Default of a new tenant: all. */
  readonly documentHosts?: readonly string[];
  /** Whether any client may register itself at `/oidc/register` (RFC 7591). Default of a new tenant: false. */
  readonly registration?: boolean;
  /**
   * Whether users sign in to such clients with the password connection that every tenant begins with. Other connections
   * have the setting `is_domain_connection`. Default of a new tenant: false.
   */
  readonly passwords?: boolean;
  /** The scopes that such clients may request for users, by the API's identifier. Users also have to consent. */
  readonly grants?: { readonly [identifier: string]: readonly string[] };
  /** If true, each start makes these settings match the seed. Default: false. */
  readonly sync?: boolean;
}

/**
 * The second factors of a {@link Seed}. A new tenant gets them. Later starts change them only with `sync`. Settings that
 * the seed omits stay unchanged.
 */
export interface SeedSecondFactors {
  /** Whether users can add and use a factor. A new tenant has none. */
  readonly factors?: { readonly [Name in "otp" | "sms" | "email" | "webauthn-roaming" | "recovery-code"]?: boolean };
  /** How the factor `sms` sends codes. Default of a new tenant: `["sms"]`. */
  readonly phoneMessageTypes?: readonly ("sms" | "voice")[];
  /**
   * When a factor is required, as in `PUT /api/v2/guardian/policies`: `["all-applications"]` at each login, `[]` only if
   * a client or an Action asks for one. Default of a new tenant: `[]`.
   */
  readonly policies?: readonly ("all-applications" | "confidence-score")[];
  /** If true, each start makes these settings match the seed. Default: false. */
  readonly sync?: boolean;
}

/**
 * The passkeys of a {@link Seed}. A new tenant gets them. Later starts change them only with `sync`. All other options of
 * the connection stay unchanged.
 */
export interface SeedPasskeys {
  /** Whether users can sign up and sign in with a passkey. */
  readonly enabled: boolean;
  /** How the sign-in page offers passkeys. Default: `both`. */
  readonly challenge_ui?: "both" | "autofill" | "button";
  /** Whether users are offered a passkey after they sign in with a password. Default: true. */
  readonly progressive_enrollment_enabled?: boolean;
  /** Whether users are offered a passkey for this device after they sign in with that of another device. Default: true. */
  readonly local_enrollment_enabled?: boolean;
  /** The name of the password connection. Default: the connection that every tenant begins with. */
  readonly connection?: string;
  /** If true, each start makes these settings match the seed. Default: false. */
  readonly sync?: boolean;
}

/** An API of a {@link Seed}. */
export interface SeedApi {
  /** The `audience` that clients request: usually a URL. It cannot be changed later. */
  readonly identifier: string;
  /** The scopes that tokens for the API may have. */
  readonly scopes?: readonly SeedScope[];
  /** All other settings of the API, as in `POST /api/v2/resource-servers`. */
  readonly settings?: Omit<CreateResourceServer, "identifier" | "scopes">;
  /** If true, each start makes the API match the seed. Default: false. */
  readonly sync?: boolean;
}

/** A scope of a {@link SeedApi}. */
export interface SeedScope {
  /** For example `read:invoices`. */
  readonly value: string;
  /** A description, shown to users on the consent page. */
  readonly description?: string;
}

/** A role of a {@link Seed}. */
export interface SeedRole {
  /** The name, unique in the tenant regardless of case. */
  readonly name: string;
  readonly description?: string;
  /** The permissions that the role grants: scopes by the API's identifier. */
  readonly permissions?: { readonly [identifier: string]: readonly string[] };
  /** If true, each start makes the description and the permissions of the role match the seed. Default: false. */
  readonly sync?: boolean;
}

/** A connection of a {@link Seed}. */
export interface SeedConnection {
  /** The name, unique in the tenant. It cannot be changed later. */
  readonly name: string;
  /**
   * The strategy: `auth0` for passwords, `email` and `sms` for one-time codes and links, `google-oauth2`, `github`,
   * `oidc` and others for identity providers. It cannot be changed later.
   */
  readonly strategy: CreateConnection["strategy"];
  /**
   * All other settings of the connection, as in `POST /api/v2/connections`. Secrets are stored, but are not compared
   * with the seed.
   */
  readonly settings?: Omit<CreateConnection, "name" | "strategy" | "enabled_clients">;
  /**
   * The ids of the clients that offer the connection. A client without a list of connections then offers only this one.
   * Default: the clients without a list of connections; for an identity provider, no client.
   */
  readonly clients?: readonly string[];
  /**
   * If true, each start makes the connection match the seed. Options that the seed omits stay unchanged, also within an
   * option. Default: false.
   */
  readonly sync?: boolean;
}

/** A client of a {@link Seed}. */
export interface SeedClient {
  /** 1 to 64 ASCII characters without spaces, unique across all tenants. */
  readonly clientId: string;
  /** Makes the client confidential. At least 16 characters, and not easy to guess. Stored as a hash. */
  readonly secret?: string;
  /** All other settings of the client, as in `POST /api/v2/clients`. */
  readonly settings: CreateClient;
  /** The scopes that the client may request with its own secret (`client_credentials`), by the API's identifier. */
  readonly grants?: { readonly [identifier: string]: readonly string[] };
  /**
   * Grants the client every scope of the Management API, including scopes that later versions add. Each start restores
   * the client grant if it was changed. Requires `secret`: a public client cannot get tokens for itself.
   */
  readonly managesTenant?: true;
  /**
   * If true, each start makes the settings, the secret and the grants of the client match the seed. Settings that the
   * seed omits stay unchanged. Default: false.
   */
  readonly sync?: boolean;
}

/** A user of a {@link Seed}. An existing user stays unchanged, including the user's password, roles and profile. */
export interface SeedUser {
  /** The email address that the user signs in with. It counts as verified. */
  readonly email: string;
  /** The initial password of a new user. It must meet the connection's password policy. */
  readonly password: string;
  /** The display name on pages and in tokens. */
  readonly name?: string;
  /** The names of the roles of a new user. */
  readonly roles?: readonly string[];
  /** Initial metadata of a new user, as in `POST /api/v2/users`. */
  readonly app_metadata?: { readonly [name: string]: unknown };
  /** Initial metadata of a new user, as in `POST /api/v2/users`. */
  readonly user_metadata?: { readonly [name: string]: unknown };
  /**
   * Gives a new user the administrator role: every permission of the Management API, including permissions that later
   * versions add.
   */
  readonly managesTenant?: true;
}

/** An organization of a {@link Seed}. */
export interface SeedOrganization {
  /** 1 to 50 lower-case letters, digits, `-` and `_`; unique in the tenant. */
  readonly name: string;
  /** All other settings of the organization, as in `POST /api/v2/organizations`. */
  readonly settings?: Omit<CreateOrganization, "name" | "enabled_connections">;
  /** The names of the connections that members can sign in with. */
  readonly connections?: readonly string[];
  /** The members of a new organization: users of the password connection. */
  readonly members?: readonly SeedMember[];
  /**
   * If true, each start makes the settings of the organization match the seed, and adds missing connections and
   * members. Default: false.
   */
  readonly sync?: boolean;
}

/** A member of a {@link SeedOrganization}. */
export interface SeedMember {
  /** The email address of the user. */
  readonly email: string;
  /** The names of the roles that the member has in the organization. */
  readonly roles?: readonly string[];
}

/** The result of a seed. */
export interface SeedReport {
  /** The resources that were created, for example `client 'web'`. */
  readonly created: readonly string[];
  /** The resources that were changed because of `sync`, for example `client 'web'`. */
  readonly changed: readonly string[];
  /** Fields whose stored value differs from the code, in resources without `sync`. */
  readonly differences: readonly SeedDifference[];
}

/** A field whose stored value differs from the code. */
export interface SeedDifference {
  /** The resource, for example `client 'web'`. */
  readonly subject: string;
  /** The field, as the Management API names it, or `secret`, `grants`, `permissions`, `members`. */
  readonly field: string;
  /** The stored value, as the Management API returns it. Omitted for secrets. */
  readonly stored?: unknown;
  /** The value in the code. Omitted for secrets. */
  readonly wanted?: unknown;
}
