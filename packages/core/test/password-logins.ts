import { createMemoryAdapter } from "@postern/memory";
import type { BreachedPasswords } from "../src/adapters/breached-passwords.ts";
import { createManualClock, type ManualClock } from "../src/adapters/clock.ts";
import type { PasswordHasher } from "../src/adapters/hasher.ts";
import type { LogEntry } from "../src/adapters/logger.ts";
import { systemRandom, type Random } from "../src/adapters/random.ts";
import type { RateLimiter } from "../src/adapters/rate-limit.ts";
import { dataContext, type DataContext, type TenantContext } from "../src/context.ts";
import type { Collection, Collections } from "../src/store/contract.ts";
import type { Row } from "../src/store/schema.ts";
import { tenantData, type TenantData } from "../src/store/tenant-data.ts";
import type { JsonObject } from "../src/store/value.ts";
import { systemWait, type Wait } from "../src/adapters/wait.ts";
import type { AuditEvent } from "../src/model/logs/audit-event.ts";
import { signInWithPassword, type PasswordRefusal } from "../src/identity/login/password-login.ts";
import type { SignInResult } from "../src/identity/login/sign-in.ts";
import { createUser } from "../src/identity/users/create-user.ts";
import type { RegisteredClient } from "../src/model/clients/client.ts";
import { fromCreateClient } from "../src/model/clients/clients.ts";
import { clientSettings } from "../src/model/clients/settings.ts";
import { createConnectionSchema, fromCreateConnection } from "../src/model/connections/connections.ts";
import { supportedDefaults } from "../src/model/tenant/settings.ts";
import { createUserSchema } from "../src/model/users/users.ts";
import { testServiceContext, withHost } from "./service-context.ts";

/**
 * A hasher without real work that counts its calls. A hash has the form `<prefix>:<password>`. The prefix `old`
 * requests a rehash, and `strange` is not supported.
 */
export interface CountingHasher extends PasswordHasher {
  /** Passwords that were verified against a stored hash. */
  readonly verified: string[];
  /** The number of calls of `verifyDummy`. */
  dummyVerifications: number;
  /** How long each call takes, in milliseconds. Default: 0. */
  delay: number;
}

export function countingHasher(): CountingHasher {
  const pause = async (): Promise<void> => {
    if (hasher.delay > 0) await systemWait(hasher.delay);
  };
  const hasher: CountingHasher = {
    verified: [],
    dummyVerifications: 0,
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
    async verifyDummy() {
      hasher.dummyVerifications++;
      await pause();
    },
  };
  return hasher;
}

/** A tenant with a password database, and the effects that a test can check. */
export interface Logins {
  readonly tenant: TenantContext;
  readonly clock: ManualClock;
  readonly data: TenantData;
  readonly client: RegisteredClient;
  /** The audit events that were written. */
  readonly audited: AuditEvent[];
  /** The users who received an email because their account was throttled. */
  readonly throttled: string[];
  readonly connection: Row<"connections">;
  /** The entries that were written to the host's log. */
  readonly logged: LogEntry[];
  /** The statements that were sent, as `collection.method`. */
  readonly statements: string[];
  /** The delays that were waited for, in milliseconds. */
  readonly waited: number[];
  readonly wait: Wait;
  /** Creates an account with {@link rightPassword}, or without a password if `password` is undefined. */
  addUser(user?: object): Promise<Row<"users">>;
  /** Links an account to a primary account. */
  link(account: Row<"users">, primary: Row<"users">): Promise<void>;
  login(identifier: string, password: string, more?: LoginOptions): Promise<TestLogin>;
}

/** Options for a sign-in in a test that differs from the default. */
interface LoginOptions {
  /** The client's IP address. Default: 192.0.2.1. */
  readonly ip?: string | undefined;
  /** The `attack_protection` settings of the tenant. */
  readonly protection?: JsonObject;
  readonly limiter?: RateLimiter;
  readonly connection?: Row<"connections">;
}

