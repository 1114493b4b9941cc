import { consoleLogger, reliableLogger } from "./adapters/logger.ts";
import { systemClock } from "./adapters/clock.ts";
import { requireSupportedNode } from "./adapters/node-version.ts";
import { createOutboundFetch } from "./adapters/network.ts";
import { createRandomValues, systemRandom } from "./adapters/random.ts";
import { systemTimer } from "./adapters/timer.ts";
import { createClientDocuments, createClientKeys } from "./process-state/client-documents.ts";
import { createHourlyCounts } from "./process-state/hourly-counts.ts";
import { createHourlyNotices } from "./process-state/hourly-notices.ts";
import { createMessageLimits } from "./process-state/message-limits.ts";
import { createWait } from "./adapters/wait.ts";
import { boundedMap } from "./store/bounded-map.ts";
import type { DataAdapter } from "./store/contract.ts";
import { ByteSemaphore } from "./store/byte-semaphore.ts";
import type { ServiceContext } from "./context.ts";
import { createKeyStore } from "./tokens/keys/signing-keys.ts";
import { checkOptions } from "./setup/check-options.ts";
import { createPasswordHasher } from "./identity/passwords/hasher.ts";
import { createRotations } from "./process-state/rotations.ts";
import { createSuccessors } from "./crypto/successors.ts";
import { toKeyRing } from "./crypto/key-ring.ts";
import { createFingerprints } from "./crypto/fingerprints.ts";
import { createSealer } from "./crypto/sealer.ts";
import { createProviderDocuments } from "./process-state/provider-documents.ts";
import { createTokenVerifier } from "./tokens/verify.ts";
import type { DoctorOptions } from "./setup/doctor/run-checks.ts";
import type { Finding } from "./setup/finding.ts";
import { createReadiness } from "./setup/doctor/readiness.ts";
import { runOncePerProcess } from "./setup/doctor/run-once-per-process.ts";
import { createAdmission } from "./server/admission.ts";
import { createHandler } from "./server/handler.ts";
import { closingResponse, RequestDrain } from "./server/request-drain.ts";
import { setHostLogger } from "./server/host-log.ts";
import { createProbes } from "./server/probes.ts";
import { onUnhandledRequest } from "./server/unhandled-requests.ts";
import type { RequestExtra } from "./server/request-extra.ts";
import { createTrustedProxies } from "./http/client-address.ts";
import { createDocuments } from "./http/document.ts";
import { createUrls } from "./http/urls.ts";
import { smsByAction } from "./identity/actions/sms-by-action.ts";
import type { TenantApi } from "./operations/in-process/api.ts";
import type { ImportCounts } from "./identity/users/import/import-users.ts";
import type { ImportUsersOptions } from "./operations/in-process/import-users.ts";
import type { TransactionApi } from "./operations/in-process/in-transaction.ts";
import { createInProcess, type TenantOptions } from "./operations/in-process/in-process.ts";
import { createTranslations } from "./locales/translations.ts";
import { tenantMessages } from "./messages/tenant-messages.ts";
import type { PosternOptions } from "./setup/options.ts";
import { observeHasher } from "./telemetry/observe-hasher.ts";
import { Telemetry } from "./telemetry/telemetry.ts";
import { createRouting } from "./server/routing.ts";
import type { Seed, SeedReport } from "./operations/seed/seed.ts";
import { createSetupWarnings } from "./setup/request-warnings.ts";
import { createAuditWriter } from "./tenants/audit-writer.ts";
import { createRepeatedEvents } from "./tenants/repeated-events.ts";
import { createCache } from "./tenants/cache.ts";
import { createDataCheck } from "./tenants/databases/data-check.ts";
import { checkSecret } from "./tenants/key-ring.ts";
import { createScopes, type Installation } from "./tenants/installation.ts";
import { operationStore } from "./tenants/lifecycle/operations.ts";
import { createExecutor } from "./tenants/lifecycle/executor.ts";
import { createLoginSessionBudget } from "./tenants/login-session-budget.ts";
import { withDefaultLimits } from "./tenants/new-number-budget.ts";
import { createStores } from "./tenants/databases/stores.ts";
import { createSubdomains } from "./tenants/subdomains.ts";
import type { Delivered } from "./tenants/deliver-events.ts";
import type { SweepOptions, SweepResult } from "./operations/sweep/sweep.ts";

