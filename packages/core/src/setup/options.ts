import type { Action } from "../adapters/actions.ts";
import type { BreachedPasswords } from "../adapters/breached-passwords.ts";
import type { Clock } from "../adapters/clock.ts";
import type { ControlPlaneResolver } from "../adapters/control-plane.ts";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { DomainVerifier } from "../adapters/domain-verifier.ts";
import type { PasswordHasher } from "../adapters/hasher.ts";
import type { KeyRing } from "../adapters/key-ring.ts";
import type { LogSink } from "../adapters/log-sink.ts";
import type { Logger } from "../adapters/logger.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { OperationExecutor } from "../adapters/operation-executor.ts";
import type { Random } from "../adapters/random.ts";
import type { RateLimiter } from "../adapters/rate-limit.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { SubdomainRouting } from "../adapters/subdomain-routing.ts";
import type { TenantHooks } from "../adapters/tenant-hooks.ts";
import type { SetTimer } from "../adapters/timer.ts";
import type { UserSource } from "../adapters/user-source.ts";
import type { DataAdapter } from "../store/contract.ts";
import type { PageTexts } from "../locales/translations.ts";

/** All that a host can pass to `createPostern`. */
export interface PosternOptions {
  /**
   * The public base URL, for example `https://login.example.com/` or `https://example.com/auth/`.
   * It is the issuer of every tenant without a host of its own; a missing final slash is added. Behind a TLS proxy, its https URL.
   */
  readonly issuer: string;
  /** Where everything is kept: `@postern/kysely`, `@postern/memory`, or the host's own adapter. */
  readonly data: DataAdapter;
  /** What seals, signs and hashes. */
  readonly crypto: CryptoOptions;
  /** The tenant of requests that name none by host, header, client or token. Default: there is none. */
  readonly defaultTenantId?: string;
  /** The tenant that manages the others, and that they inherit from. Default: there is none. */
  readonly controlPlane?: ControlPlaneOptions;
  /**
   * Which tenant another one inherits from, where that is not the same for all: asked for each tenant, and kept for five seconds. Undefined: it inherits nothing.
   * It counts for connections, APIs, the e-mail provider and templates, and settings of clients, and for nothing else. A throw, no answer within a second, and an answer that names no other
   * tenant are a 503. Answer undefined for a tenant that others inherit from.
   * Default: the control plane for every tenant.
   */
  readonly resolveControlPlane?: ControlPlaneResolver;
  /** What of the control plane is copied to the other tenants, as copies that only the control plane changes. `metadata.sync` set to "false" on one keeps it from them. Default: both. */
  readonly sync?: SyncOptions | false;
  /** Permissions of the Management API that every member of a new tenant's organization holds in that tenant. Default: none. */
  readonly defaultPermissions?: readonly string[];
  /**
   * Whether the `org_id` of a control-plane token must match the tenant that it accesses. Default true.
   * `false`: the scopes of every control-plane token, of one tenant's organization too, count in every tenant that `tenant-id` names. Postern warns at start.
   */
  readonly requireOrganizationMatch?: boolean;
  /** What members of tenants' organizations are given. */
  readonly accessControl?: AccessControlOptions;
  /** A database for each tenant. Default: all tenants share the one in `data`. */
  readonly databaseIsolation?: DatabaseIsolation;
  /** Has operations on tenants done somewhere else. Default: this process does them. */
  readonly operationExecutor?: OperationExecutor;
  /** What the host does when tenants are created, changed and removed. */
  readonly hooks?: TenantHooks;
  /** Hosts of tenants below one domain: `<subdomain>.<baseDomain>` is a host and an issuer of its tenant. Default: tenants have the hosts of their custom domains alone. */
  readonly subdomainRouting?: SubdomainRouting;
  /** Addresses and CIDR ranges whose `X-Forwarded-For` and `X-Forwarded-Host` are believed. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Counts tries and messages. Default: tries are not limited, and messages by defaults of each process. */
  readonly rateLimiter?: RateLimiter;
  /**
   * Knows passwords that were found in data breaches: each that somebody sets is looked up, and refused where it is known. Tenants may switch that off
   * (`/api/v2/attack-protection/breached-password-detection`). Default: none is looked up; common passwords are refused all the same.
   */
  readonly breachedPasswords?: BreachedPasswords;
  /** What sends messages to people. */
  readonly messages?: MessageOptions;
  /** Finds out whether a custom domain belongs to the tenant that claims it. Default: custom domains stay unverified. */
  readonly domainVerifier?: DomainVerifier;
  /** Your code that runs when people sign in, sign up and change passwords, and when clients get tokens, in its order: the vendor's Actions. For every tenant; `event.tenant` says which. Default: none. */
  readonly actions?: readonly Action[];
  /** The database that people come from: asked about those who sign in and are not here yet, at password databases whose option `import_mode` is on. Default: there is none. */
  readonly userSource?: UserSource;
  /**
   * Where tenants' log streams may lead besides HTTP endpoints, by the type that they name: `{ kinesis: { deliver } }`. Your own code that follows what happens is one, too.
   * Default: `http` alone. `postern.jobs.deliverEvents()` delivers.
   */
  readonly logSinks?: { readonly [type: string]: LogSink };
  /** How other servers are asked: the identity providers of connections. */
  readonly network?: NetworkOptions;
  /** Where the operator is told things. Default: warnings and errors to standard error. */
  readonly logger?: Logger;
  /**
   * What the hosted pages say, in your own words or in another language. Default: the eleven languages that are built in.
   * A page speaks the language that the person wants, among those that the tenant enables (`enabled_locales` of its settings).
   *
   * @example
   * texts: { en: { identifierTitle: "Welcome back" }, sv: { identifierTitle: "Välkommen" } }
   */
  readonly texts?: PageTexts;
  /**
   * The path of a login page of your own, in place of the hosted pages: `/sign-in`. The browser is led there with `state` and `step` in the query, and the page drives the login
   * by `/u/flow`. It is a path because a login is bound to a cookie of the host that it began at: that of the issuer, and for a tenant with a host of its own, that one.
   * Default: the hosted pages.
   */
  readonly loginPage?: string;
  /**
   * For where the app is developed, `process.env.NODE_ENV !== "production"` for instance. After the first answer of a process the doctor looks at the installation, and what is wrong is in the log (event `doctor`).
   * Errors that apps are told carry `error_uri` (RFC 6749 section 5.2), the page that says their cause and cure, and error pages link there. Default: false.
   */
  readonly development?: boolean;
  readonly logs?: LogOptions;
  readonly limits?: LimitOptions;
  readonly pagination?: PaginationOptions;
  /** What only tests set. */
  readonly testing?: TestingOptions;
}