/** The result of a sign-in, with the audit events that it wrote. */
export type TestLogin = (SignInResult<object> | PasswordRefusal) & { readonly events: readonly AuditEvent[] };

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
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const logged: LogEntry[] = [];
  const statements: string[] = [];
  const waited: number[] = [];
  const wait = async (milliseconds: number): Promise<void> => {
    waited.push(milliseconds);
    await systemWait(milliseconds);
  };
  // A random byte decides whether a failure deletes expired rows. The fixed byte 1 prevents the deletion, so that tests
  // can count statements.
  const random: Random = { bytes: (length) => (length === 1 ? Uint8Array.of(1) : systemRandom.bytes(length)) };
  const logger = { log: (entry: LogEntry) => void logged.push(entry) };
  const service = testServiceContext({ clock, random, hasher, host: { breachedPasswords: options.breachedPasswords, logger, wait } });
  const data = tenantData(counted(options.collections ?? createMemoryAdapter({ strict: true }).collections, statements), "t1");
  const connection = await addConnection(dataContext(service, data), options.connection);
  const audited: AuditEvent[] = [];
  const throttled: string[] = [];
  const tenant: TenantContext = {
    ...dataContext(service, data),
    record: { id: "t1", attack_protection: options.attackProtection ?? {} },
    settings: supportedDefaults,
    requestInfo: { requestId: "r1", ip: undefined, sharedIp: false, userAgent: "", hostname: "", acceptLanguage: "" },
    messages: {
      sendThrottledAccountMail: (user) => void throttled.push(user.user_id),
      sendFactorLockedMail: () => {},
      notifyFactorChange: async () => ({}),
      sendDeletionMail: () => {},
      notifyAccountChange: async () => ({}),
    },
    audit: async (event) => void audited.push(event),
  };
  const client = testClient(clock.now());
  return {
    clock,
    data,
    tenant,
    client,
    audited,
    throttled,
    connection,
    logged,
    statements,
    waited,
    wait,
    addUser: async (user = { email: "ann@example.com" }) => {
      const body = Object.entries({ connection: connection.name, password: rightPassword, ...user });
      const sent = Object.fromEntries(body.filter(([, value]) => value !== undefined));
      return createUser(tenant, connection, await createUserSchema.parseAsync(sent));
    },
    async link({ user_id }, { user_id: primary }) {
      await data.users.update({ user_id: primary }, { add: { linked_count: 1 } });
      await data.users.update({ user_id }, { set: { linked_to: primary } });
    },
    async login(identifier, password, { limiter, protection, connection: at = connection, ...more } = {}) {
      const events: AuditEvent[] = [];
      const ip = "ip" in more ? more.ip : "192.0.2.1";
      const context: TenantContext = {
        ...withHost(tenant, { rateLimiter: limiter }),
        record: { id: "t1", attack_protection: protection ?? {} },
        requestInfo: { ...tenant.requestInfo, ip },
        audit: async (event) => void events.push(event),
      };
      const result = await signInWithPassword(context, {
        client,
        connection: at,
        identifier,
        password,
        session: { start: async () => ({}) },
      });
      if (result.kind === "signed-in") await result.recorded;
      return { ...result, events };
    },
  };
}

function testClient(now: number): RegisteredClient {
  const maker = { newCredentialId: () => "cred_1", now, issuer: "https://login.example.com/", signingAlgorithm: "RS256" } as const;
  const record: Row<"clients"> = {
    ...fromCreateClient({ name: "App" }, maker),
    client_id: "app",
    secret_hash: null,
    may_administer: false,
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
  };
  return { record, settings: clientSettings(record) };
}

async function addConnection(context: DataContext, body: object = {}): Promise<Row<"connections">> {
  const { record } = fromCreateConnection(createConnectionSchema.parse({ name: "Users", strategy: "auth0", ...body }));
  const now = context.now();
  const row = {
    ...record,
    id: context.random.record("con_"),
    secrets: {},
    seal: "",
    revision: 0,
    created_at: now,
    updated_at: now,
    deleting_at: null,
    former_name: null,
  };
  await context.data.connections.insert([row]);
  return row;
}

function counted(collections: Collections, statements: string[]): Collections {
  const entries = Object.entries(collections).map(([name, collection]) => [name, countedCollection(name, collection, statements)]);
  // The object has the same collections under the same names.
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