/** Options of `close`. */
export interface CloseOptions {
  /** Maximum milliseconds to wait for requests in progress. Default 10,000. */
  readonly deadlineMs?: number;
}

/** Options of `deliverEvents`. */
export interface DeliverOptions {
  /** The approximate maximum number of events and logout tokens to deliver. Default: 10,000. */
  readonly budget?: number;
}

/** The part of a {@link Postern} that serves requests. Framework adapters accept this type. */
export interface PosternHandler {
  /**
   * Responds to a request for any route of the Authentication API, the login pages or the Management API. Never
   * rejects: an unexpected error becomes a 500 response with a request ID.
   */
  fetch(request: Request, extra?: RequestExtra): Promise<Response>;
  /** The issuer of tenants without a separate hostname. Ends in a slash. */
  readonly issuer: string;
  /** Whether the handler also serves the path of `issuer` without its final slash. Default: false. */
  readonly servesPathWithoutSlash?: boolean;
}

/**
 * Jobs that the host must run regularly. Each job is bounded, resumable and safe to run in parallel, in one process or
 * in many.
 */
export interface PosternJobs {
  /**
   * Deletes expired rows and clients that registered themselves and stayed unused, completes interrupted deletions, and
   * re-encrypts values from older keys with the first key of the key ring. Call it every few minutes.
   */
  sweep(options?: SweepOptions): Promise<SweepResult>;
  /**
   * Delivers audit events that are older than three seconds to the log streams of tenants, and logout tokens to clients
   * whose users' sessions ended (OpenID Connect Back-Channel Logout). Each stream receives the
   * events in the order of its tenant's log. Streams take turns, and each call continues where the previous one
   * stopped. Call it every few seconds, even if the previous call has not ended, because a call waits for slow
   * receivers. Each event is delivered at least once. A later call retries a failed delivery, after a pause that doubles with each failure. After 20 failures in a row, the
   * stream is suspended until it is activated again. A logout token is sent up to six times within three hours.
   */
  deliverEvents(options?: DeliverOptions): Promise<Delivered>;
  /**
   * Runs an operation on a tenant that is pending, or that a crashed process left unfinished. Required only for a host
   * application with a custom `operationExecutor`. The operation runs once, even if this method is called several times
   * or in several processes. Resolves when the operation is finished. An unknown or finished operation is ignored.
   */
  runOperation(operationId: string): Promise<void>;
}

