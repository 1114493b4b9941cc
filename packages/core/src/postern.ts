import { consoleLogger, reliableLogger } from "./adapters/logger.ts";
import { systemClock } from "./adapters/clock.ts";
import { requireSupportedNode } from "./adapters/node-version.ts";
import { createOutboundFetch } from "./adapters/network.ts";
import { createRandomValues, systemRandom } from "./adapters/random.ts";
import { systemTimer } from "./adapters/timer.ts";
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
import { createHandler } from "./server/handler.ts";
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
import { createRouting } from "./server/routing.ts";
import type { Seed, SeedReport } from "./operations/seed/seed.ts";
import { createSetupWarnings } from "./setup/request-warnings.ts";
import { createAuditWriter } from "./tenants/audit-writer.ts";
import { createCache } from "./tenants/cache.ts";
import { createDataCheck } from "./tenants/databases/data-check.ts";
import { checkSecret } from "./tenants/key-ring.ts";
import { createScopes, type Installation } from "./tenants/installation.ts";
import { operationStore } from "./tenants/lifecycle/operations.ts";
import { createExecutor } from "./tenants/lifecycle/executor.ts";
import { createLoginSessionBudget } from "./tenants/login-session-budget.ts";
import { createStores } from "./tenants/databases/stores.ts";
import { createSubdomains } from "./tenants/subdomains.ts";
import type { Delivered } from "./tenants/log-streams/deliver.ts";
import type { SweepOptions, Swept } from "./operations/sweep/sweep.ts";
import { runOperation } from "./tenants/lifecycle/run-operation.ts";

/** How much one call of `deliverEvents` does. */
export interface DeliverOptions {
  /** Events to deliver at most, roughly. Default 10,000. */
  readonly budget?: number;
}

/** The part of a {@link Postern} that serves requests. Glue for frameworks takes it. */
export interface PosternHandler {
  /**
   * Responds to a request: every route of the Authentication API, of the login pages and of the Management API.
   * Never rejects: a fault becomes a 500 with a request ID.
   */
  fetch(request: Request, extra?: RequestExtra): Promise<Response>;
  /** The issuer of tenants without their own host. Ends in a slash. */
  readonly issuer: string;
}

/** Work that the host must start now and then. Each job is bounded, resumable and safe to run in parallel, in one process or in many. */
export interface PosternJobs {
  /**
   * Deletes expired rows, completes interrupted deletions, and encrypts with the first key of the ring what an older key encrypted. Call it every few
   * minutes.
   */
  sweep(options?: SweepOptions): Promise<Swept>;
  /**
   * Delivers audit events to the log streams of tenants, in the order of each log: those that are older than three seconds. Call it every few seconds. Each
   * event is delivered at least once. A failed delivery is retried by a later call, after a pause that doubles. After 20 failures in a row, the stream is
   * suspended until it is activated again.
   */
  deliverEvents(options?: DeliverOptions): Promise<Delivered>;
  /**
   * Runs an operation on a tenant that waits, or that a crashed process left: for a host with its own `operationExecutor`. The operation runs once, however
   * often and wherever this is called. Resolves when it is finished; an ID that is unknown or finished does nothing.
   */
  runOperation(operationId: string): Promise<void>;
}

