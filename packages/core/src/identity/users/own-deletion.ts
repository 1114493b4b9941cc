import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { endAccess } from "./account-access.ts";

const day = 24 * 60 * 60_000;

/** The number of days from the request until the deletion, if the tenant sets none. */
export const defaultDeletionDays = 14;

/** The request of a user to delete their account. */
interface DeletionRequest {
  /** Days until the account is deleted. */
  readonly days: number;
  readonly client: RegisteredClient | undefined;
}

/**
 * Schedules the deletion of an account whose user was allowed to request it. All sessions and tokens end at once: until the
 * user decides in a login to keep the account, no session and no token of it is valid. A second request changes nothing.
 * Writes the audit event, and sends a mail.
 * @param user the primary account.
 */
export async function requestDeletion(tenant: TenantContext, user: Row<"users">, { days, client }: DeletionRequest): Promise<void> {
  const { user_id: userId } = user;
  const at = tenant.now() + days * day;
  const where = { user_id: userId, linked_to: "", blocked: false, deletes_at: null } as const;
  // With a day or less, the mail about the request is the last one.
  const set = { deletes_at: at, deletion_step_at: days > 1 ? at - day : at };
  const isScheduled = (await tenant.data.users.update(where, { set, add: { revision: 1 } })) === 1;
  await endAccess(tenant, { event: "request-deletion", userId });
  if (!isScheduled) return;
  tenant.messages.sendDeletionMail(user, { at, client });
  await tenant.audit({
    type: "my_account_deletion_requested",
    description: "The user asked to delete the account.",
    ...auditClient(client),
    ...auditUser(user),
    details: { deletes_at: new Date(at).toISOString() },
  });
}

/**
 * Keeps an account whose user asked to delete it. Ends all access except the session in which the user decided, because a
 * crash may have left some since the request.
 * @returns the account after the change; undefined if it was deleted or blocked.
 */
export async function keepAccount(
  tenant: TenantContext,
  user: Row<"users">,
  { sessionId, client }: { readonly sessionId: string; readonly client: RegisteredClient },
): Promise<Row<"users"> | undefined> {
  const { user_id: userId } = user;
  await endAccess(tenant, { event: "request-deletion", userId, keepSession: sessionId });
  const kept = await changeRow(tenant.data.users, { user_id: userId, linked_to: "", blocked: false }, ({ deletes_at: at }) =>
    at === null ? undefined : { deletes_at: null, deletion_step_at: null },
  );
  if (kept.outcome === "absent" || kept.outcome === "lost-race") return undefined;
  if (kept.outcome === "changed") {
    await tenant.audit({
      type: "my_account_deletion_withdrawn",
      description: "The user keeps the account.",
      ...auditClient(client),
      ...auditUser(user),
    });
  }
  return kept.row;
}
