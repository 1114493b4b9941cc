import type { JSONWebKeySet } from "jose";
import type { Action } from "./adapters/actions.ts";
import type { BreachedPasswords } from "./adapters/breached-passwords.ts";
import type { Clock } from "./adapters/clock.ts";
import type { ConnectionStrategy } from "./adapters/connection-strategy.ts";
import type { DomainVerifier } from "./adapters/domain-verifier.ts";
import type { PasswordHasher } from "./adapters/hasher.ts";
import type { LogSink } from "./adapters/log-sink.ts";
import type { Logger } from "./adapters/logger.ts";
import type { MailSender } from "./adapters/mail.ts";
import type { OutboundFetch } from "./adapters/network.ts";
import type { RandomValues } from "./adapters/random.ts";
import type { RateLimiter } from "./adapters/rate-limit.ts";
import type { SmsSender } from "./adapters/sms.ts";
import type { SetTimer } from "./adapters/timer.ts";
import type { UserSource } from "./adapters/user-source.ts";
import type { BoundedMap } from "./store/bounded-map.ts";
import type { Row } from "./store/schema.ts";
import type { RequestTrace } from "./telemetry/request-trace.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import type { TenantData } from "./store/tenant-data.ts";
import type { AuditEvent } from "./model/logs/audit-event.ts";
import type { HourlyNotices } from "./process-state/hourly-notices.ts";
import type { MessageLimits } from "./process-state/message-limits.ts";
import type { Wait } from "./adapters/wait.ts";
import type { ByteSemaphore } from "./store/byte-semaphore.ts";
import type { SigningAlgorithm } from "./model/keys/algorithms.ts";
import type { Rotations } from "./process-state/rotations.ts";
import type { Successors } from "./crypto/successors.ts";
import type { Fingerprints } from "./crypto/fingerprints.ts";
import type { Sealer } from "./crypto/sealer.ts";
import type { DocumentCache } from "./process-state/client-documents.ts";
import type { HourlyCounts } from "./process-state/hourly-counts.ts";
import type { ProviderDocuments } from "./process-state/provider-documents.ts";
import type { RegisteredClient } from "./model/clients/client.ts";
import type { ClientDocument } from "./model/clients/registration.ts";
import type { FactorType } from "./model/factors/factor-types.ts";
import type { SupportedTenantSettings } from "./model/tenant/settings.ts";

/**
 * The services that one `createPostern` call provides to its rules, the functions that implement the behavior of the
 * service. Rules never read the time, randomness or the network directly, so that a test can replace each of these
 * sources.
 */
export interface ServiceContext {
  /** Returns milliseconds since 1970 (UTC). */
  now(): number;
  readonly random: RandomValues;
  readonly secrets: Secrets;
  readonly host: HostServices;
  readonly config: ServiceConfig;
  readonly processState: ProcessState;
}

/** The context of a rule that reads or writes one tenant's data, whether or not the rule runs for a request. */
export interface DataContext extends ServiceContext {
  readonly data: TenantData;
}

/** The context of a rule that runs for a request to one tenant. Rules take it as their first parameter. */
export interface TenantContext extends DataContext {
  readonly record: Pick<Row<"tenants">, "id" | "attack_protection">;
  readonly settings: SupportedTenantSettings;
  readonly requestInfo: RequestInfo;
  readonly messages: TenantMessages;
  /** Writes an audit event. Resolves when the event is stored. */
  audit(event: AuditEvent): Promise<void>;
}

/** The data of an HTTP request that rules use. */
export interface RequestInfo {
  readonly requestId: string;
  /** The IP address of the client; undefined if the host application does not pass it. */
  readonly ip: string | undefined;
  /**
   * Whether `ip` is the address of a proxy that the host application did not declare as trusted. All clients behind
   * that proxy share the address.
   */
  readonly sharedIp: boolean;
  readonly userAgent: string;
  readonly hostname: string;
  /** The `Accept-Language` header. */
  readonly acceptLanguage: string;
  /**
   * Starts work after the response is sent, so that the response time does not depend on the work. The work must not
   * reject. If this is undefined, the work starts immediately.
   */
  readonly afterResponse?: (work: () => Promise<void>) => void;
  /** The trace of the request. Omitted if the host application passes no telemetry. */
  readonly trace?: Pick<RequestTrace, "ids" | "refuse" | "noteClient">;
}

/** Starts work after the response is sent. See {@link RequestInfo.afterResponse}. */
export function startAfterResponse({ afterResponse }: RequestInfo, work: () => Promise<void>): void {
  if (afterResponse === undefined) void work();
  else afterResponse(work);
}

/** A change of factors that their user made. */
export interface OwnFactorChange {
  /** `replaced`: the user got another recovery code. */
  readonly change: "added" | "removed" | "replaced";
  readonly type: FactorType;
  /** The factor that changed. Omitted for a recovery code. */
  readonly factor?: Pick<Row<"factors">, "type" | "id" | "address">;
  readonly client: RegisteredClient | undefined;
}

/** The deletion of an account that its user asked for. */
export interface OwnDeletion {
  /** When the account will be deleted, in milliseconds since 1970. */
  readonly at: number;
  /** The client at which the user asked for it. */
  readonly client?: RegisteredClient | undefined;
}

/**
 * A change of an account that is reported at its former address: of the email address, the phone number, the username or
 * the password. `linked`, `unlinked`: another account was linked or unlinked.
 */
export type AccountChange = "email" | "phone" | "username" | "password" | "linked" | "unlinked";

