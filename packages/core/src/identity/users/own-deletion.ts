import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { areFactorsFrozen } from "../factors/frozen-factors.ts";
import { endAccess } from "./account-access.ts";
import { noDeletion } from "./no-deletion.ts";

/** A day in milliseconds. */
export const day = 24 * 60 * 60_000;

/** The number of days from the request until the deletion, if the tenant sets none. */
export const defaultDeletionDays = 14;

type Account = Row<"users">;

/**
 * Schedules the deletion of an account whose user was allowed to request it, and announces it ({@link announceDeletion}). From
 * then on, no session and no token of the user is valid until the user decides in a login to keep the account. A second
 * request, and one while changes of the account are frozen, changes nothing.
 * @param user the primary account.
 * @param days until the account is deleted.
 */
export async function requestDeletion(
  tenant: TenantContext,
  user: Account,
  { days, client }: { readonly days: number; readonly client: RegisteredClient | undefined },
): Promise<void> {
  const requestedAt = tenant.now();
  const at = requestedAt + days * day;
  const scheduled = await changeRow(
    tenant.data.users,
    { user_id: user.user_id, linked_to: "", blocked: false },
    (current) =>
      current.deletes_at !== null || areFactorsFrozen(tenant, current) ? undefined : { deletes_at: at, deletion_step_at: requestedAt },
    user,
  );
  if (scheduled.outcome !== "changed") return;
  const { row } = scheduled;
  if (await announceDeletion(tenant, row, { at, step: requestedAt, client })) tenant.messages.sendDeletionMail(row, { at, client });
}

/** The next step of a deletion. Times are in milliseconds since 1970. */
interface DeletionStep {
  /** When the account is deleted. */
  readonly at: number;
  /** The `deletion_step_at` that was read. */
  readonly step: number;
  readonly client?: RegisteredClient | undefined;
}

/**
 * Ends all access to an account whose deletion was requested, and writes the audit event. `sweep` calls it again if the
 * process that handled the request crashed.
 * @returns whether this call announced the deletion, so that its caller sends the mail.
 */
export async function announceDeletion(tenant: TenantContext, user: Account, { at, step, client }: DeletionStep): Promise<boolean> {
  const { user_id: userId } = user;
  await endAccess(tenant, { event: "request-deletion", userId });
  // With a day or less, the mail about the request is the last one.
  const next = at - day > step ? at - day : at;
  const due = { user_id: userId, linked_to: "", deletion_step_at: step };
  if ((await tenant.data.users.update(due, { set: { deletion_step_at: next }, add: { revision: 1 } })) !== 1) return false;
  await tenant.audit({
    type: "my_account_deletion_requested",
    description: "The user asked to delete the account.",
    ...auditClient(client),
    ...auditUser(user),
    details: { deletes_at: new Date(at).toISOString(), ...(user.email === "" && { notified: false }) },
  });
  return true;
}

/**
 * Keeps an account whose user asked to delete it. Ends all access except the session in which the user decided, because a
 * crash may have left some since the request.
 * @returns the account after the change; undefined if it was deleted or blocked.
 */
export async function keepAccount(
  tenant: TenantContext,
  user: Account,
  { sessionId, client }: { readonly sessionId: string; readonly client: RegisteredClient },
): Promise<Account | undefined> {
  const { user_id: userId } = user;
  await endAccess(tenant, { event: "request-deletion", userId, keepSession: sessionId });
  const kept = await changeRow(tenant.data.users, { user_id: userId, linked_to: "", blocked: false }, ({ deletes_at: at }) =>
    at === null ? undefined : noDeletion,
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