/** An identity service. Created by {@link createPostern}. */
export interface Postern extends PosternHandler {
  /**
   * Returns a tenant's Management API for code in the host application. The operations, rules, validation and audit log
   * are the same as over HTTP, but no token is required. Each method takes the path parameters of its route, then the
   * body, then the query. A method rejects with a {@link PosternError} whose `code` is the `error` that the route would
   * return. For an unknown tenant, the first call rejects with `not_found`.
   * @throws {PosternError} `configuration_error` for invalid options.
   *
   * @example
   * const acme = postern.tenant("acme");
   * const user = await acme.users.create({ connection: "Username-Password-Authentication", email, password });
   * await acme.users.roles.add(user.user_id, { roles: [role.id] });
   */
  tenant(tenantId: string, options?: TenantOptions): TenantApi;
  /**
   * Lets the host application write its own rows and call the Management API in one transaction. The host begins a
   * transaction on its own connection, calls this function, and then commits or rolls back. The returned promise
   * resolves when all work that `run` started is done, including work that normally continues after a response. Commit
   * only after the promise resolves; roll back if it rejects. It rejects if `run` rejects, or if a database statement
   * failed, even if `run` caught that error. If a call rejects because its input is invalid (for example, because an
   * email address is taken), the transaction can continue.
   *
   * A rollback does not undo mail, SMS, actions and hooks. Changed settings apply at once to calls inside the
   * transaction, and to other requests at most five seconds after the commit.
   * @param data the data store on the host's connection: `createPostgresAdapter(…).within(client)`.
   * @param run receives the API, which is valid until `run` ends. Later calls are rejected.
   * @throws {PosternError} `configuration_error` if the `databaseIsolation` option is set, because tenants are then in
   * other databases; `temporarily_unavailable` or `server_error` if a statement of the transaction failed.
   *
   * @example
   * await client.query("begin");
   * const user = await postern.inTransaction(data.within(client), async (inside) => {
   *   const acme = inside.tenant("acme");
   *   const created = await acme.users.create({ connection, email, password });
   *   await client.query("insert into profiles (user_id) values ($1)", [created.user_id]);
   *   return created;
   * });
   * await client.query("commit");
   */
  inTransaction<T>(data: DataAdapter, run: (inside: TransactionApi) => Promise<T>): Promise<T>;
  /**
   * Checks that the data store is set up for this version, and that the key ring can decrypt the stored values.
   * Decrypts one value of each kind for each key that encrypted such values. Call it at start, to detect problems
   * before the first request.
   * @throws an error that names the problem, if the data store is not set up or the key ring cannot decrypt a stored
   * value.
   */
  check(): Promise<void>;
  /**
   * Sets up a tenant with its initial clients, users, APIs, roles, connections and organizations. Missing resources are
   * created. Existing resources stay unchanged: their differences from the seed are listed in the report and logged as
   * warnings (event `seed_differs`). With `sync: true`, existing resources are changed to match the seed instead. A
   * client that manages the tenant gets its client grant back. A client may be used for administration again only if
   * the seed allows every destination to which the client sends codes and tokens, and every way in which it sends them.
   * Call it at every start, from one process or from all.
   * @throws {PosternError} `configuration_error` that names the invalid part of the seed.
   */
  seed(seed: Seed): Promise<SeedReport>;
  /**
   * Imports users with their password hashes into a connection of a tenant, for example from a file that is read line
   * by line, or from another database. Memory use does not grow with the number of users. If the process crashes,
   * import the same users again: with `upsert`, existing users are updated; without `upsert`, existing users are
   * reported to `onRejected`.
   * @param users users in the shape of {@link ImportedUser}. Invalid users are reported to `onRejected`, and the import
   * continues.
   * @throws {PosternError} `not_found` for an unknown tenant; `invalid_request` for an unknown connection, or for a
   * connection whose users come from an identity provider.
   */
  importUsers(tenantId: string, users: Iterable<unknown> | AsyncIterable<unknown>, options: ImportUsersOptions): Promise<ImportCounts>;
  readonly jobs: PosternJobs;
  /**
   * Checks this deployment from inside the process, and from outside through the public URL: requests the discovery
   * document, the login page and the token endpoint. Each finding names the header, proxy setting, mount path, scheme,
   * cookie attribute or clock that is wrong, and how to correct it. Run it in the process that serves requests, after
   * that process has started to listen.
   * @returns the findings, problems first. Never rejects, and follows no redirects.
   */
  doctor(options?: DoctorOptions): Promise<readonly Finding[]>;
  /**
   * Returns the response for a readiness check: 200 if the data store responds and is set up for this version,
   * otherwise 503. The result is cached for a second. For a liveness check, treat any response from any route as
   * success. Once per process, when the data store is ready, it also logs the tenants whose users cannot satisfy a
   * policy that requires a second factor (event `doctor`), without delaying the response.
   */
  ready(): Promise<Response>;
  /**
   * Prepares the end of the process: waits for requests in progress and their work after the response, stores the
   * counts of repeated failures, and closes the databases that were opened for tenants (`databaseIsolation`). Until it
   * resolves, new requests get 503 and `Connection: close`. A later request opens the databases again. Stop your own
   * calls of `jobs` before. The data adapter in the `data` option stays open, because it belongs to the host
   * application.
   */
  close(options?: CloseOptions): Promise<void>;
}

