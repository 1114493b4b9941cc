import { isWebUrl } from "../branding/support.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** Where somebody goes on who cannot go on here. */
export interface ReturnLink {
  readonly href: string;
  /** The app's name, where it is known whose page that is. */
  readonly clientName?: string;
}

/**
 * The way back to the app: where its logins begin, else where the tenant sends people, else the front page of the app behind its first callback.
 * Undefined where none is known.
 */
export function returnLink({ settings }: Tenant, client: Client | undefined): ReturnLink | undefined {
  const named = client && { clientName: client.record.name };
  const initiate = client?.settings.initiate_login_uri ?? "";
  if (isWebUrl(initiate)) return { href: initiate, ...named };
  const { default_redirection_uri: tenants } = settings;
  if (isWebUrl(tenants)) return { href: tenants };
  const front = client && frontPage(client);
  return front === undefined ? undefined : { href: front, ...named };
}

/** The front page of the app behind a client: of the origin of its first callback. */
export function frontPage({ record }: Client): string | undefined {
  const callback = record.callbacks.find((url) => isWebUrl(url) && !/[*{]/.test(url));
  return callback === undefined ? undefined : `${new URL(callback).origin}/`;
}
