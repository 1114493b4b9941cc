import { equalInConstantTime } from "../adapters/digest.ts";
import type { Tenant } from "./tenant.ts";

/** The address of an export. Whoever has it may fetch the export: its ticket is made with a key of the host, and kept nowhere. */
export async function exportAddress(tenant: Tenant, jobId: string): Promise<string> {
  return `${tenant.urls.urlFor(`/exports/${jobId}`)}?${new URLSearchParams({ ticket: await ticketOf(tenant, jobId) })}`;
}

/** Whether a ticket is that of an export of the tenant. */
export async function isExportTicket(tenant: Tenant, jobId: string, ticket: string): Promise<boolean> {
  return equalInConstantTime(ticket, await ticketOf(tenant, jobId));
}

async function ticketOf(tenant: Tenant, jobId: string): Promise<string> {
  return `${tenant.id}.${await tenant.secrets.fingerprints.of("export", tenant.id, jobId)}`;
}
