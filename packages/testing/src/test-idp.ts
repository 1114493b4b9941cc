import { randomUUID } from "node:crypto";
import { createPostern, type PasswordHasher, type Postern, type PosternOptions } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createManualClock } from "@postern/core/testing";
import { toNodeHandler } from "@postern/express";
import { createMemoryAdapter } from "@postern/memory";
import { movableClock, type MovableClock } from "./clock.ts";
import { fastHasher } from "./fast-hasher.ts";
import { createPostOffice, type Message } from "./inbox.ts";
import { listen, type Certificate } from "./listen.ts";
import { testRandom } from "./random.ts";
import { startProviderServer, type ProviderServer } from "./test-provider.ts";
import { openTenant, type TestTenant } from "./test-tenant.ts";

/** Options of {@link createTestIdp}. */
export interface TestIdpOptions {
  /** Listens on 127.0.0.1, for apps and browsers: on this port, or on a free one. Default: it answers in process alone, by `fetch`. */
  readonly listen?: boolean | number;
  /** A certificate and its key, in PEM: it listens on https. */
  readonly tls?: Certificate;
  /** The issuer of one that does not listen. Default: `https://idp.test/`. */
  readonly issuer?: string;
  /** Where everything is kept. Default: in memory. */
  readonly data?: DataAdapter;
  /** The callback of each tenant's client. Default: `http://localhost:3000/callback`. */
  readonly callback?: string;
  /**
   * Codes, secrets and the random part of ids come out alike for the same text, where a test asks for one thing after another. The clock then stands still until it is moved: ids begin with the
   * time. Default: they are random, and the clock runs.
   */
  readonly seed?: string;
  /** Hashes passwords. Default: in no time. */
  readonly hasher?: PasswordHasher;
  /** Told of each mail and text message when it comes. They are also kept, in `messages`. */
  readonly onMessage?: (message: Message) => void;
  /** Further options of the service. */
  readonly options?: Omit<PosternOptions, "issuer" | "data" | "crypto" | "messages" | "testing">;
}

/** A local identity provider with a tenant to begin with, `main`. Made by {@link createTestIdp}. */
export interface TestIdp extends TestTenant, AsyncDisposable {
  readonly postern: Postern;
  readonly issuer: string;
  /** Runs as the machine's clock does unless there is a `seed`, and can be moved on: `clock.advance("31d")`. */
  readonly clock: MovableClock;
  /** Answers a request in process. */
  fetch(request: Request): Promise<Response>;
  /** A tenant of its own for a test or a worker. @param id default: one that nobody else has. The same id is the same tenant. */
  tenant(id?: string): Promise<TestTenant>;
  /** Stops listening. `await using` does it by itself. */
  close(): Promise<void>;
}

const controlPlane = "control-plane";

/** Only of tests. */
const secret = "only-for-tests-0123456789-abcdefghij";

/**
 * Makes a local identity provider for tests: the same code as in production, on a database in memory, with a clock that can be moved and mail that is kept.
 * @throws {Error} the system's (`EADDRINUSE`), where it is to listen on a port that is taken.
 *
 * @example
 * await using idp = await createTestIdp();
 * const ada = await idp.createUser();
 * const { accessToken } = await idp.signIn(ada);
 * idp.clock.advance("31d");
 */
export async function createTestIdp(options: TestIdpOptions = {}): Promise<TestIdp> {
  const { data = createMemoryAdapter(), callback = "http://localhost:3000/callback", tls, listen: port = tls !== undefined } = options;
  const server = port === false ? undefined : await listen(port === true ? 0 : port, tls);
  const own = server && `${tls === undefined ? "http" : "https"}://localhost:${server.port}/`;
  const issuer = own ?? options.issuer ?? "https://idp.test/";
  const clock = options.seed === undefined ? movableClock() : createManualClock();
  const office = createPostOffice(options.onMessage);
  const { network = {} } = options.options ?? {};
  const postern = createPostern({
    defaultTenantId: "main",
    // Its keys are every tenant's: there may be any number of them. Nothing else of it is.
    controlPlane: { tenantId: controlPlane },
    resolveControlPlane: async () => undefined,
    sync: false,
    logger: { log: () => {} },
    ...options.options,
    // Where test providers listen.
    network: { ...network, allowedPrivateAddresses: [...(network.allowedPrivateAddresses ?? []), "127.0.0.1"] },
    issuer,
    data,
    crypto: { secret, hasher: options.hasher ?? fastHasher },
    messages: { mail: office.mail, sms: office.sms },
    testing: { clock, random: testRandom(options.seed) },
  });
  server?.serve(toNodeHandler(postern));
  let providers: Promise<ProviderServer> | undefined;
  const providersAt = async (): Promise<string> => (await (providers ??= startProviderServer(() => clock.now()))).origin;
  const tenants = new Map<string, Promise<TestTenant>>();
  const tenant = (id = `t-${randomUUID().slice(0, 13)}`): Promise<TestTenant> => {
    let opened = tenants.get(id);
    if (opened === undefined) {
      opened = openTenant({ postern, id, callback, messages: office.inboxOf(id), now: () => clock.now(), providers: providersAt });
      tenants.set(id, opened);
      opened.catch(() => tenants.delete(id));
    }
    return opened;
  };
  const close = async (): Promise<void> => {
    await server?.close();
    await (await providers)?.close();
    await postern.close();
  };
  try {
    await postern.seed({ tenantId: controlPlane });
    const first = await tenant("main");
    return { ...first, postern, issuer, clock, tenant, close, fetch: (request) => postern.fetch(request), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
