import { isWebUrl } from "../branding/support.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** The link for a visitor who cannot continue on the page. */
export interface ReturnLink {
  readonly href: string;
  /** The client's name, if the link belongs to the client. */
  readonly clientName?: string;
}

/**
 * Returns the return link: the client's login URL, otherwise the tenant's default redirect URL, otherwise the root of
 * the origin of the client's first callback. Undefined if none is known.
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

/** Returns the root URL of the origin of a client's first callback. */
export function frontPage({ record }: Client): string | undefined {
  const callback = record.callbacks.find((url) => isWebUrl(url) && !/[*{]/.test(url));
  return callback === undefined ? undefined : `${new URL(callback).origin}/`;
}