/** An identity service. Created by {@link createPostern}. */
export interface Postern extends PosternHandler {
  /**
   * The Management API of a tenant for the host's own code: the same operations, rules, validation and audit log, without HTTP and without a token. Each method takes the parameters of the
   * route's path, then its body, then its query, and rejects with a {@link PosternError} whose `code` is the `error` of the route. A tenant that is unknown is `not_found` at the first call.
   * @throws {PosternError} `configuration_error` for options that cannot be.
   *
   * @example
   * const acme = postern.tenant("acme");
   * const user = await acme.users.create({ connection: "Username-Password-Authentication", email, password });
   * await acme.users.roles.add(user.user_id, { roles: [role.id] });
   */
  tenant(tenantId: string, options?: TenantOptions): TenantApi;
  /**
   * Lets the host's own code write its rows and call the Management API in one transaction, all or nothing: the host begins a transaction on a connection of its own, does its part, and commits or rolls back.
   * Resolves when everything that was begun inside is done, also what goes on after an answer; only then commit. Where it rejects, roll back. It rejects with what `run` rejects with, and, where the
   * transaction is spoiled, also if `run` caught that: what a call refuses (a taken address, say) spoils nothing.
   *
   * What is outside of the database is not undone: mails, SMS, actions and hooks. Whoever changes settings here is answered by them in this process at once, and by other requests after the commit, up to five seconds later.
   * @param data the data by the host's connection: `createPostgresAdapter(…).within(client)`.
   * @param run gets the API for as long as it takes. Calls after that are refused.
   * @throws {PosternError} `configuration_error` with `databaseIsolation`, where tenants are in other databases; `temporarily_unavailable` or `server_error` where the transaction is spoiled.
   *
   * @example
   * await client.query("begin");
   * const user = await postern.inTransaction(data.within(client), async (inside) => {
   *   const created = await inside.tenant("acme").users.create({ connection: "Username-Password-Authentication", email, password });
   *   await client.query("insert into profiles (user_id) values ($1)", [created.user_id]);
   *   return created;
   * });
   * await client.query("commit");
   */
  inTransaction<T>(data: DataAdapter, run: (inside: TransactionApi) => Promise<T>): Promise<T>;
  /**
   * Compares the data store with what this version needs, and tries the secret on what is sealed in it: on one text of each kind, for each key that sealed any.
   * Call it at start, to know before the first request.
   * @throws with the name of what is missing, and where the key ring does not open what is stored.
   */
  check(): Promise<void>;
  /**
   * Sets up a tenant with what it begins with: clients, users, APIs, roles, connections, organizations. What is missing is added. What is there stays as it is, and where the seed says something else,
   * that is in the report and, as a warning, in the log (event `seed_differs`); with `sync: true` it is changed instead. A client that manages the tenant gets its client grant back, and people may administer
   * through a client again whose answers go no further than the seed says. To be called at every start, from one process or from all.
   * @throws {PosternError} `configuration_error` that names what cannot be used.
   */
  seed(seed: Seed): Promise<SeedReport>;
  /**
   * Imports users into a connection of a tenant, with the hashes of their passwords: from a file, line by line, or from another database. Any number: what is in memory does not grow with it.
   * Where the process is lost, import the same users again: with `upsert` those that are there are changed, without it they are told to `onRejected`.
   * @param users in the shape of {@link ImportedUser}, one after the other. What is none is told to `onRejected`, and the import goes on.
   * @throws {PosternError} `not_found` for a tenant that is unknown; `invalid_request` for a connection that is, or whose users come from an identity provider.
   */
  importUsers(tenantId: string, users: Iterable<unknown> | AsyncIterable<unknown>, options: ImportUsersOptions): Promise<ImportCounts>;
  readonly jobs: PosternJobs;
  /**
   * Looks at the installation from inside, and through its public address from outside: asks for its own discovery document, its login page and its token endpoint, and says which header, proxy setting, mount
   * path, scheme, cookie attribute or clock is wrong, with what to do. Run it in the process that answers, when it listens.
   * @returns what was found, what is wrong first. It never rejects, and follows no redirects.
   */
  doctor(options?: DoctorOptions): Promise<readonly Finding[]>;
  /** For a readiness check: 200 while the data store answers and is what this version needs, else 503. What it found out is told again for a second. That the process lives is told by any answer. */
  ready(): Promise<Response>;
  /** Closes the databases that were opened for tenants (`databaseIsolation`), each when the questions to it have their answers. `data` stays open: it belongs to the host. */
  close(): Promise<void>;
}

const defaultBodyBytes = 1024 * 1024;
const defaultMetadataBytes = 64 * 1024;
/** A page of the most items, each a user with the most metadata and so many bytes of everything else, is within the limit of a page. */
const [mostItems, otherBytes] = [100, 16 * 1024];
const defaultLoginSessionBytes = 64 * 1024 * 1024;
const defaultDataTimeoutSeconds = 8;
const defaultBudget = 10_000;
const defaultRetentionDays = 30;

