import type { PreUserUpdateApi, UserChanges } from "../../adapters/actions.ts";
import type { TenantContext } from "../../context.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import type { Row } from "../../store/schema.ts";
import { linkedAccounts } from "../users/linked-accounts.ts";
import { actionClient, actionRequest, actionUser } from "./action-user.ts";
import { actionsWith, callAction } from "./call-action.ts";

/** A change that a user makes to their own account. */
interface OwnChange {
  /** The primary account before the change. */
  readonly user: Row<"users">;
  readonly client: RegisteredClient | undefined;
  readonly changes: UserChanges;
}

/**
 * Runs the host's `onExecutePreUserUpdate` actions, in their order. Call it before each attempt to write the change, with
 * the account that this attempt compares, when nothing else can reject the change any more except the write. Without such
 * an action it reads nothing.
 * @throws {PosternError} `access_denied` if an action denies the change; `temporarily_unavailable`
 * if an action failed.
 */
export async function requireActionsAllow(tenant: TenantContext, { user, client, changes }: OwnChange): Promise<void> {
  const trigger = "onExecutePreUserUpdate";
  const listed = actionsWith(tenant, trigger);
  if (listed.length === 0) return;
  const linked = user.linked_count === 0 ? [] : await linkedAccounts(tenant.data, [user.user_id]);
  for (const one of listed) {
    let denied: { readonly reason: string; readonly message: string } | undefined;
    const api: PreUserUpdateApi = {
      access: {
        deny: (reason, message = "The change is not allowed.") => void (denied = { reason: String(reason), message: String(message) }),
      },
    };
    const event = {
      secrets: one.action.secrets ?? {},
      tenant: { id: tenant.data.tenantId },
      request: actionRequest(tenant.requestInfo),
      ...(client && { client: actionClient(client.record) }),
      user: actionUser(user, linked),
      changes: structuredClone(changes),
    };
    await callAction(tenant, trigger, one, async () => one.action[trigger]?.(event, api));
    if (denied === undefined) continue;
    await tenant.audit({
      type: "my_account_profile_failed",
      description: denied.reason,
      ...auditClient(client),
      ...auditUser(user),
      details: { action: one.name, fields: changedFields(changes) },
    });
    throw new PosternError("access_denied", denied.message, { status: 403, members: { code: deniedByAction } });
  }
}

/** Returns the names of the changed fields, for the audit log: `name` or `user_metadata.team`. */
export function changedFields({ user_metadata: metadata = {}, ...fields }: UserChanges): readonly string[] {
  const names = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [...names, ...Object.keys(metadata).map((name) => `user_metadata.${name}`)];
}

/** The member `code` of such an error, as at a sign-up that an action denied. */
const deniedByAction = "extensibility_error";

/** Whether an action denied the change. */
export function isDeniedByAction(error: unknown): boolean {
  return isPosternError(error) && error.members["code"] === deniedByAction;
}
