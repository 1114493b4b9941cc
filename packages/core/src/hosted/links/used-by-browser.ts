import { equalInConstantTime } from "../../adapters/digest.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { passwordLinkCookie } from "../../login/cookies.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { StoredTicket } from "../../identity/tickets/ticket.ts";

/** How long after a password was set the same browser can reload the confirmation page, in seconds. */
const confirmationLifetime = 10 * 60;

/**
 * Returns the `Set-Cookie` value that lets this browser reload the confirmation page of the link. The value of the
 * cookie is keyed with the host application's secret, so the holder of the link cannot forge it.
 */
export async function markUsed(tenant: RequestTenant, ticket: StoredTicket): Promise<string> {
  return setCookie(tenant.urls, passwordLinkCookie(tenant), await proofOf(tenant, ticket), {
    maxAge: confirmationLifetime,
    sameSite: "Lax",
  });
}

/**
 * Whether this browser set the password with the link. In any other browser, the page states only that the link was
 * used.
 */
export async function wasUsedHere(tenant: RequestTenant, ticket: StoredTicket, request: Request): Promise<boolean> {
  const proof = readCookie(request, tenant.urls, passwordLinkCookie(tenant));
  return proof !== undefined && equalInConstantTime(proof, await proofOf(tenant, ticket));
}

function proofOf(tenant: RequestTenant, { ticket_hash: hash }: StoredTicket): Promise<string> {
  return tenant.secrets.fingerprints.of("password link", tenant.id, hash);
}