const defaultBodyBytes = 1024 * 1024;
const defaultMetadataBytes = 64 * 1024;
/**
 * The page limit fits a page with the maximum number of users, each with the maximum metadata and `otherBytes` of other
 * data.
 */
const [mostItems, otherBytes] = [100, 16 * 1024];
const defaultLoginSessionBytes = 64 * 1024 * 1024;
const defaultDataTimeoutSeconds = 8;
const defaultInFlight = 512;
const defaultWaitMs = 1000;
const defaultCloseDeadline = 10_000;
const defaultBudget = 10_000;
const defaultRetentionDays = 30;

/** The default for `logs.lateEventWindowSeconds`, in seconds. */
const defaultLateEventWindow = 60;

/**
 * Creates an identity service.
 * @throws {ConfigurationError} if an option is missing, unknown or invalid. Its `findings` name each such option, its
 * value, the expected value, and a page of the docs.
 *
 * @example
 * const postern = createPostern({ issuer: "https://login.example.com/", data, crypto: { secret } });
 * const response = await postern.fetch(request);
 */
export function createPostern(options: PosternOptions): Postern {
  requireSupportedNode();
  checkOptions(options);
  const installation = createInstallation(options);
  const routing = createRouting(installation.urls, {
    tenants: installation.controlPlaneTenantId !== undefined,
    operations: operationStore(installation) !== undefined,
  });
  const setup = createSetupWarnings(installation, routing);
  const parts = {
    installation,
    routing,
    setup,
    bodyBytes: options.limits?.bodyBytes ?? defaultBodyBytes,
    checkReplies: options.testing?.checkReplies ?? false,
  };
  const probes = createProbes(installation.urls);
  const { inFlight = defaultInFlight, waitMs = defaultWaitMs } = options.limits ?? {};
  const admission = createAdmission({ inFlight, waitMs }, installation.host);
  const handler = createHandler({ ...parts, admission, probes, proxies: createTrustedProxies(options.trustedProxies ?? []) });

  const drain = new RequestDrain();
  const { jobs } = installation;
  const ready = createDataCheck(options.data, installation.secrets.sealer, installation.stores.runOnFirst);

  const tenant = createInProcess(parts, ready);
  const doctor = async (asked?: DoctorOptions): Promise<readonly Finding[]> => {
    const { runDoctorChecks } = await import("./setup/doctor/run-checks.ts");
    return runDoctorChecks({ installation, probes, checkData: ready, respond: (request) => handler.fetch(request, {}, ready) }, asked);
  };
  // After the first response the public URL is reachable, and the checks do not delay the start of the application.
  const developmentRun = installation.config.development ? runOncePerProcess(doctor, installation.host.logger) : undefined;
  const policyRun = runOncePerProcess(async () => {
    const { checkFactorPolicies } = await import("./setup/doctor/factor-policies.ts");
    return checkFactorPolicies(jobs);
  }, installation.host.logger);

  const postern: Postern = {
    issuer: installation.urls.issuer,
    check: async () => {
      await ready();
      await checkSecret(installation.collections, installation.secrets.sealer);
    },
    tenant,
    inTransaction: async (data, run) => {
      const { inTransaction } = await import("./operations/in-process/in-transaction.ts");
      return inTransaction(parts, data, run);
    },
    fetch: (request, extra = {}) => {
      if (drain.isClosing) return Promise.resolve(closingResponse());
      const responded = drain.run(extra, (tracked) => handler.fetch(request, tracked, ready));
      developmentRun?.startAfter(responded);
      return responded;
    },
    importUsers: async (tenantId, users, asked) => {
      await ready();
      const { importUsersForHost } = await import("./operations/in-process/import-users.ts");
      return importUsersForHost(jobs, tenantId, users, asked);
    },
    jobs: {
      sweep: async ({ budget = defaultBudget } = {}) => {
        await ready();
        await jobs.audit.storeEndedCounts(jobs.now());
        const [{ removals }, { sweepDatabases }, { finishLifecycles }] = await Promise.all([
          import("./management/kit/removals.ts"),
          import("./operations/sweep/sweep-databases.ts"),
          import("./tenants/lifecycle/unfinished.ts"),
        ]);
        const sweep = async (): Promise<SweepResult> => {
          const settled = await finishLifecycles(jobs);
          const swept = await sweepDatabases(jobs, removals, budget);
          return { ...swept, finished: swept.finished && settled };
        };
        const { telemetry } = jobs.host;
        return telemetry === undefined ? sweep() : telemetry.observeSweep(sweep);
      },
      deliverEvents: async ({ budget = defaultBudget } = {}) => {
        await ready();
        const { deliverEvents } = await import("./tenants/deliver-events.ts");
        const deliver = (): Promise<Delivered> => deliverEvents(jobs, budget);
        const { telemetry } = jobs.host;
        return telemetry === undefined ? deliver() : telemetry.observe({ name: "postern deliver_events" }, deliver);
      },
      runOperation: async (operationId) => {
        await ready();
        const { runOperation } = await import("./tenants/lifecycle/run-operation.ts");
        await runOperation(jobs, operationId);
      },
    },
    doctor,
    ready: createReadiness({ installation, checkData: ready }, () => policyRun.startAfter(Promise.resolve())),
    close: ({ deadlineMs = defaultCloseDeadline } = {}) =>
      drain.close(async () => {
        developmentRun?.stop();
        policyRun.stop();
        const unfinished = await drain.end(deadlineMs, installation.host.wait);
        if (unfinished > 0) installation.host.logger.log({ level: "warn", event: "close_incomplete", unfinished });
        await jobs.audit.storeEndedCounts(jobs.now() + 60_000).catch((error: unknown) => {
          installation.host.logger.log({ level: "error", event: "fault", error });
        });
        await installation.stores.closeAll();
      }),
    seed: async (seed) => {
      await ready();
      const { applySeed } = await import("./operations/seed/apply-seed.ts");
      return applySeed(installation, tenant, seed);
    },
  };
  setHostLogger(postern, installation.host.logger);
  onUnhandledRequest(postern, (request) =>
    setup.reportNotFound(request, false).catch((error: unknown) => installation.host.logger.log({ level: "error", event: "fault", error })),
  );
  return postern;
}

