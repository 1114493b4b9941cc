import type { Action } from "../adapters/actions.ts";
import type { BreachedPasswords } from "../adapters/breached-passwords.ts";
import type { ConnectionStrategy } from "../adapters/connection-strategy.ts";
import type { ControlPlaneResolver } from "../adapters/control-plane.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { DomainVerifier } from "../adapters/domain-verifier.ts";
import type { TelemetryOptions } from "../adapters/telemetry.ts";
import type { PasswordHasher } from "../adapters/hasher.ts";
import type { KeyRing } from "../adapters/key-ring.ts";
import type { LogSink } from "../adapters/log-sink.ts";
import type { Logger } from "../adapters/logger.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { OperationExecutor } from "../adapters/operation-executor.ts";
import type { RateLimiter } from "../adapters/rate-limit.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import type { UserSource } from "../adapters/user-source.ts";
import type { DataAdapter } from "../store/contract.ts";
import type { PageTexts } from "../locales/translations.ts";
import type { TestingOptions } from "./testing-options.ts";

/** Options of `createPostern`. */
export interface PosternOptions {
  /**
   * The public base URL, for example `https://login.example.com/` or `https://example.com/auth/`. It is the issuer of
   * every tenant without a tenant-specific host. A missing trailing slash is added. Behind a TLS proxy, set the public
   * https URL.
   */
  readonly issuer: string;
  /** The data store: `@postern/kysely`, `@postern/memory`, or a custom adapter. */
  readonly data: DataAdapter;
  /** Encryption, signing and hashing. */
  readonly crypto: CryptoOptions;
  /** The tenant that serves requests that name no tenant by host, header, client or token. Default: none. */
  readonly defaultTenantId?: string;
  /** The tenant that manages the other tenants, and that they inherit from. Default: none. */
  readonly controlPlane?: ControlPlaneOptions;
  /**
   * Returns the tenant that a given tenant inherits from, for services in which this differs by tenant. Postern calls
   * it once per tenant and caches the result for five seconds. `undefined` means that the tenant inherits nothing.
   * Return `undefined` for a tenant that others inherit from. Affects connections, APIs, the email provider, email
   * templates and client settings, and nothing else. The request fails with 503 if the function throws, takes longer
   * than a second, or returns something other than the id of another tenant. Default: every tenant inherits from the
   * control plane.
   */
  readonly resolveControlPlane?: ControlPlaneResolver;
  /**
   * Which resources of the control plane are copied to the other tenants. Only the control plane can change the copies.
   * A resource with the metadata `sync: "false"` is not copied. Default: both kinds.
   */
  readonly sync?: SyncOptions | false;
  /**
   * Management API permissions that every member of a new tenant's organization holds in that tenant. Default: none.
   */
  readonly defaultPermissions?: readonly string[];
  /**
   * Whether the `org_id` of a control-plane token must match the tenant that the request accesses. Default: true. With
   * `false`, the scopes of every control-plane token apply in every tenant that the `tenant-id` header names, including
   * tokens for the organization of a single tenant. Postern then logs a warning at start.
   */
  readonly requireOrganizationMatch?: boolean;
  /** Roles that every member of a new tenant's organization gets. */
  readonly accessControl?: AccessControlOptions;
  /** A database for each tenant. Default: all tenants share the database in `data`. */
  readonly databaseIsolation?: DatabaseIsolation;
  /** Runs operations on tenants in another process. Default: this process runs them. */
  readonly operationExecutor?: OperationExecutor;
  /** Hooks that are called when tenants are created, changed and deleted. */
  readonly hooks?: TenantHooks;
  /**
   * Tenant hosts below one domain: `<subdomain>.<baseDomain>` is a host and an issuer of the tenant. Default: the only
   * tenant-specific hosts are custom domains.
   */
  readonly subdomainRouting?: SubdomainRouting;
  /**
   * IP addresses and CIDR ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Host` headers are trusted.
   * Default: none.
   */
  readonly trustedProxies?: readonly string[];
  /** Limits attempts and messages. Default: attempts are not limited; messages have built-in limits per process. */
  readonly rateLimiter?: RateLimiter;
  /**
   * Checks whether a password appeared in a known data breach. Each new password is checked, and is rejected if it
   * appeared in one. Tenants can turn the check off (`/api/v2/attack-protection/breached-password-detection`). Default:
   * no check; common passwords are rejected in either case.
   */
  readonly breachedPasswords?: BreachedPasswords;
  /** Senders of mail and text messages. */
  readonly messages?: MessageOptions;
  /** Verifies that a custom domain belongs to the tenant that claims it. Default: custom domains stay unverified. */
  readonly domainVerifier?: DomainVerifier;
  /**
   * Custom code that runs when users sign in, sign up and change passwords, and when clients get tokens: Auth0's
   * Actions. Actions run in array order, for every tenant; `event.tenant` names the tenant. Default: none.
   */
  readonly actions?: readonly Action[];
  /**
   * An existing user database to import users from when they sign in. Queried for users that Postern does not have yet,
   * on password connections with the option `import_mode`. Default: none.
   */
  readonly userSource?: UserSource;
  /**
   * Destinations of log streams other than the built-in types (`http`, `datadog`, `splunk`, `sumo`, `segment`, `mixpanel`),
   * by stream type: `{ kinesis: { deliver } }`. Also lets the host application process events itself. Default: none. `postern.jobs.deliverEvents()` delivers the events.
   */
  readonly logSinks?: { readonly [type: string]: LogSink };
  /**
   * Protocols with which enterprise connections sign users in, for the strategies of Auth0 that Postern only stores:
   * `{ samlp: { label, isSetUp, authorizationUrl, readResponse } }`. Default: none.
   */
  readonly strategies?: { readonly [strategy: string]: ConnectionStrategy };
  /** Requests to other servers, such as the identity providers of connections. */
  readonly network?: NetworkOptions;
  /**
   * Records spans and metrics: a tracer, a meter and the active span of the OpenTelemetry API. Default: none are recorded.
   *
   * @example
   * telemetry: { tracer: trace.getTracer("postern"), meter: metrics.getMeter("postern"), activeSpan: () => trace.getActiveSpan() }
   */
  readonly telemetry?: TelemetryOptions;
  /** Receives log entries for the operator. Default: warnings and errors go to standard error. */
  readonly logger?: Logger;
  /**
   * Custom texts and translations of the hosted pages. Default: the eleven built-in languages. A page uses the language
   * that the visitor prefers among those that the tenant enables (`enabled_locales` in its settings).
   *
   * @example
   * texts: { en: { identifierTitle: "Welcome back" }, sv: { identifierTitle: "Välkommen" } }
   */
  readonly texts?: PageTexts;
  /**
   * The path of a custom login page that replaces the hosted pages, for example `/sign-in`. The browser is redirected
   * there with `state` and `step` in the query, and the page drives the login through `/u/flow`. It is a path because a
   * login is bound to a cookie of the host that it began at: the host of the issuer, or the tenant's own host if it has
   * one. Default: the hosted pages.
   */
  readonly loginPage?: string;
  /**
   * Development mode, for example `process.env.NODE_ENV !== "production"`. After the first response of a process, the
   * doctor checks the setup and logs the problems that it finds (event `doctor`). Errors sent to clients carry
   * `error_uri` (RFC 6749 section 5.2), the URL of a page with cause and fix. Error pages link to it. Default: false.
   */
  readonly development?: boolean;
  readonly logs?: LogOptions;
  readonly limits?: LimitOptions;
  readonly pagination?: PaginationOptions;
  /** Options for tests only. */
  readonly testing?: TestingOptions;
}

