import { memoryAdapter } from "@postern/memory";
import type { BreachedPasswords } from "../src/adapters/breached-passwords.ts";
import { manualClock, type ManualClock } from "../src/adapters/clock.ts";
import type { PasswordHasher } from "../src/adapters/hasher.ts";
import type { LogEntry } from "../src/adapters/logger.ts";
import { createIds, systemRandom, type Random } from "../src/adapters/random.ts";
import type { Collection, Collections } from "../src/data/contract.ts";
import type { Row } from "../src/data/schema.ts";
import type { JsonObject } from "../src/data/value.ts";
import { ByteSemaphore } from "../src/domain/byte-semaphore.ts";
import { boundedMap } from "../src/data/bounded-map.ts";
import { tenantData, type TenantData } from "../src/data/tenant-data.ts";
import { createProviderDocuments } from "../src/domain/upstream/provider-documents.ts";
import { createMessageLimits } from "../src/domain/attack-protection/message-limits.ts";
import { systemWait, type Wait } from "../src/domain/attack-protection/wait.ts";
import type { Environment } from "../src/domain/environment.ts";
import type { AuditEvent } from "../src/domain/audit.ts";
import { signInWithPassword, type PasswordLogin, type PasswordTry } from "../src/domain/login/password-login.ts";
import { createRotations } from "../src/domain/refresh-tokens/rotations.ts";
import { createSuccessors } from "../src/domain/refresh-tokens/successors.ts";
import { createFingerprints } from "../src/domain/sealing/fingerprints.ts";
import { createSealer } from "../src/domain/sealing/sealer.ts";
import type { PasswordTenant } from "../src/domain/users/passwords.ts";
import { createUser } from "../src/domain/users/create-user.ts";
import { attackProtection } from "../src/model/tenant/attack-protection.ts";
import { CreateConnection, fromCreateConnection } from "../src/model/connections/connections.ts";
import { CreateUser } from "../src/model/users/users.ts";

/** Hashes in no time; counts what it is asked. A hash is `<prefix>:<password>`: `old` asks for a new one, `strange` is not supported. */
export interface CountingHasher extends PasswordHasher {
  /** Passwords that were held against a stored hash. */
  readonly verified: string[];
  /** How often it worked for nothing. */
  decoys: number;
  /** How many milliseconds each answer takes. */
  delay: number;
}

export function countingHasher(): CountingHasher {
  const pause = async (): Promise<void> => {
    if (hasher.delay > 0) await systemWait(hasher.delay);
  };
  const hasher: CountingHasher = {
    verified: [],
    decoys: 0,
    delay: 0,
    accepts: () => true,
    hash: async (password) => `new:${password}`,
    async verify(password, stored) {
      hasher.verified.push(password);
      await pause();
      const [kind, right] = stored.split(":");
      if (kind === "strange") throw Object.assign(new Error("strange hash"), { name: "UnsupportedHashError" });
      if (password !== right) return "no-match";
      return kind === "old" ? "match-rehash" : "match";
    },
    async verifyNothing() {
      hasher.decoys++;
      await pause();
    },
  };
  return hasher;
}

/** A tenant's data with a password database, and what logging in needs. */
export interface Logins {
  readonly environment: Environment;
  readonly clock: ManualClock;
  readonly data: TenantData;
  /** The tenant, as far as setting a password needs it. */
  readonly tenant: PasswordTenant;
  /** What was put on record. */
  readonly audited: AuditEvent[];
  readonly connection: Row<"connections">;
  /** What the operator was told. */
  readonly told: LogEntry[];
  /** The statements that were asked so far, as `collection.method`. */
  readonly statements: string[];
  /** The pauses that were waited, in milliseconds. */
  readonly waited: number[];
  readonly wait: Wait;
  /** Creates an account with {@link rightPassword}, or without one where `password` is undefined. */
  addUser(user?: object): Promise<Row<"users">>;
  /** Makes one account another identity of a user. */
  link(account: Row<"users">, primary: Row<"users">): Promise<void>;
  login(identifier: string, password: string, more?: Partial<PasswordTry>): Promise<PasswordLogin>;
}

export const rightPassword = "correct-horse";

