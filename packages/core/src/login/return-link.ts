import { isWebUrl } from "../model/web-url.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { isExternal } from "../model/clients/external.ts";

/** The link that a page offers to a visitor who cannot continue there. */
export interface ReturnLink {
  readonly href: string;
  /** The client's name, if the link leads to the client. */
  readonly clientName?: string;
}

/**
 * Returns the link for a visitor who cannot continue: the client's login URL, otherwise the tenant's default redirect
 * URL, otherwise the root URL of the client's first callback. Returns undefined if no such URL is registered. No administrator
 * checked the URLs of an external client, so pages do not link to them.
 */
export function returnLink({ settings }: RequestTenant, client: RegisteredClient | undefined): ReturnLink | undefined {
  const linked = client && isExternal(client.record) ? undefined : client;
  const named = linked && { clientName: linked.record.name };
  const initiate = linked?.settings.initiate_login_uri ?? "";
  if (isWebUrl(initiate)) return { href: initiate, ...named };
  const { default_redirection_uri: tenants } = settings;
  if (isWebUrl(tenants)) return { href: tenants };
  const front = linked && frontPage(linked);
  return front === undefined ? undefined : { href: front, ...named };
}

/** Returns the root URL at the origin of a client's first callback that is a web URL without placeholders. */
export function frontPage({ record }: RegisteredClient): string | undefined {
  const callback = record.callbacks.find((url) => isWebUrl(url) && !/[*{]/.test(url));
  return callback === undefined ? undefined : `${new URL(callback).origin}/`;
}
