import type { AuditEvent } from "../../model/logs/audit-event.ts";
import { recordedBody } from "../../logs/recorded-body.ts";
import type { PosternError } from "../../errors.ts";
import type { Caller } from "./caller.ts";
import type { RequestTenant } from "../tenant.ts";

/** A write through the Management API by an authenticated caller. */
export interface ManagementWrite {
  readonly tenant: RequestTenant;
  readonly caller: Caller;
  readonly request: Request;
  /** The parsed body, if the request has one. */
  readonly body: unknown;
}

/** Maximum characters of a path in the log. Longer than any valid id. */
const maximumPathLength = 1000;

/** Audits a change before the response is sent. @param summary a description of the change. */
export async function recordChange(write: ManagementWrite, summary: string, statusCode: number): Promise<void> {
  await write.tenant.audit(eventOf(write, "sapi", summary, { statusCode }));
}

/** Audits a rejected change, with the reason that the caller received. */
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
  const path = new URL(request.url).pathname.slice(0, maximumPathLength);
  return {
    type,
    description,
    client: { client_id: caller.clientId, name: caller.clientName },
    ...(!isForeign && caller.sessionId !== undefined && { user: { user_id: caller.subject, name: "" } }),
    details: {
      // A user of the control plane is not a user of this tenant, even if a user of this tenant has the same id.
      ...(isForeign && { caller: { tenant_id: caller.tenantId, subject: caller.subject } }),
      request: { method: request.method.slice(0, 20), path, ...(sent !== undefined && { body: sent }) },
      response,
    },
  };
}
