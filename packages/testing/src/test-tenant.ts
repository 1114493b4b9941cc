import type { Postern, Seed } from "@postern/core";
import type { TenantApi } from "@postern/core/api";
import { CookieJar } from "./cookie-jar.ts";
import type { Inbox } from "./inbox.ts";
import { signIn, type AtProvider, type Credentials, type SignedIn, type SignInOptions, type StorageState } from "./sign-in.ts";
import { client as providerClient, type ProviderPerson } from "./test-provider.ts";

/** A user to be made. */
export interface NewTestUser {
  /** Default: an address that nobody else in the tenant has. */
  readonly email?: string;
  readonly name?: string;
  readonly app_metadata?: { readonly [name: string]: unknown };
  readonly user_metadata?: { readonly [name: string]: unknown };
  /** The names of roles. They are there: make them with `seed`. */
  readonly roles?: readonly string[];
}

/** A user of a test tenant. */
export interface TestUser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** An identity provider of a tenant, in the place of Google and the like: a page that asks nobody for a password. */
export interface TestProvider {
  /** The name of its connection. */
  readonly connection: string;
  /** Signs in whoever a test says, as a browser would. @returns the tokens of the client. @throws {Error} that says where the sign-in stopped. */
  signIn(person: ProviderPerson, options?: SignInOptions): Promise<SignedIn>;
  /** The same, for Playwright. */
  storageState(person: ProviderPerson, options?: SignInOptions): Promise<StorageState>;
}

/** A tenant of a test's own: nothing of it exists in another one. */
export interface TestTenant {
  readonly id: string;
  /** A public client with the callback of the options. */
  readonly clientId: string;
  /** The Management API of the tenant, in process. */
  readonly api: TenantApi;
  /** The mails and text messages of the tenant. */
  readonly messages: Inbox;
  /** Adds clients, APIs, roles, organizations and whatever else a seed takes. */
  seed(seed: Omit<Seed, "tenantId">): Promise<void>;
  /** Makes a user who can sign in, with a verified address. */
  createUser(user?: NewTestUser): Promise<TestUser>;
  /**
   * Adds an identity provider, whose button is on the login page from then on. It listens on this machine; in a browser its page takes an address and a name.
   * @param connection default: `test-provider`.
   * @param clients the clients that offer it. Default: the tenant's own.
   */
  addProvider(connection?: string, clients?: readonly string[]): Promise<TestProvider>;
  /** Signs a user in, as a browser would. @returns the tokens of the client. @throws {Error} that says where the sign-in stopped. */
  signIn(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<SignedIn>;
  /** Signs a user in and answers the cookies of their browser at the service, for Playwright: `browser.newContext({ storageState })`. */
  storageState(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<StorageState>;
  /** The same cookies, as a `Cookie` header. */
  cookie(user: Pick<TestUser, "email" | "password">, options?: SignInOptions): Promise<string>;
}

/** What a {@link TestTenant} is made with. */
export interface TenantParts {
  readonly postern: Postern;
  readonly id: string;
  readonly callback: string;
  readonly messages: Inbox;
  now(): number;
  /** Where test providers listen. */
  providers(): Promise<string>;
}

const connection = "Username-Password-Authentication";

/** Long enough for every password policy, and on no list. */
const password = "Only-for-tests 7391";

/** Makes a {@link TestTenant}. */
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

  const begin = async (who: Credentials | AtProvider, options: SignInOptions = {}) => {
    const client = options.clientId ?? clientId;
    const redirectUri = options.redirectUri ?? (await firstCallback(api, client));
    const jar = new CookieJar(postern);
    return { jar, signedIn: await signIn(postern, jar, who, { ...options, clientId: client, redirectUri }) };
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
          if (role === undefined) throw new Error(`there is no role '${name}': make it with seed({ roles: [{ name: "${name}" }] })`);
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
      await postern.seed({ tenantId: id, connections: [{ name: connection, strategy: "oidc", clients: [...clients], settings }] });
      return {
        connection,
        signIn: async (person, asked) => (await begin({ connection, person }, asked)).signedIn,
        storageState: async (person, asked) => (await begin({ connection, person }, asked)).jar.storageState(Math.floor(now() / 1000)),
      };
    },
    signIn: async (user, options) => (await begin(user, options)).signedIn,
    storageState: async (user, options) => (await begin(user, options)).jar.storageState(Math.floor(now() / 1000)),
    cookie: async (user, options) => (await begin(user, options)).jar.header,
  };
}

async function firstCallback(api: TenantApi, clientId: string): Promise<string> {
  const client = await api.clients.get(clientId);
  const callback = client.callbacks?.[0];
  if (callback === undefined) throw new Error(`the client '${clientId}' has no callback: pass 'redirectUri', or seed one`);
  return callback;
}
