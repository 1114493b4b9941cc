import { createManualClock, type ManualClock } from "../src/adapters/clock.ts";
import type { PasswordHasher } from "../src/adapters/hasher.ts";
import { createRandomValues, systemRandom, type Random } from "../src/adapters/random.ts";
import type { HostServices, ServiceContext } from "../src/context.ts";
import { boundedMap } from "../src/store/bounded-map.ts";
import { createHourlyNotices } from "../src/process-state/hourly-notices.ts";
import { createMessageLimits } from "../src/process-state/message-limits.ts";
import { systemWait } from "../src/adapters/wait.ts";
import { ByteSemaphore } from "../src/store/byte-semaphore.ts";
import { createTargetHasher } from "../src/identity/passwords/hasher.ts";
import { createRotations } from "../src/process-state/rotations.ts";
import { createSuccessors } from "../src/crypto/successors.ts";
import { createFingerprints } from "../src/crypto/fingerprints.ts";
import { createSealer } from "../src/crypto/sealer.ts";
import { createProviderDocuments } from "../src/process-state/provider-documents.ts";
import { cheapTarget } from "./cheap-target.ts";
import { createClientDocuments, createClientKeys } from "../src/process-state/client-documents.ts";
import { createHourlyCounts } from "../src/process-state/hourly-counts.ts";

/** The parts of a {@link ServiceContext} that a test can set. */
interface TestServiceOptions {
  readonly clock?: ManualClock;
  readonly random?: Random;
  readonly hasher?: PasswordHasher;
  readonly host?: Partial<HostServices>;
}

const ring = [{ id: "1", secret: "0123456789abcdef0123456789abcdef" }] as const;

/**
 * Creates a {@link ServiceContext} whose host has only the adapters that the test sets. Requests to other servers fail.
 */
export function testServiceContext(options: TestServiceOptions = {}): ServiceContext {
  const { clock = createManualClock(0), random = systemRandom, hasher = createTargetHasher(cheapTarget) } = options;
  return {
    now: () => clock.now(),
    random: createRandomValues(clock, random),
    secrets: { sealer: createSealer(ring), successors: createSuccessors(ring), fingerprints: createFingerprints(ring), hasher },
    host: {
      clock,
      logger: { log: () => {} },
      telemetry: undefined,
      wait: systemWait,
      setTimer: clock.setTimer,
      rateLimiter: undefined,
      mail: undefined,
      sms: undefined,
      actions: [],
      logSinks: {},
      strategies: {},
      outboundFetch: async () => Promise.reject(new Error("requests to other servers are not expected in this test")),
      userSource: undefined,
      breachedPasswords: undefined,
      domainVerifier: undefined,
      ...options.host,
    },
    config: {
      development: false,
      firstPage: 0,
      metadataBytes: 65_536,
      pageBytes: 8_192_000,
      signingAlgorithm: "ES256",
      logLifetime: Infinity,
      lateEventWindow: 60_000,
    },
    processState: {
      largeReplies: new ByteSemaphore(8_192_000),
      messageLimits: createMessageLimits(),
      hourlyNotices: createHourlyNotices(),
      rotations: createRotations(clock),
      providerDocuments: createProviderDocuments(clock),
      clientDocuments: createClientDocuments({ clock, telemetry: undefined }),
      clientKeys: createClientKeys({ clock, telemetry: undefined }),
      strangers: createHourlyCounts(clock),
      requests: createHourlyCounts(clock),
      deletedConnections: boundedMap<true>(),
    },
  };
}

/** Returns a copy of a context in which some adapters of the host are replaced. */
export function withHost<Context extends ServiceContext>(context: Context, host: Partial<HostServices>): Context {
  return { ...context, host: { ...context.host, ...host } };
}