/** Encryption, signing and hashing. */
export interface CryptoOptions {
  /**
   * The secret with which Postern encrypts private keys and other stored secrets: random text of at least 32 characters,
   * or a {@link KeyRing} for rotation. Guessable text is rejected: text with fewer than 8 different characters, or a short
   * text that is repeated. Without the secret, the private keys cannot be decrypted. Store it separately from the
   * database.
   */
  readonly secret: string | KeyRing;
  /**
   * The default algorithm of clients, APIs and new signing keys. Default: `RS256`, which every client supports. Signing
   * with `ES256` or `EdDSA` costs a sixth as much. A client or API can be set to another algorithm; a key for it is created
   * on first use.
   */
  readonly signingAlgorithm?: "RS256" | "PS256" | "ES256" | "EdDSA" | "Ed25519";
  /**
   * Hashes passwords. Default: `createPasswordHasher()`, which uses scrypt on every runtime. From Node 24.7 on, you can
   * pass `createPasswordHasher({ algorithm: "argon2id" })`.
   */
  readonly hasher?: PasswordHasher;
}

/** Senders of mail and text messages. */
export interface MessageOptions {
  /** Sends mail. Default: requests that need mail are rejected; invitations are created but not mailed. */
  readonly mail?: MailSender;
  /** Sends text messages. Default: none are sent. */
  readonly sms?: SmsSender;
}

