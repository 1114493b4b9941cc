import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import { auditClient, auditConnection, auditUser, auditVisitor } from "../../logs/audit.ts";
import { loggedName, type Identifier } from "./identifier.ts";

/** The details of a sign-in attempt. */
export interface AttemptDetails {
  readonly client: RegisteredClient;
  readonly connection: Row<"connections">;
  readonly identifier: Identifier;
  /** The primary account; undefined if no account has the identifier. */
  readonly user: Row<"users"> | undefined;
}

/** Writes the audit event for a password sign-in. */
export function auditLogin(
  tenant: TenantContext,
  type: AuditEventType,
  { client, connection, identifier, user }: AttemptDetails,
  description?: string,
): Promise<void> {
  return tenant.audit({
    type,
    ...(description !== undefined && { description }),
    ...auditClient(client),
    ...auditConnection(connection),
    ...(user === undefined ? auditVisitor(loggedName(identifier)) : auditUser(user)),
  });
}