/** A change of an account that its user made. */
export interface OwnAccountChange {
  readonly change: AccountChange;
  /** The client of the page. */
  readonly client: RegisteredClient | undefined;
}

/**
 * Messages that rules send. Each message is sent after the response, so that the response time does not reveal whether a
 * message is sent.
 */
export interface TenantMessages {
  /**
   * Informs a user that password logins to the account are temporarily throttled, unless the tenant disabled such
   * emails.
   */
  sendThrottledAccountMail(user: Row<"users">, client: RegisteredClient): void;
  /** Tells a user that too many attempts with a factor failed, so that it is locked for some minutes. */
  sendFactorLockedMail(user: Row<"users">, client: RegisteredClient | undefined): void;
  /**
   * Tells a user that they changed a factor, by email or else by text message. The message contains a link that protects
   * the account if they did not.
   * @param user the account before the change, so that the message goes to the address of before.
   * @returns details for the audit event of the change. Empty if the user is told.
   */
  notifyFactorChange(user: Row<"users">, change: OwnFactorChange): Promise<{ readonly notified?: false }>;
  /** Tells a user when the account will be deleted, because the user asked for it, and how to keep it. */
  sendDeletionMail(user: Row<"users">, deletion: OwnDeletion): void;
  /** Tells a user that they changed their account, as {@link TenantMessages.notifyFactorChange}. */
  notifyAccountChange(user: Row<"users">, change: OwnAccountChange): Promise<{ readonly notified?: false }>;
}

/** The cryptographic services. All except `hasher` use the key ring that the host application passes. */
export interface Secrets {
  /** Encrypts and decrypts stored secrets. */
  readonly sealer: Sealer;
  /** Computes keyed hashes, for example for cookies and form tokens. */
  readonly fingerprints: Fingerprints;
  /** Derives the text of the token that replaces a rotated refresh token. */
  readonly successors: Successors;
  readonly hasher: PasswordHasher;
}

/**
 * The adapters that the host application passes, or their defaults. An adapter without a default is `undefined` if the
 * host application passes none.
 */
export interface HostServices {
  /** The clock. Most rules need only {@link ServiceContext.now}. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Records spans and metrics; undefined if the host application passes no telemetry. */
  readonly telemetry: Telemetry | undefined;
  readonly wait: Wait;
  readonly setTimer: SetTimer;
  readonly rateLimiter: RateLimiter | undefined;
  readonly mail: MailSender | undefined;
  readonly sms: SmsSender | undefined;
  /** Actions in their order of execution. */
  readonly actions: readonly Action[];
  /** Destinations for log streams other than the built-in types, by the type of the stream. */
  readonly logSinks: { readonly [type: string]: LogSink };
  /** Protocols of enterprise connections, in addition to those that Postern implements, by strategy. */
  readonly strategies: { readonly [strategy: string]: ConnectionStrategy };
  /** Sends requests to other servers, such as identity providers. */
  readonly outboundFetch: OutboundFetch;
  /** The database that users are imported from when they sign in for the first time. */
  readonly userSource: UserSource | undefined;
  readonly breachedPasswords: BreachedPasswords | undefined;
  readonly domainVerifier: DomainVerifier | undefined;
}

/** The host application's options that rules read, with their defaults applied. */
export interface ServiceConfig {
  /** Whether error pages explain their cause to developers. */
  readonly development: boolean;
  /** The number of a list's first page. */
  readonly firstPage: 0 | 1;
  /** Maximum bytes of one account's metadata, as JSON. */
  readonly metadataBytes: number;
  /** Maximum bytes of the items of one page of a list, as JSON. */
  readonly pageBytes: number;
  /** The default algorithm for new clients, APIs and signing keys. */
  readonly signingAlgorithm: SigningAlgorithm;
  /** Milliseconds until an audit event expires; `Infinity` for never. */
  readonly logLifetime: number;
  /**
   * Milliseconds. An audit event that is committed at most this long after its date is still delivered to log streams.
   */
  readonly lateEventWindow: number;
}

/** Bounded state that this process shares between requests. Losing it is always safe. */
export interface ProcessState {
  /** Limits the total bytes of the list pages that are built at the same time. */
  readonly largeReplies: ByteSemaphore;
  /** Counts messages per destination if the host application passes no rate limiter. */
  readonly messageLimits: MessageLimits;
  readonly hourlyNotices: HourlyNotices;
  /** Refresh tokens that this process rotated recently. */
  readonly rotations: Rotations;
  /** Cached discovery documents and key sets of identity providers. */
  readonly providerDocuments: ProviderDocuments;
  /** Cached metadata documents of external clients. */
  readonly clientDocuments: DocumentCache<ClientDocument>;
  /** Cached JSON Web Key Sets of external clients. */
  readonly clientKeys: DocumentCache<JSONWebKeySet>;
  /** Counts of what strangers cause by naming external clients. */
  readonly strangers: HourlyCounts;
  /** Counts of requests by client address, for routes that limit them. */
  readonly requests: HourlyCounts;
  /**
   * Ids of recently deleted connections. A sign-up that read the connection before its deletion must not create a user
   * in it.
   */
  readonly deletedConnections: BoundedMap<true>;
}

/** Returns the context for a rule that runs on one tenant's data without a request, for example in a job. */
export function dataContext(service: ServiceContext, data: TenantData): DataContext {
  const { random, secrets, host, config, processState } = service;
  return { now: () => service.now(), random, secrets, host, config, processState, data };
}
