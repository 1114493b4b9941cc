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
  /**
   * The port on 127.0.0.1 on which the provider listens for apps and browsers; `true` selects a free port. Default: the
   * provider handles requests only in process, with `fetch`.
   */
  readonly listen?: boolean | number;
  /** A certificate and its key, in PEM. If set, the server listens with HTTPS. */
  readonly tls?: Certificate;
  /** The issuer, if `listen` is not set. Default: `https://idp.test/`. */
  readonly issuer?: string;
  /** The data adapter. Default: in memory. */
  readonly data?: DataAdapter;
  /** The callback URL of each tenant's client. Default: `http://localhost:3000/callback`. */
  readonly callback?: string;
  /**
   * Makes codes, secrets and the random part of ids the same in each run with the same seed, if the test makes its
   * calls one after another. With a seed, the clock changes only when the test advances it, because ids begin with the
   * time. Default: random values and a running clock.
   */
  readonly seed?: string;
  /** Hashes passwords. Default: a fast hash that is only suitable for tests. */
  readonly hasher?: PasswordHasher;
  /** Called with each email and text message when it arrives. `messages` stores them as well. */
  readonly onMessage?: (message: Message) => void;
  /** Further options of the service. */
  readonly options?: Omit<PosternOptions, "issuer" | "data" | "crypto" | "messages" | "testing">;
}

/** A local identity provider with the tenant `main`. Created by {@link createTestIdp}. */
export interface TestIdp extends TestTenant, AsyncDisposable {
  readonly postern: Postern;
  readonly issuer: string;
  /**
   * The clock of the service. A test can advance it: `clock.advance("31d")`. It runs with the system clock unless
   * `seed` is set.
   */
  readonly clock: MovableClock;
  /** Handles a request in process. */
  fetch(request: Request): Promise<Response>;
  /**
   * Returns a separate tenant for a test or a worker.
   * @param id the tenant's id, by default a random one. Each call with the same id returns the same tenant.
   */
  tenant(id?: string): Promise<TestTenant>;
  /** Closes the provider and its servers. `await using` calls it. */
  close(): Promise<void>;
}

const controlPlane = "control-plane";

/** A secret that need not be secret, because it encrypts only data of tests. */
const secret = "only-for-tests-0123456789-abcdefghij";

/**
 * Creates a local identity provider for tests: the production code with an in-memory database, a clock that a test can
 * advance, and an inbox instead of real emails.
 * @throws {Error} the system error (`EADDRINUSE`) if the port is in use.
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
  const listeningIssuer = server && `${tls === undefined ? "http" : "https"}://localhost:${server.port}/`;
  const issuer = listeningIssuer ?? options.issuer ?? "https://idp.test/";
  const clock = options.seed === undefined ? movableClock() : createManualClock();
  const postOffice = createPostOffice(options.onMessage);
  const { network = {} } = options.options ?? {};
  const postern = createPostern({
    defaultTenantId: "main",
    // All tenants share the signing keys of the control plane, so that there can be any number of tenants. They inherit
    // nothing else.
    controlPlane: { tenantId: controlPlane },
    resolveControlPlane: async () => undefined,
    sync: false,
    logger: { log: () => {} },
    ...options.options,
    // Test providers listen on this address.
    network: { ...network, allowedPrivateAddresses: [...(network.allowedPrivateAddresses ?? []), "127.0.0.1"] },
    issuer,
    data,
    crypto: { secret, hasher: options.hasher ?? fastHasher },
    messages: { mail: postOffice.mail, sms: postOffice.sms },
    testing: { clock, random: testRandom(options.seed) },
  });
  server?.serve(toNodeHandler(postern));
  let providers: Promise<ProviderServer> | undefined;
  const providersOrigin = async (): Promise<string> => (await (providers ??= startProviderServer(() => clock.now()))).origin;
  const tenants = new Map<string, Promise<TestTenant>>();
  const tenant = (id = `t-${randomUUID().slice(0, 13)}`): Promise<TestTenant> => {
    let opened = tenants.get(id);
    if (opened === undefined) {
      opened = openTenant({ postern, id, callback, messages: postOffice.inboxOf(id), now: () => clock.now(), providers: providersOrigin });
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