/** Seconds: `logs.lateEventWindowSeconds`. */
const defaultLateEventWindow = 60;

/**
 * Makes an identity service.
 * @throws {ConfigurationError} if an option is missing, unknown or invalid. Its `findings` name each such option, its value,
 * what is expected, and a page of the docs.
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
  const handler = createHandler({ ...parts, probes, proxies: createTrustedProxies(options.trustedProxies ?? []) });

  const { jobs } = installation;
  const ready = createDataCheck(options.data, installation.stores.runOnFirst);

  const tenant = createInProcess(parts, ready);
  const doctor = async (asked?: DoctorOptions): Promise<readonly Finding[]> => {
    const { runChecks } = await import("./setup/doctor/run-checks.ts");
    return runChecks({ installation, probes, checkData: ready, respond: (request) => handler.fetch(request, {}, ready) }, asked);
  };
  const developmentRun = installation.config.development ? runOncePerProcess(doctor, installation.host.logger) : undefined;

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
      const answered = handler.fetch(request, extra, ready);
      developmentRun?.startAfter(answered);
      return answered;
    },
    importUsers: async (tenantId, users, asked) => {
      await ready();
      const { importForHost } = await import("./operations/in-process/import-users.ts");
      return importForHost(jobs, tenantId, users, asked);
    },
    jobs: {
      sweep: async ({ budget = defaultBudget } = {}) => {
        await ready();
        await jobs.audit.settle(jobs.now());
        const [{ removals }, { sweepDatabases }, { finishLifecycles }] = await Promise.all([
          import("./management/kit/removals.ts"),
          import("./operations/sweep/sweep-databases.ts"),
          import("./tenants/lifecycle/unfinished.ts"),
        ]);
        const settled = await finishLifecycles(jobs);
        const swept = await sweepDatabases(jobs, removals, budget);
        return { ...swept, finished: swept.finished && settled };
      },
      deliverEvents: async ({ budget = defaultBudget } = {}) => {
        await ready();
        const { deliverEvents } = await import("./tenants/log-streams/deliver.ts");
        return deliverEvents(jobs, budget);
      },
      runOperation: async (operationId) => {
        await ready();
        await runOperation(jobs, operationId);
      },
    },
    doctor,
    ready: createReadiness({ installation, checkData: ready }),
    close: () => {
      developmentRun?.stop();
      return installation.stores.closeAll();
    },
    seed: async (seed) => {
      await ready();
      const { applySeed } = await import("./operations/seed/apply-seed.ts");
      return applySeed(installation, tenant, seed);
    },
  };
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
  const ring = toKeyRing(secret);
  const metadataBytes = options.limits?.userMetadataBytes ?? defaultMetadataBytes;
  const pageBytes = mostItems * (metadataBytes + otherBytes);
  const service: ServiceContext = {
    now: () => clock.now(),
    random: createRandomValues(clock, random),
    secrets: { sealer: createSealer(ring), successors: createSuccessors(ring), fingerprints: createFingerprints(ring), hasher },
    host: {
      clock,
      logger,
      wait: createWait(setTimer),
      setTimer,
      rateLimiter: options.rateLimiter,
      mail: options.messages?.mail,
      sms: options.messages?.sms ?? smsByAction(options.actions),
      actions: options.actions ?? [],
      logSinks: options.logSinks ?? {},
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
      rotations: createRotations(clock),
      providerDocuments: createProviderDocuments(clock),
      deletedConnections: boundedMap<true>({ entries: 1000 }),
    },
  };
  const cache = createCache(clock, options.limits?.settingsCacheBytes);
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
    audit: createAuditWriter((tenantId) => requests.collectionsOf(tenantId).logs, logger),
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
    scope: createScopes(stores.jobs, cache),
    get jobs() {
      return jobs;
    },
  };
  return { ...shared, stores: requests, collections: requests.first, scope: createScopes(requests, cache), jobs };
}

function toLogLifetime(days: number): number {
  return days === Infinity ? Infinity : Math.ceil(days * 86_400_000);
}
