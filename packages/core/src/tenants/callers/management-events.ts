import type { AuditEvent } from "../../model/logs/audit-event.ts";
import { recordedBody } from "../../logs/recorded-body.ts";
import type { PosternError } from "../../errors.ts";
import type { Caller } from "./caller.ts";
import type { Tenant } from "../tenant.ts";

/** A write through the Management API, by a caller who was recognised. */
export interface ManagementWrite {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly request: Request;
  /** The parsed body, where there is one. */
  readonly body: unknown;
}

/** Characters of a path that the log keeps: longer ids than there are. */
const keptOfPath = 1000;

/** Puts a change on record, before it is answered. @param summary what it is, in words. */
export async function recordChange(write: ManagementWrite, summary: string, statusCode: number): Promise<void> {
  await write.tenant.audit(eventOf(write, "sapi", summary, { statusCode }));
}

/** Puts a change that was refused on record, with the reason that the caller was told. */
export async function recordRefusal(write: ManagementWrite, { status, code, message }: PosternError): Promise<void> {
  await write.tenant.audit(eventOf(write, "fapi", message, { statusCode: status, error: code }));
}

function eventOf(
  { tenant, caller, request, body }: ManagementWrite,
  type: "sapi" | "fapi",
  description: string,
  response: { readonly statusCode: number; readonly error?: string },
): AuditEvent {
  const sent = recordedBody(body);
  const isForeign = caller.tenantId !== tenant.id;
  const path = new URL(request.url).pathname.slice(0, keptOfPath);
  return {
    type,
    description,
    client: { client_id: caller.clientId, name: caller.clientName },
    ...(!isForeign && caller.sessionId !== undefined && { user: { user_id: caller.subject, name: "" } }),
    details: {
      // A user of the control plane is none of this tenant's, also where both have one of that id.
      ...(isForeign && { caller: { tenant_id: caller.tenantId, subject: caller.subject } }),
      request: { method: request.method.slice(0, 20), path, ...(sent !== undefined && { body: sent }) },
      response,
    },
  };
}
