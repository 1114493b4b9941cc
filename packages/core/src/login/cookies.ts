import type { Tenant } from "../tenancy/tenant.ts";

/** Two small cookies a tenant, named for it: tenants that share a host never see each other's. */

/** Holds the secret of the browser's session. */
export function sessionCookie({ id }: Tenant): string {
  return `postern_session_${id}`;
}

/** Binds login sessions to the browser: one for any number of tabs. */
export function browserCookie({ id }: Tenant): string {
  return `postern_browser_${id}`;
}
