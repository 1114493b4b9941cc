import { timeOfUlid } from "../store/ulid.ts";
import type { ServiceContext } from "../context.ts";
import { strategyType } from "../model/connections/upstream.ts";
import type { Row } from "../store/schema.ts";
import type { AuditEvent } from "../model/logs/audit-event.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { RequestInfo } from "../context.ts";

/** Returns the `client` member for an audit event. */
export function auditClient(client: RegisteredClient | undefined): Pick<AuditEvent, "client"> {
  if (client === undefined) return {};
  const { client_id, name, external_client_id: url } = client.record;
  return { client: { client_id, name, ...(url !== null && { external_client_id: url }) } };
}

/** Returns the `connection` member for an audit event. */
export function auditConnection({ id, name, strategy }: Row<"connections">): Pick<AuditEvent, "connection"> {
  return { connection: { id, name, strategy } };
}

/** Returns the `user` member for an audit event. */
export function auditUser({ user_id, name }: Pick<Row<"users">, "user_id" | "name">): Pick<AuditEvent, "user"> {
  return { user: { user_id, name } };
}

/**
 * Returns the `user` member for an audit event about an account. For a linked account, its ID is that of the primary
 * user.
 */
export function auditPrimaryUser({
  user_id,
  linked_to,
  name,
}: Pick<Row<"users">, "user_id" | "linked_to" | "name">): Pick<AuditEvent, "user"> {
  return { user: { user_id: linked_to === "" ? user_id : linked_to, name } };
}

/**
 * Returns the `user` member for an audit event about a visitor who has no account or whose account is unknown.
 * @param name the identifier that the visitor typed.
 */
export function auditVisitor(name: string): Pick<AuditEvent, "user"> {
  return { user: { user_id: "", name } };
}

/** Returns the `organization` member for an audit event. */
export function auditOrganization(organization: Row<"organizations"> | undefined): Pick<AuditEvent, "organization"> {
  return organization === undefined ? {} : { organization: { id: organization.id, name: organization.name } };
}

/**
 * How late a row may be written to the log, in milliseconds. A reader that continues from a position in the log starts
 * this much earlier, because other processes may still write rows with earlier times.
 */
export const logSettleTime = 3000;

/** Converts an audit event to a row in the log. */
export function toLogRow(context: ServiceContext, event: AuditEvent, requestInfo: RequestInfo): Row<"logs"> {
  const { client, user, connection, organization } = event;
  const log_id = context.random.record();
  // Lists sort by id, so the date must have the same order.
  const date = timeOfUlid(log_id);
  return {
    log_id,
    date,
    type: event.type,
    // The description may contain text of any length from a caller.
    description: (event.description ?? "").slice(0, 1000).toWellFormed(),
    client_id: client?.client_id ?? "",
    client_name: client?.name ?? "",
    connection: connection?.name ?? "",
    connection_id: connection?.id ?? "",
    organization_id: organization?.id ?? "",
    organization_name: organization?.name ?? "",
    user_id: user?.user_id ?? "",
    user_name: user?.name ?? "",
    ip: requestInfo.ip ?? "",
    hostname: requestInfo.hostname.slice(0, 255),
    user_agent: requestInfo.userAgent.slice(0, 1000),
    is_mobile: /\bMobile\b|Android|iPhone|iPad/.test(requestInfo.userAgent),
    audience: event.audience ?? "",
    scope: event.scope ?? "",
    strategy: connection?.strategy ?? "",
    strategy_type: connection === undefined ? "" : strategyType(connection),
    details: {
      request_id: requestInfo.requestId,
      ...requestInfo.trace?.ids,
      ...(client?.external_client_id !== undefined && { external_client_id: client.external_client_id }),
      ...event.details,
    },
    expires_at: context.config.logLifetime === Infinity ? null : date + context.config.logLifetime,
  };
}
