import type { Action } from "../adapters/actions.ts";
import type { BreachedPasswords } from "../adapters/breached-passwords.ts";
import type { Clock } from "../adapters/clock.ts";
import type { DomainVerifier } from "../adapters/domain-verifier.ts";
import type { PasswordHasher } from "../adapters/hasher.ts";
import type { LogSink } from "../adapters/log-sink.ts";
import type { Logger } from "../adapters/logger.ts";
import type { AskServer } from "../adapters/network.ts";
import type { MailSender } from "../adapters/mail.ts";
import type { RateLimiter } from "../adapters/rate-limit.ts";
import type { Ids, Random } from "../adapters/random.ts";
import type { SmsSender } from "../adapters/sms.ts";
import type { SetTimer } from "../adapters/timer.ts";
import type { UserSource } from "../adapters/user-source.ts";
import type { BoundedMap } from "../data/bounded-map.ts";
import type { MessageLimits } from "./attack-protection/message-limits.ts";
import type { Wait } from "./attack-protection/wait.ts";
import type { ByteSemaphore } from "./byte-semaphore.ts";
import type { SigningAlgorithm } from "./keys/algorithms.ts";
import type { Rotations } from "./refresh-tokens/rotations.ts";
import type { Successors } from "./refresh-tokens/successors.ts";
import type { Fingerprints } from "./sealing/fingerprints.ts";
import type { Sealer } from "./sealing/sealer.ts";
import type { ProviderDocuments } from "./upstream/provider-documents.ts";

/** What the rules need from the outside: nothing in core reaches for the time, randomness or the network by itself. */
export interface Environment {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly sealer: Sealer;
  readonly successors: Successors;
  readonly rotations: Rotations;
  readonly fingerprints: Fingerprints;
  readonly hasher: PasswordHasher;
  /** Knows breached passwords; undefined where the host brings no list. */
  readonly breachedPasswords: BreachedPasswords | undefined;
  readonly logger: Logger;
  /** Whether errors say where they are explained. */
  readonly development: boolean;
  /** Counts tries for the host; undefined where it brings no counter. */
  readonly rateLimiter: RateLimiter | undefined;
  /** Counts messages in this process, for what the host's rate limiter does not count. */
  readonly messageLimits: MessageLimits;
  /** Checks whose a domain is; undefined where the host brings no such check. */
  readonly domainVerifier: DomainVerifier | undefined;
  /** Sends mail; undefined where the host sends none. */
  readonly mail: MailSender | undefined;
  /** Sends text messages; undefined where the host sends none. */
  readonly sms: SmsSender | undefined;
  /** The host's code that runs at logins, sign-ups and the like, in its order. */
  readonly actions: readonly Action[];
  /** Where log streams may lead besides HTTP endpoints, by type. */
  readonly logSinks: { readonly [type: string]: LogSink };
  /** Asks other servers, such as identity providers. */
  readonly askServer: AskServer;
  /** What identity providers say of themselves. */
  readonly providerDocuments: ProviderDocuments;
  /** The database that people come from; undefined where there is none. */
  readonly userSource: UserSource | undefined;
  /** Bytes that the metadata of one account may have, as JSON. */
  readonly metadataBytes: number;
  /** Bytes that the items of one page of a list may have, as JSON. */
  readonly pageBytes: number;
  /** Lets pages of lists that are large wait for each other. */
  readonly largeReplies: ByteSemaphore;
  /** Ids of connections that this process deleted lately: a sign-up that read the connection before must not leave an account in it. */
  readonly deletedConnections: BoundedMap<true>;
  readonly wait: Wait;
  readonly setTimer: SetTimer;
  /** The algorithm that clients, APIs and new signing keys begin with. */
  readonly signingAlgorithm: SigningAlgorithm;
  /** Milliseconds that an audit event is kept; `Infinity` for always. */
  readonly logLifetime: number;
  /** Milliseconds after its date within which an event may be committed and is still delivered to log streams. */
  readonly lateEventWindow: number;
  /** The number of a list's first page. */
  readonly firstPage: 0 | 1;
}