/** Requests to other servers. Settings of tenants and connections define the URLs: issuers, endpoints, key sets. */
export interface NetworkOptions {
  /**
   * Private, loopback or link-local IP addresses and CIDR ranges that requests may go to, also without TLS:
   * `["127.0.0.1", "::1"]` for an identity provider on the developer's machine. Default: none. All other requests go
   * only to public addresses, over https, with a limit of 5 seconds and 1 MiB, and do not follow redirects.
   */
  readonly allowedPrivateAddresses?: readonly string[];
  /**
   * Replaces the built-in fetch with all its checks and limits, for example to use a proxy for outgoing requests. The
   * function must itself restrict the addresses that it reaches, and must not follow redirects.
   */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The control plane: the tenant that manages the other tenants, and that they inherit from. */
export interface ControlPlaneOptions {
  /** The id of the control plane's tenant. */
  readonly tenantId: string;
  /**
   * The client of the control plane that provides fallback settings for the clients of other tenants. Default: none.
   */
  readonly clientId?: string;
}

/** Which kinds of resources are copied from the control plane to the other tenants. */
export interface SyncOptions {
  /** APIs with their scopes. Default: true. */
  readonly resourceServers?: boolean;
  /** Roles with their permissions for copied APIs and for the Management API. Default: true. */
  readonly roles?: boolean;
}

/** Roles that every member of a new tenant's organization gets. */
export interface AccessControlOptions {
  /** Control-plane roles, by id or name, that every member of a new tenant's organization gets in it. Default: none. */
  readonly defaultRoles?: readonly string[];
}

/** The audit log, which is read at `/api/v2/logs`. */
export interface LogOptions {
  /**
   * Days until an event expires. The expiry is stored with the event, and `sweep` deletes the event after it. More than
   * 0 and at most 36,500; default 30. `Infinity` keeps events until you delete them. A change applies only to later
   * events.
   */
  readonly retentionDays?: number;
  /**
   * The number of seconds after its date within which an event must be committed to be delivered to log streams. Set it
   * to the duration of the longest transaction that writes events, plus the largest difference between the clocks of
   * processes. From 1 to 3,600; default 60. An event that is committed later stays in the log and is not delivered.
   * With a longer window, more rows are counted and stored.
   */
  readonly lateEventWindowSeconds?: number;
}

/** Size limits and timeouts of requests. */
export interface LimitOptions {
  /** Bytes of a request body. Default 1 MiB. */
  readonly bodyBytes?: number;
  /**
   * Maximum bytes of the login sessions that one IP address starts in an hour, per tenant and process. Further login
   * sessions are rejected with 429. A login session is stored for an hour, and starting one requires no authentication.
   * Default 64 MiB: about 4,000 login sessions of the maximum size, or 40,000 of the typical size. For login sessions
   * from an unknown IP address the limit is sixteen times as large; past it, the oldest are dropped and no request is
   * rejected.
   */
  readonly loginSessionBytesPerAddress?: number;
  /**
   * Maximum metadata documents of clients (Client ID Metadata Documents) that are fetched in an hour for one IP address,
   * per tenant and process. Cached documents and documents of clients that users have accepted do not count. Default 100.
   */
  readonly clientDocumentsPerAddress?: number;
  /** The same for all visitors of a tenant together. Default 1000. */
  readonly clientDocumentsPerTenant?: number;
  /**
   * Maximum seconds for one data call of a request. Fractions are allowed; 300 is the maximum. If a call takes longer,
   * the request fails with 503. A write that times out is not retried. It may still take effect, but no response
   * reports it. Default 8: longer than SQLite's busy timeout of 5 seconds, and short enough that the client gets its
   * response within 10 seconds. Data calls of jobs (`sweep`, `deliverEvents`, `importUsers`, operations on tenants)
   * have 60 seconds each. Synchronous drivers and `createMemoryAdapter` have no timeout.
   */
  readonly dataTimeoutSeconds?: number;
  /**
   * Maximum number of requests that this process handles at the same time. More requests wait for up to `waitMs`
   * milliseconds and then get 503 with `Retry-After`. One tenant can use at most half of this number. Requests for
   * discovery documents and JWKS, and in-process calls of the host application, are not limited. Default 512. To keep
   * response times short under overload, set it to about the number of requests that the process completes in a fifth
   * of a second, with a `waitMs` of 50 or less.
   */
  readonly inFlight?: number;
  /** Maximum milliseconds that a request waits until it is handled. Default 1000. See `inFlight`. */
  readonly waitMs?: number;
  /**
   * Maximum bytes of one user's metadata: `app_metadata` and `user_metadata` together, as JSON in UTF-8. A request that
   * would store more is rejected with 400. Metadata that was stored before, or under a higher limit, stays readable and
   * can be reduced. This limit also determines the largest list response: 100 users with that much metadata, plus 16
   * KiB for the rest of each user. Default 64 KiB.
   */
  readonly userMetadataBytes?: number;
  /**
   * Maximum bytes of settings (tenants, clients, connections, APIs, keys) that a process caches, by estimate. The least
   * recently used entries are evicted first, and read again when needed. Default 64 MiB.
   */
  readonly settingsCacheBytes?: number;
  /**
   * Maximum number of different phone numbers, not yet confirmed for the user's account, to which one user can have codes
   * sent in an hour. This limit and the four below count text messages and calls in the database, for all processes
   * together. Past a limit, no message is sent, and the response is 429. Messages to confirmed numbers, and codes for
   * logins without a password, are not counted. From 0 to 100; default 3.
   */
  readonly newNumbersPerUser?: number;
  /** Maximum number of messages to new phone numbers that one user can have sent in an hour. Default 6. */
  readonly newNumberMessagesPerUser?: number;
  /** Maximum number of messages in an hour to one phone number that is new for its users, over all users and tenants. Default 5. */
  readonly newNumberMessagesPerNumber?: number;
  /**
   * Maximum number of messages in an hour to new phone numbers with the same first six digits, over all users and tenants.
   * Default 20.
   */
  readonly newNumberMessagesPerRange?: number;
  /** Maximum number of messages to new phone numbers in an hour, over all users of one tenant. Default 200. */
  readonly newNumberMessagesPerTenant?: number;
  /**
   * Maximum number of clients that one IP address registers in an hour, per tenant and process, if a tenant's
   * `flags.enable_dynamic_client_registration` allows anyone to register clients. Further registrations get 429.
   * Registrations with an initial access token, and those from an unknown IP address, are not counted. From 0 to
   * 1,000,000; default 20.
   */
  readonly registrationsPerAddress?: number;
  /**
   * Maximum number of clients per tenant that registered themselves, without an initial access token, and that no user has
   * accepted yet. At this number, a new registration deletes the oldest of them that is at least ten minutes old. If
   * none is, the response is 429. From 1 to 1,000; default 200.
   */
  readonly unusedClients?: number;
}

/** Numbering of list pages. */
export interface PaginationOptions {
  /**
   * The number of the first page. Default 0, as in Auth0's SDKs. Invitations always count from 0, and
   * tenants from 1.
   */
  readonly firstPage?: 0 | 1;
}
