import type { Session } from "@postern/app";
import { decodeJwt } from "jose";
import type { AdminOptions } from "./admin-options.ts";
import { managesTenants } from "./console-scopes.ts";

/**
 * Returns the scopes of the Management API in an access token: unlike those of OpenID Connect, they have a colon. The
 * signature of the token does not matter, because only the API decides by its scopes.
 */
export function scopesOf(token: string): ReadonlySet<string> {
  const { scope } = decodeJwt(token);
  return new Set(typeof scope === "string" ? scope.split(" ").filter((value) => value.includes(":")) : []);
}

/** Whether scopes only manage tenants as a whole, as those of an operator whose other roles are inside organizations. */
export function managesTenantsOnly(scopes: ReadonlySet<string>): boolean {
  return [...scopes].every(managesTenants);
}

/**
 * Returns the sign-in that an operator needs to use a tenant: with the organization of the tenant, or without one for the
 * control plane. Roles inside an organization give scopes only to a sign-in for it, and the control plane accepts only one
 * without. The session at the issuer answers it without a prompt. Returns undefined if the present sign-in is right, or if
 * another gives no more.
 */
export function missingSignIn(
  token: string,
  { organizationId }: Session,
  { tenantId: controlPlaneId }: AdminOptions,
  tenantId: string,
): { readonly organization?: string } | undefined {
  if (tenantId === controlPlaneId) return organizationId === undefined ? undefined : {};
  const isOther = decodeJwt(token)["org_id"] !== organizationId;
  return isOther && managesTenantsOnly(scopesOf(token)) ? { organization: tenantId } : undefined;
}