function createInstallation(options: PosternOptions): Installation {
  const { data } = options;
  const logger = reliableLogger(options.logger ?? consoleLogger);
  const { clock = systemClock, random = systemRandom, setTimer = systemTimer } = options.testing ?? {};
  const { secret, hasher = createPasswordHasher(), signingAlgorithm = "RS256" } = options.crypto;
  const telemetry = options.telemetry && new Telemetry(options.telemetry, { clock, logger });
  const ring = toKeyRing(secret);
  const metadataBytes = options.limits?.userMetadataBytes ?? defaultMetadataBytes;
  const pageBytes = mostItems * (metadataBytes + otherBytes);
  const service: ServiceContext = {
    now: () => clock.now(),
    random: createRandomValues(clock, random),
    secrets: {
      sealer: createSealer(ring),
      successors: createSuccessors(ring),
      fingerprints: createFingerprints(ring),
      hasher: telemetry === undefined ? hasher : observeHasher(hasher, telemetry),
    },
    host: {
      clock,
      logger,
      telemetry,
      wait: createWait(setTimer),
      setTimer,
      rateLimiter: options.rateLimiter,
      mail: options.messages?.mail,
      sms: options.messages?.sms ?? smsByAction(options.actions),
      actions: options.actions ?? [],
      logSinks: options.logSinks ?? {},
      strategies: options.strategies ?? {},
      outboundFetch: options.network?.fetch ?? createOutboundFetch(options.network?.allowedPrivateAddresses),
      userSource: options.userSource,
      breachedPasswords: options.breachedPasswords,
      domainVerifier: options.domainVerifier,
    },
    config: {
      development: options.development ?? false,
      firstPage: options.pagination?.firstPage ?? 0,
      metadataBytes,
      pageBytes,
      signingAlgorithm,
      logLifetime: toLogLifetime(options.logs?.retentionDays ?? defaultRetentionDays),
      lateEventWindow: Math.ceil((options.logs?.lateEventWindowSeconds ?? defaultLateEventWindow) * 1000),
    },
    processState: {
      largeReplies: new ByteSemaphore(pageBytes),
      messageLimits: createMessageLimits(),
      hourlyNotices: createHourlyNotices(),
      rotations: createRotations(clock),
      providerDocuments: createProviderDocuments(clock),
      clientDocuments: createClientDocuments({ clock, telemetry }),
      clientKeys: createClientKeys({ clock, telemetry }),
      strangers: createHourlyCounts(clock),
      requests: createHourlyCounts(clock),
      deletedConnections: boundedMap<true>({ entries: 1000 }),
    },
  };
  const cache = createCache(clock, options.limits?.settingsCacheBytes, telemetry);
  const keys = createKeyStore(service);
  const dataTimeout = (options.limits?.dataTimeoutSeconds ?? defaultDataTimeoutSeconds) * 1000;
  const stores = createStores(data, options.databaseIsolation, options.controlPlane?.tenantId, service, dataTimeout);
  const { requests } = stores;
  const urls = createUrls(options.issuer);
  const shared = {
    ...service,
    cache,
    keys,
    loginSessions: createLoginSessionBudget(options.limits?.loginSessionBytesPerAddress ?? defaultLoginSessionBytes, clock),
    newNumberLimits: withDefaultLimits(options.limits),
    externalClientLimits: {
      clientDocumentsPerAddress: options.limits?.clientDocumentsPerAddress ?? 100,
      clientDocumentsPerTenant: options.limits?.clientDocumentsPerTenant ?? 1000,
      registrationsPerAddress: options.limits?.registrationsPerAddress ?? 20,
      unusedClients: options.limits?.unusedClients ?? 200,
    },
    audit: createAuditWriter((tenantId) => requests.collectionsOf(tenantId).logs, logger, createRepeatedEvents(), telemetry),
    tokens: createTokenVerifier(service, keys),
    documents: createDocuments(),
    messagesOf: tenantMessages,
    translations: createTranslations(options.texts),
    urls,
    subdomains: createSubdomains(options.subdomainRouting, urls, service.host),
    loginPage: options.loginPage,
    defaultTenantId: options.defaultTenantId,
    controlPlaneTenantId: options.controlPlane?.tenantId,
    requireOrganizationMatch: options.requireOrganizationMatch ?? true,
    sync: options.sync === false ? { resourceServers: false, roles: false } : { resourceServers: true, roles: true, ...options.sync },
    memberAccess: { permissions: options.defaultPermissions ?? [], roles: options.accessControl?.defaultRoles ?? [] },
    hooks: options.hooks ?? {},
    executor: createExecutor(options.operationExecutor, logger),
    isolation: options.databaseIsolation,
    controlPlaneClientId: options.controlPlane?.clientId,
    resolveControlPlane: options.resolveControlPlane,
  };
  const jobs: Installation = {
    ...shared,
    stores: stores.jobs,
    collections: stores.jobs.first,
    scope: createScopes(stores.jobs, cache, clock),
    get jobs() {
      return jobs;
    },
  };
  return { ...shared, stores: requests, collections: requests.first, scope: createScopes(requests, cache, clock), jobs };
}

function toLogLifetime(days: number): number {
  return days === Infinity ? Infinity : Math.ceil(days * 86_400_000);
}
