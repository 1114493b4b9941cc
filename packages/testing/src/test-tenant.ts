import type { Postern, Seed } from "@postern/core";
import type { TenantApi } from "@postern/core/api";
import { CookieJar } from "./cookie-jar.ts";
import type { Inbox } from "./inbox.ts";
import { signIn, type ProviderSignIn, type Credentials, type SignedIn, type SignInOptions, type StorageState } from "./sign-in.ts";
import { client as providerClient, type ProviderUser } from "./test-provider.ts";

/** The user to create. */
export interface NewTestUser {
  /** Default: an email address that no other user of the tenant has. */
  readonly email?: string;
  readonly name?: string;
  readonly app_metadata?: { readonly [name: string]: unknown };
  readonly user_metadata?: { readonly [name: string]: unknown };
  /** The names of existing roles. Create roles with `seed`. */
  readonly roles?: readonly string[];
}

/** A user of a test tenant. */
export interface TestUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** A fake identity provider that replaces Google and others in tests. Its login page requires no password. */
export interface TestProvider {
  /** The name of the provider's connection. */
  readonly connection: string;
  /**
   * Signs in the given user as a browser would.
   * @returns the client's tokens.
   * @throws {Error} with the screen or response at which the sign-in stopped.
   */
  signIn(user: ProviderUser, options?: SignInOptions): Promise<SignedIn>;
  /** Signs in the given user. @returns the browser's cookies for Playwright. */
  storageState(user: ProviderUser, options?: SignInOptions): Promise<StorageState>;
}

/** A tenant for a test, isolated from all other tenants. */
export interface TestTenant {
  readonly id: string;
  /** A public client with the callback URL in {@link TestIdpOptions}. */
  readonly clientId: string;
  /** The Management API of the tenant, in process. */
  readonly api: TenantApi;
  /** The emails, text messages and voice calls of the tenant. */
  readonly messages: Inbox;
  /** Adds clients, APIs, roles, organizations and the other parts of a seed. */
  seed(seed: Omit<Seed, "tenantId">): Promise<void>;
  /** Creates a user with a password and a verified email address. */
  createUser(user?: NewTestUser): Promise<TestUser>;
  /**
   * Adds an identity provider that listens on this machine, and a button for it on the login page. In a browser, the
   * provider's page has fields for an email address and a name. The clients still offer their other connections.
   * @param connection default: `test-provider`.
   * @param clients the clients that offer the provider. Default: the test tenant's `clientId`.
   */
  addProvider(connection?: string, clients?: readonly string[]): Promise<TestProvider>;
  /**
   * Signs a user in as a browser would.
   * @returns the client's tokens.
   * @throws {Error} with the screen or response at which the sign-in stopped.
   */
  signIn(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<SignedIn>;
  /** Signs a user in. @returns the browser's cookies for Playwright: `browser.newContext({ storageState })`. */
  storageState(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<StorageState>;
  /** Signs a user in. @returns the browser's cookies as a `Cookie` header. */
  cookie(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<string>;
}

/** Parameters of {@link openTenant}. */
interface TenantParts {
  readonly postern: Postern;
  readonly id: string;
  readonly callback: string;
  readonly messages: Inbox;
  now(): number;
  /** Returns the origin of the test providers. */
  providers(): Promise<string>;
}

const connection = "Username-Password-Authentication";

/** A password that every password policy accepts, and that is in no list of common passwords. */
const password = "Only-for-tests 7391";

/** Creates a {@link TestTenant}. */
export async function openTenant({ postern, id, callback, messages, now, providers }: TenantParts): Promise<TestTenant> {
  const clientId = `${id}-app`;
  await postern.seed({
    tenantId: id,
    clients: [
      {
        clientId,
        settings: {
          name: "Test app",
          app_type: "spa",
          callbacks: [callback],
          allowed_logout_urls: [new URL(callback).origin],
          web_origins: [new URL(callback).origin],
          grant_types: ["authorization_code", "refresh_token"],
        },
      },
    ],
  });
  const api = postern.tenant(id, { name: "test" });
  let users = 0;

  const startSignIn = async (user: Credentials | ProviderSignIn, options: SignInOptions = {}) => {
    const client = options.clientId ?? clientId;
    const redirectUri = options.redirectUri ?? (await firstCallback(api, client));
    const jar = new CookieJar(postern);
    return { jar, signedIn: await signIn(postern, jar, user, { ...options, clientId: client, redirectUri }) };
  };

  return {
    id,
    clientId,
    api,
    messages,
    seed: async (seed) => void (await postern.seed({ ...seed, tenantId: id })),
    async createUser({ email = `user-${++users}@example.test`, roles = [], ...profile } = {}) {
      const user = await api.users.create({ ...profile, connection, email, email_verified: true, password });
      if (roles.length > 0) {
        const known = await api.roles.list({ per_page: 100 });
        const ids = roles.map((name) => {
          const role = known.find((one) => one.name === name);
          if (role === undefined)
            throw new Error(`the role '${name}' does not exist: create it with seed({ roles: [{ name: "${name}" }] })`);
          return role.id;
        });
        await api.users.roles.add(user.user_id, { roles: ids });
      }
      return { userId: user.user_id, email, password };
    },
    async addProvider(connection = "test-provider", clients = [clientId]) {
      const issuer = `${await providers()}/${id}.${connection}/`;
      const options = { issuer, client_id: providerClient.id, client_secret: providerClient.secret };
      const settings = { display_name: connection, show_as_button: true, options };
      await postern.seed({ tenantId: id, connections: [{ name: connection, strategy: "oidc", settings }] });
      for (const client of clients) await addConnection(api, client, connection);
      return {
        connection,
        signIn: async (providerUser, signInOptions) => (await startSignIn({ connection, providerUser }, signInOptions)).signedIn,
        storageState: async (providerUser, signInOptions) =>
          (await startSignIn({ connection, providerUser }, signInOptions)).jar.storageState(Math.floor(now() / 1000)),
      };
    },
    signIn: async (user, options) => (await startSignIn(user, options)).signedIn,
    storageState: async (user, options) => (await startSignIn(user, options)).jar.storageState(Math.floor(now() / 1000)),
    cookie: async (user, options) => (await startSignIn(user, options)).jar.header,
  };
}

/** Adds a connection to those that a client offers. `clients` of a seed would make it the only one. */
async function addConnection(api: TenantApi, clientId: string, name: string): Promise<void> {
  const [added, { connections: offered }] = await Promise.all([api.connections.list({ name }), api.clients.connections.list(clientId)]);
  await api.clients.connections.update(
    clientId,
    [...offered, ...added].map(({ id }) => id),
  );
}

async function firstCallback(api: TenantApi, clientId: string): Promise<string> {
  const client = await api.clients.get(clientId);
  const callback = client.callbacks?.[0];
  if (callback === undefined) throw new Error(`the client '${clientId}' has no callback: pass 'redirectUri', or seed a callback`);
  return callback;
}
