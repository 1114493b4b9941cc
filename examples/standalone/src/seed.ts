import { isPosternError, type Postern, type Seed } from "@postern/core";
import type { Client, CreateClient } from "@postern/core/api";
import { consoleClientId, consoleUrl } from "./console.ts";
import { socialClientId } from "./demo/clients.ts";
import { providerClientId } from "./demo/provider.ts";
import type { Settings } from "./environment.ts";
import type { ServerSecrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";

/** The connection to the demo's identity provider. Only the client {@link socialClientId} offers it. */
const demoConnectionName = "demo-provider";

/** Parameters of {@link seedServer}. */
interface SeedParts {
  readonly postern: Postern;
  readonly settings: Settings;
  readonly secrets: ServerSecrets;
  /** Whether this server also serves the demo's identity provider. */
  readonly hasProvider: boolean;
  /** Whether this server serves the demo, which shows second factors and passkeys. */
  readonly hasDemo: boolean;
}

/**
 * Creates the first tenant with its clients and its first user. Existing data stays unchanged, except that new
 * callbacks are added to the demo clients. Writes nothing if everything exists already.
 */
export async function seedServer(parts: SeedParts): Promise<void> {
  const { postern, settings, secrets, hasProvider, hasDemo } = parts;
  const urls = registeredUrls(postern.issuer, settings.callbackUrls);
  const userGrantTypes = ["authorization_code", "refresh_token", "http://auth0.com/oauth/grant-type/passwordless/otp"];
  const spa: CreateClient = {
    name: "Demo app in the browser",
    app_type: "spa",
    grant_types: userGrantTypes,
    ...urls,
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
  };
  const web: CreateClient = {
    name: "Demo app on a server",
    app_type: "regular_web",
    grant_types: [...userGrantTypes, "client_credentials"],
    ...urls,
  };
  const requested: Seed = {
    tenantId: settings.tenantId,
    clients: [
      {
        clientId: secrets.ADMIN_CLIENT_ID,
        secret: secrets.ADMIN_CLIENT_SECRET,
        settings: { name: "Administration", app_type: "non_interactive" },
        managesTenant: true,
      },
      {
        clientId: consoleClientId,
        settings: {
          name: "Admin console",
          app_type: "regular_web",
          token_endpoint_auth_method: "none",
          grant_types: ["authorization_code", "refresh_token"],
          callbacks: consoleUrls(postern.issuer).callbacks,
        },
      },
      { clientId: secrets.SPA_CLIENT_ID, settings: spa },
      { clientId: secrets.WEB_CLIENT_ID, secret: secrets.WEB_CLIENT_SECRET, settings: web },
      ...(hasProvider
        ? [{ clientId: socialClientId, settings: { ...spa, ...registeredUrls(postern.issuer, []), name: "Demo app with social login" } }]
        : []),
    ],
    connections: [
      ...settings.providers.map(({ strategy, clientId, clientSecret }) => ({
        name: strategy,
        strategy,
        settings: { options: { client_id: clientId, client_secret: clientSecret } },
      })),
      ...(hasProvider ? [demoConnection(postern.issuer)] : []),
    ],
    user: { email: settings.adminEmail, password: secrets.ADMIN_PASSWORD, managesTenant: true },
  };
  try {
    const { created } = await postern.seed(requested);
    // Only for new connections, so that a start keeps what an administrator changed.
    for (const { name } of requested.connections ?? []) {
      const clientIds = name === demoConnectionName ? [socialClientId] : [secrets.SPA_CLIENT_ID, secrets.WEB_CLIENT_ID];
      if (created.includes(`connection '${name}'`)) await addConnection(parts, name, clientIds);
    }
    // Only with a new demo client, so that a start keeps what an administrator changed.
    if (hasDemo && created.includes(`client '${secrets.SPA_CLIENT_ID}'`)) await postern.seed(demoFactors(settings.tenantId));
  } catch (error) {
    // An error that the operator can correct, such as an invalid callback, or a client id that another tenant uses.
    if (isPosternError(error) && error.code === "configuration_error")
      throw new StartError(`The tenant cannot be set up: ${error.message}`, { exitCode: 2, cause: error });
    throw error;
  }
  for (const clientId of [secrets.SPA_CLIENT_ID, secrets.WEB_CLIENT_ID]) await addUrls(parts, clientId, urls);
  await addUrls(parts, consoleClientId, consoleUrls(postern.issuer));
}

/** Returns the URLs of the client of the admin console. */
function consoleUrls(issuer: string): RegisteredUrls {
  return { callbacks: [`${consoleUrl(issuer)}callback`], allowed_logout_urls: [], web_origins: [] };
}

/**
 * Returns the seed of the second factors and passkeys that the demo offers. No policy requires them, and no page offers
 * them after a password, so that sign-ins without them stay as short as in a tenant without them.
 */
function demoFactors(tenantId: string): Seed {
  return {
    tenantId,
    secondFactors: { factors: { otp: true, sms: true, "webauthn-roaming": true, "recovery-code": true }, sync: true },
    passkeys: { enabled: true, progressive_enrollment_enabled: false, local_enrollment_enabled: false, sync: true },
  };
}

/** Returns the connection for the demo's identity provider. */
function demoConnection(issuer: string): NonNullable<Seed["connections"]>[number] {
  const options = { issuer: `${issuer}dev/provider/`, client_id: providerClientId, token_endpoint_auth_method: "none" };
  return {
    name: demoConnectionName,
    strategy: "oidc",
    settings: { display_name: "Demo ID", show_as_button: true, options },
  };
}

/** Adds a connection to those that clients offer. `clients` of a seed would make it their only one. */
async function addConnection({ postern, settings }: SeedParts, name: string, clientIds: readonly string[]): Promise<void> {
  const { clients, connections } = postern.tenant(settings.tenantId, { name: "seed" });
  const added = await connections.list({ name });
  for (const clientId of clientIds) {
    const { connections: offered } = await clients.connections.list(clientId);
    await clients.connections.update(
      clientId,
      [...offered, ...added].map(({ id }) => id),
    );
  }
}

/** The URLs to which the demo clients may redirect users. */
interface RegisteredUrls {
  callbacks: string[];
  allowed_logout_urls: string[];
  web_origins: string[];
}

/**
 * Returns the URLs of the demo clients.
 * @param callbackUrls the callbacks from the environment, which are added after the callbacks of the demo app.
 */
function registeredUrls(issuer: string, callbackUrls: readonly string[]): RegisteredUrls {
  const origins = callbackUrls.filter((url) => /^https?:/.test(url)).map((url) => new URL(url).origin);
  return {
    callbacks: unique([issuer, ...callbackUrls]),
    allowed_logout_urls: unique([issuer, ...callbackUrls, ...origins]),
    web_origins: unique([new URL(issuer).origin, ...origins]),
  };
}

/** Adds missing URLs to a client through the Management API, which validates and logs the change. */
async function addUrls({ postern, settings }: SeedParts, clientId: string, urls: RegisteredUrls): Promise<void> {
  const { clients } = postern.tenant(settings.tenantId, { name: "CALLBACK_URLS" });
  const client = await clients.get(clientId);
  const missing = Object.entries<readonly string[]>({ ...urls }).filter(([name, requested]) =>
    requested.some((url) => !urlsOf(client, name).includes(url)),
  );
  if (missing.length === 0) return;
  const added = Object.fromEntries(missing.map(([name, requested]) => [name, unique([...urlsOf(client, name), ...requested])]));
  try {
    await clients.update(clientId, added);
  } catch (error) {
    if (!isPosternError(error)) throw error;
    throw new StartError(`CALLBACK_URLS cannot be added to the demo clients: ${error.message}`, { exitCode: 2, cause: error });
  }
}

/** Returns the URLs in a field of a client. */
function urlsOf(client: Client, name: string): readonly string[] {
  const [, value] = Object.entries(client).find(([key]) => key === name) ?? [];
  return Array.isArray(value) ? value : [];
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
