import { isPosternError, type CreateClient, type DataAdapter, type Postern, type Seed } from "@postern/core";
import type { Settings } from "./environment.ts";
import type { Secrets } from "./secrets.ts";
import { StartError } from "./start-error.ts";

/** What {@link seed} works with. */
export interface SeedParts {
  readonly postern: Postern;
  readonly data: DataAdapter;
  readonly settings: Settings;
  readonly secrets: Secrets;
}

/**
 * Sets up the first tenant with its clients and its first user. What is there already stays as it is, except that callbacks which are new
 * are added to the demo clients. Where nothing is new, nothing is written.
 */
export async function seed(parts: SeedParts): Promise<void> {
  const { postern, settings, secrets } = parts;
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
async function addUrls({ postern, data, settings, secrets }: SeedParts, clientId: string, urls: RegisteredUrls): Promise<void> {
  const [client] = await data.collections.clients.find({ where: { tenant_id: settings.tenantId, client_id: clientId }, limit: 1 });
  if (client === undefined) return;
  const added = {
    callbacks: unique([...client.callbacks, ...urls.callbacks]),
    allowed_logout_urls: unique([...client.allowed_logout_urls, ...urls.allowed_logout_urls]),
    web_origins: unique([...client.web_origins, ...urls.web_origins]),
  };
  const isComplete =
    added.callbacks.length === client.callbacks.length &&
    added.allowed_logout_urls.length === client.allowed_logout_urls.length &&
    added.web_origins.length === client.web_origins.length;
  if (isComplete) return;

  const token = await send(postern, "POST", "oauth/token", {
    grant_type: "client_credentials",
    client_id: secrets.ADMIN_CLIENT_ID,
    client_secret: secrets.ADMIN_CLIENT_SECRET,
    audience: `${postern.issuer}api/v2/`,
  });
  await send(postern, "PATCH", `api/v2/clients/${encodeURIComponent(clientId)}`, added, token["access_token"]);
}

async function send(postern: Postern, method: string, path: string, body: object, token?: unknown): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", ...(typeof token === "string" && { authorization: `Bearer ${token}` }) };
  const response = await postern.fetch(new Request(postern.issuer + path, { method, headers, body: JSON.stringify(body) }));
  const answer: unknown = await response.json();
  if (!response.ok) {
    throw new StartError(`CALLBACK_URLS cannot be added to the demo clients: ${JSON.stringify(answer)}`, { exitCode: 2 });
  }
  return typeof answer === "object" && answer !== null ? { ...answer } : {};
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
