import { isPosternError, type Postern, type Seed } from "@postern/core";
import type { Client, CreateClient } from "@postern/core/api";
import { socialClientId } from "./demo/clients.ts";
import { providerClientId } from "./demo/provider.ts";
import type { Settings } from "./environment.ts";
import type { Secrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";

/** What {@link seed} works with. */
export interface SeedParts {
  readonly postern: Postern;
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** Whether this server is an identity provider as well, for the demo. */
  readonly hasProvider: boolean;
}

/**
 * Sets up the first tenant with its clients and its first user. What is there already stays as it is, except that callbacks which are new
 * are added to the demo clients. Where nothing is new, nothing is written.
 */
export async function seed(parts: SeedParts): Promise<void> {
  const { postern, settings, secrets, hasProvider } = parts;
  const urls = registeredUrls(postern.issuer, settings.callbackUrls);
  const forPeople = ["authorization_code", "refresh_token", "http://auth0.com/oauth/grant-type/passwordless/otp"];
  const spa: CreateClient = {
    name: "Demo app in the browser",
    app_type: "spa",
    grant_types: forPeople,
    ...urls,
    refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
  };
  const web: CreateClient = {
    name: "Demo app on a server",
    app_type: "regular_web",
    grant_types: [...forPeople, "client_credentials"],
    ...urls,
  };
  const wanted: Seed = {
    tenantId: settings.tenantId,
    clients: [
      {
        clientId: secrets.ADMIN_CLIENT_ID,
        secret: secrets.ADMIN_CLIENT_SECRET,
        settings: { name: "Administration", app_type: "non_interactive" },
        managesTenant: true,
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
        clients: [secrets.SPA_CLIENT_ID, secrets.WEB_CLIENT_ID],
      })),
      ...(hasProvider ? [demoConnection(postern.issuer)] : []),
    ],
    user: { email: settings.adminEmail, password: secrets.ADMIN_PASSWORD, managesTenant: true },
  };
  try {
    await postern.seed(wanted);
  } catch (error) {
    // Such as a callback that no client may have, or a client id that belongs to another tenant: for the person to correct.
    if (isPosternError(error) && error.code === "configuration_error")
      throw new StartError(`The tenant cannot be set up: ${error.message}`, { exitCode: 2, cause: error });
    throw error;
  }
  for (const clientId of [secrets.SPA_CLIENT_ID, secrets.WEB_CLIENT_ID]) await addUrls(parts, clientId, urls);
}

/** The demo's identity provider, as a connection that one client offers. */
function demoConnection(issuer: string): NonNullable<Seed["connections"]>[number] {
  const options = { issuer: `${issuer}dev/provider/`, client_id: providerClientId, token_endpoint_auth_method: "none" };
  return {
    name: "demo-provider",
    strategy: "oidc",
    settings: { display_name: "Demo ID", show_as_button: true, options },
    clients: [socialClientId],
  };
}

/** The addresses that the demo clients may send people back to. */
interface RegisteredUrls {
  callbacks: string[];
  allowed_logout_urls: string[];
  web_origins: string[];
}

/** @param callbackUrls those of the environment; the demo app's own come first. */
export function registeredUrls(issuer: string, callbackUrls: readonly string[]): RegisteredUrls {
  const origins = callbackUrls.filter((url) => /^https?:/.test(url)).map((url) => new URL(url).origin);
  return {
    callbacks: unique([issuer, ...callbackUrls]),
    allowed_logout_urls: unique([issuer, ...callbackUrls, ...origins]),
    web_origins: unique([new URL(issuer).origin, ...origins]),
  };
}

/** Adds what a client lacks, through the Management API, so that it is checked and put on record like any change. */
async function addUrls({ postern, settings }: SeedParts, clientId: string, urls: RegisteredUrls): Promise<void> {
  const { clients } = postern.tenant(settings.tenantId, { name: "CALLBACK_URLS" });
  const client = await clients.get(clientId);
  const missing = Object.entries<readonly string[]>({ ...urls }).filter(([name, wanted]) =>
    wanted.some((url) => !listed(client, name).includes(url)),
  );
  if (missing.length === 0) return;
  const added = Object.fromEntries(missing.map(([name, wanted]) => [name, unique([...listed(client, name), ...wanted])]));
  try {
    await clients.update(clientId, added);
  } catch (error) {
    if (!isPosternError(error)) throw error;
    throw new StartError(`CALLBACK_URLS cannot be added to the demo clients: ${error.message}`, { exitCode: 2, cause: error });
  }
}

/** The addresses of a client's that a field holds. */
function listed(client: Client, name: string): readonly string[] {
  const [, value] = Object.entries(client).find(([key]) => key === name) ?? [];
  return Array.isArray(value) ? value : [];
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
