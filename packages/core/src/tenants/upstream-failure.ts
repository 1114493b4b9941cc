import { auditClient, auditConnection } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import type { UpstreamError } from "../identity/providers/upstream-error.ts";
import type { UpstreamDetails } from "../model/connections/upstream-details.ts";
import type { RequestTenant } from "./tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The report of a failed sign-in at an identity provider. */
type Failure = Pick<UpstreamError, "message" | "fault" | "cause"> & { readonly details?: UpstreamDetails | undefined };

/**
 * Reports a failed request to an identity provider with its details: in the operator's log, and as an audit event `fc`,
 * or `f` if the user declined.
 * @returns a promise that resolves when the event is stored.
 */
export function reportUpstreamFailure(
  tenant: RequestTenant,
  client: RegisteredClient,
  connection: Row<"connections">,
  { message, fault, details, cause }: Failure,
): Promise<void> {
  const isDeclined = fault === "declined";
  tenant.host.logger.log({
    level: isDeclined ? "info" : "warn",
    event: "upstream_failed",
    tenant_id: tenant.id,
    request_id: tenant.requestInfo.requestId,
    connection: connection.id,
    reason: message,
    ...(details && { provider: details }),
    // The cause may contain a private network address, which the audit event must not contain.
    ...(cause !== undefined && { error: cause }),
  });
  return tenant.audit({
    type: isDeclined ? "f" : "fc",
    description: message,
    ...auditClient(client),
    ...auditConnection(connection),
    ...(details && { details: { provider: details } }),
  });
}