export async function createLogins(
  hasher: PasswordHasher = countingHasher(),
  options: {
    readonly connection?: object;
    readonly collections?: Collections;
    readonly breachedPasswords?: BreachedPasswords;
    readonly attackProtection?: JsonObject;
  } = {},
): Promise<Logins> {
  const clock = manualClock(Date.UTC(2026, 0, 1));
  const told: LogEntry[] = [];
  const statements: string[] = [];
  const waited: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => {
    waited.push(milliseconds);
    await systemWait(milliseconds);
  };
  // A single byte is what decides whether a failure removes those that are over: here none does, so that statements can be counted.
  const random: Random = { bytes: (length) => (length === 1 ? Uint8Array.of(1) : systemRandom.bytes(length)) };
  const ring = [{ id: "1", secret: "0123456789abcdef0123456789abcdef" }] as const;
  const environment: Environment = {
    clock,
    random,
    development: false,
    ids: createIds(clock, random),
    sealer: createSealer(ring),
    successors: createSuccessors(ring),
    rotations: createRotations(clock),
    fingerprints: createFingerprints(ring),
    hasher,
    breachedPasswords: options.breachedPasswords,
    logger: { log: (entry) => void told.push(entry) },
    signingAlgorithm: "ES256",
    logLifetime: Infinity,
    lateEventWindow: 60_000,
    firstPage: 0,
    rateLimiter: undefined,
    messageLimits: createMessageLimits(),
    mail: undefined,
    sms: undefined,
    actions: [],
    logSinks: {},
    userSource: undefined,
    askServer: async () => Promise.reject(new Error("nothing here asks another server")),
    providerDocuments: createProviderDocuments(clock),
    domainVerifier: undefined,
    metadataBytes: 65_536,
    pageBytes: 8_192_000,
    largeReplies: new ByteSemaphore(8_192_000),
    deletedConnections: boundedMap<true>(),
    wait,
    setTimer: clock.setTimer,
  };
  const data = tenantData(counted(options.collections ?? memoryAdapter({ strict: true }).collections, statements), "t1");
  const connection = await addConnection(environment, data, options.connection);
  const audited: AuditEvent[] = [];
  const tenant: PasswordTenant = {
    id: "t1",
    requestInfo: { requestId: "r1", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" },
    environment,
    data,
    record: { attack_protection: options.attackProtection ?? {} },
    audit: async (event) => void audited.push(event),
  };
  return {
    environment,
    clock,
    data,
    tenant,
    audited,
    connection,
    told,
    statements,
    waited,
    wait,
    addUser: (user = { email: "ann@example.com" }) => {
      const body = Object.entries({ connection: connection.name, password: rightPassword, ...user });
      const sent = Object.fromEntries(body.filter(([, value]) => value !== undefined));
      return createUser(environment, data, connection, CreateUser.parse(sent));
    },
    async link({ user_id }, { user_id: primary }) {
      await data.users.update({ user_id: primary }, { add: { linked_count: 1 } });
      await data.users.update({ user_id }, { set: { linked_to: primary } });
    },
    login: (identifier, password, more = {}) =>
      signInWithPassword({
        environment,
        data,
        tenantId: "t1",
        connection,
        identifier,
        password,
        ip: "192.0.2.1",
        protection: attackProtection({ attack_protection: {} }),
        limiter: undefined,
        wait,
        begin: async () => undefined,
        ...more,
      }),
  };
}

async function addConnection(environment: Environment, data: TenantData, body: object = {}): Promise<Row<"connections">> {
  const { record } = fromCreateConnection(CreateConnection.parse({ name: "Users", strategy: "auth0", ...body }));
  const now = environment.clock.now();
  const row = {
    ...record,
    id: environment.ids.record("con_"),
    secrets: {},
    seal: "",
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
    former_name: null,
  };
  await data.connections.insert([row]);
  return row;
}

function counted(collections: Collections, statements: string[]): Collections {
  const entries = Object.entries(collections).map(([name, collection]) => [name, countedCollection(name, collection, statements)]);
  // The same collections under the same names.
  return Object.fromEntries(entries) as Collections;
}

function countedCollection(name: string, collection: object, statements: string[]): object {
  const wrap = ([method, call]: [string, unknown]): [string, unknown] =>
    typeof call !== "function"
      ? [method, call]
      : [
          method,
          (...input: unknown[]): unknown => {
            statements.push(`${name}.${method}`);
            return Reflect.apply(call, collection, input);
          },
        ];
  const methods: readonly (keyof Collection)[] = ["insert", "find", "count", "update", "delete"];
  return Object.fromEntries(methods.map((method) => wrap([method, Reflect.get(collection, method)])));
}
