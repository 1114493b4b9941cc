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
import type { UserSource } from "../adapters/user-source.ts";
import type { Wait } from "./attack-protection/wait.ts";
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
  readonly wait: Wait;
  /** The algorithm that clients, APIs and new signing keys begin with. */
  readonly signingAlgorithm: SigningAlgorithm;
  /** Milliseconds that an audit event is kept; `Infinity` for always. */
  readonly logLifetime: number;
  /** The number of a list's first page. */
  readonly firstPage: 0 | 1;
}
