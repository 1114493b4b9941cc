import type { RequestTenant } from "../../tenants/tenant.ts";

/** The path of the page on which users enter the code of a device, as in Auth0. */
export const activationPath = "/activate";

/** The parameters of the page. */
export interface ActivationParameters {
  /** The code, which the page fills in. The user must still submit it. */
  readonly user_code?: string;
  /** Why the page is displayed again. */
  readonly problem?: string;
  /** The end of the interaction, see `finish-device.ts`. */
  readonly result?: string;
}

/**
 * Returns the URL of the page. It names the tenant if the host does not, because a user who types it is known to no
 * tenant yet.
 */
export function activationUrl({ urls, tenantParameter }: RequestTenant, parameters: ActivationParameters = {}): string {
  const url = new URL(urls.urlFor(activationPath));
  for (const [name, value] of Object.entries({ ...tenantParameter, ...parameters })) url.searchParams.set(name, value);
  return url.href;
}
