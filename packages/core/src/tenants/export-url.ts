import { equalInConstantTime } from "../adapters/digest.ts";
import type { RequestTenant } from "./tenant.ts";

/**
 * Returns the URL of an export. The URL grants access to the export: the ticket in it is derived from a secret key of
 * this service, and is not stored.
 */
export async function exportUrl(tenant: RequestTenant, jobId: string): Promise<string> {
  return `${tenant.urls.urlFor(`/exports/${jobId}`)}?${new URLSearchParams({ ticket: await ticketOf(tenant, jobId) })}`;
}

/** Whether a ticket grants access to this export of the tenant. */
export async function isExportTicket(tenant: RequestTenant, jobId: string, ticket: string): Promise<boolean> {
  return equalInConstantTime(ticket, await ticketOf(tenant, jobId));
}

async function ticketOf(tenant: RequestTenant, jobId: string): Promise<string> {
  return `${tenant.id}.${await tenant.secrets.fingerprints.of("export", tenant.id, jobId)}`;
}