/** What seals, signs and hashes. */
export interface CryptoOptions {
  /**
   * What encrypts secrets at rest: random text of at least 32 characters, or a {@link KeyRing} for rotating it.
   * Text that is easy to guess (fewer than 8 different characters, or a few of them over and over) is refused.
   * Losing it loses the private keys; keep it apart from the database.
   */
  readonly secret: string | KeyRing;
  /**
   * The algorithm that clients, APIs and new signing keys begin with. Default `RS256`, which every client understands; `ES256` costs a sixth of it to sign.
   * A client or API that is set to the other one gets that: its key is made when it is first needed.
   */
  readonly signingAlgorithm?: "RS256" | "ES256";
  /** Hashes passwords. Default: `createPasswordHasher()`, which is scrypt on every runtime; pass `{ algorithm: "argon2id" }` from Node 24.7 on. */
  readonly hasher?: PasswordHasher;
}

/** What sends messages to people. */
export interface MessageOptions {
  /** Sends mail. Default: a request that cannot do without one is refused; an invitation is made and not mailed. */
  readonly mail?: MailSender;
  /** Sends text messages. Default: none is sent. */
  readonly sms?: SmsSender;
}

/** How other servers are asked. Settings of tenants and connections say which: an issuer, an endpoint, where keys are. */
export interface NetworkOptions {
  /**
   * Addresses and CIDR ranges that may be asked though they are private, of this machine or link-local, also without TLS: `["127.0.0.1", "::1"]` for an identity provider beside a developer's app.
   * Default: none. Other servers are asked at public addresses alone, by https, for at most 5 seconds and 1 MiB, and redirects are not followed.
   */
  readonly allowedPrivateAddresses?: readonly string[];
  /** Asks another server, in place of all that: behind a proxy for outgoing requests, say. It decides itself which addresses it reaches. Must not follow redirects. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The control plane (spec section 4.10): the tenant that manages the others, and that they inherit from. */
export interface ControlPlaneOptions {
  /** Its tenant. */
  readonly tenantId: string;
  /** The client of the control plane whose settings clients of other tenants fall back to. Default: clients fall back to none. */
  readonly clientId?: string;
}

/** What is copied from the control plane to the other tenants. */
export interface SyncOptions {
  /** APIs with their scopes. Default true. */
  readonly resourceServers?: boolean;
  /** Roles with their permissions of copied APIs and of the Management API. Default true. */
  readonly roles?: boolean;
}

/** What members of tenants' organizations are given. */
export interface AccessControlOptions {
  /** Roles of the control plane, by id or name, that every member of a new tenant's organization has in it. Default: none. */
  readonly defaultRoles?: readonly string[];
}

/** The audit log, which is read at `/api/v2/logs`. */
export interface LogOptions {
  /**
   * Days that an event is kept: each is stored with its end, and `sweep` removes it then. More than 0 and at most 36,500; default 30. `Infinity` keeps events until you remove them.
   * A change counts for the events that come after it.
   */
  readonly retentionDays?: number;
  /**
   * Seconds after its date within which an event may be committed and is still delivered to log streams: the longest
   * transaction that writes events, plus the largest difference between the clocks of processes. From 1 to 3,600;
   * default 60. An event that is committed later stays in the log and is not delivered. A longer window costs more rows
   * that are counted and stored.
   */
  readonly lateEventWindowSeconds?: number;
}

/** Limits on what a request may hold. */
export interface LimitOptions {
  /** Bytes of a request body. Default 1 MiB. */
  readonly bodyBytes?: number;
  /**
   * Bytes that the login sessions that begin at one address may fill in an hour, per tenant and process; whoever begins more is answered 429. A login session is kept
   * for an hour, and anybody can begin one. Default 64 MiB: some 4,000 of the largest login sessions, 40,000 of the usual.
   * Of login sessions that begin at no known address the newest are kept, sixteen times as much, and nobody is refused.
   */
  readonly loginSessionBytesPerAddress?: number;
  /**
   * Seconds that one data call of a request may take; fractions are allowed, 300 is the maximum. A call that takes longer makes the request fail with 503. A write that takes longer is not retried;
   * it may still take effect, but no response says that it did. Default 8: longer than SQLite's busy timeout of 5, and short enough that the client gets its response within 10.
   * Jobs (`sweep`, `deliverEvents`, `importUsers`, operations on tenants) have 60 seconds for each call. Synchronous drivers and `createMemoryAdapter` have no timeout.
   */
  readonly dataTimeoutSeconds?: number;
  /**
   * Bytes that the metadata of one user may have: `app_metadata` and `user_metadata` together, as JSON in UTF-8. A request that would store more is answered 400.
   * Metadata stored before, or with a higher limit, stays readable and may become smaller. The largest reply of a list follows from it: 100 users with that much metadata,
   * and 16 KiB each for the rest. Default 64 KiB.
   */
  readonly userMetadataBytes?: number;
  /**
   * Bytes of settings (tenants, clients, connections, APIs, keys) that a process caches at most, by estimate. The least recently used entries are evicted first, and read again when they
   * are needed. Default 64 MiB.
   */
  readonly settingsCacheBytes?: number;
}

/** How lists count. */
export interface PaginationOptions {
  /**
   * The number of the first page. Default 0, as the vendor's SDKs count; 1 is the shared convention of spec section 4.1.
   * Invitations count from 0 in either case, as the specification has it.
   */
  readonly firstPage?: 0 | 1;
}

/** What only tests set: an installation that serves people leaves the group out. */
export interface TestingOptions {
  /** Checks every reply against its declared schema, strictly, and answers 500 where they differ. Costs time. Default false. */
  readonly checkReplies?: boolean;
  /** What the time is. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Sets the timers of timeouts: `createManualClock().setTimer`, so that they fire when the clock is advanced. Default: the runtime's timers. */
  readonly setTimer?: SetTimer;
  /** Makes ids, codes and secrets. Default: the runtime's cryptographic generator. */
  readonly random?: Random;
}
