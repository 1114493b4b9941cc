import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { confirmedFactors, findFactors, type Factor } from "../factors/factors.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import type { CodeChannel } from "../login/code-address.ts";
import { unlinkUser } from "./account-access.ts";

/** An authentication method of the primary account's connection. */
interface OfferedMethod {
  readonly method: "pwd" | "otp" | "federated" | "passkey";
  /** The channels through which codes are sent. */
  readonly channels?: readonly CodeChannel[];
}

/** The user who unlinks an account. */
interface Unlinking {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The methods of the primary account's connection that a client offers. Empty if no client offers the connection. */
  readonly methods: readonly OfferedMethod[];
  readonly client: RegisteredClient | undefined;
}

/**
 * Decides whether a user may unlink an account. Another way to sign in must be left: one of the primary account, so that
 * parallel requests cannot unlink the last one. The factors of the linked account must be removed first, because they
 * protect the primary account, and would leave with the linked one.
 * @param factors the confirmed factors of the user, with those of linked accounts.
 */
export function canUnlink(
  { user, methods }: Pick<Unlinking, "user" | "methods">,
  factors: readonly Factor[],
  accountId: string,
): "last" | "has-factors" | "allowed" {
  if (factors.some(({ user_id: owner }) => owner === accountId)) return "has-factors";
  return methods.some((offered) => signsIn(user, offered, factors)) ? "allowed" : "last";
}

/** Whether a user can sign in to the primary account with a method, without a linked account. */
function signsIn(user: Row<"users">, { method, channels = [] }: OfferedMethod, factors: readonly Factor[]): boolean {
  const addresses = { email: user.email_key, sms: user.phone_key };
  switch (method) {
    case "federated":
      return true;
    case "pwd":
      return user.password_id !== null;
    case "passkey":
      return factors.some(({ type, user_id: owner }) => type === "passkey" && owner === user.user_id);
    case "otp":
      return channels.some((channel) => addresses[channel] !== null);
  }
}

/**
 * Unlinks an account at the request of its user. The sessions that it started end. Writes the audit event, and tells the
 * user.
 * @returns `absent` if the account is not linked to the user; `outdated` if the user was blocked, linked or deleted since they
 * were read, or the deletion is pending.
 * @throws {PosternError} `access_denied` if changes are frozen; `conflict` if concurrent requests keep changing the user.
 */
export async function unlinkOwnAccount(
  tenant: TenantContext,
  { user, methods, client }: Unlinking,
  accountId: string,
): Promise<"unlinked" | "absent" | "outdated" | Exclude<ReturnType<typeof canUnlink>, "allowed">> {
  const { data } = tenant;
  const { user_id: userId } = user;
  const account = await findOne(data.users, { user_id: accountId, linked_to: userId });
  if (account === undefined) return "absent";
  const found: { decision: ReturnType<typeof canUnlink> } = { decision: "last" };
  // The write that allows the change: it fails after a freeze, a block or a request for deletion. Any of these that follows
  // the write does not stop the change.
  const where = { user_id: userId, linked_to: "", blocked: false, deletes_at: null } as const;
  const change = await changeRow(data.users, where, async (current) => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    found.decision = canUnlink({ user: current, methods }, confirmedFactors(await findFactors(data, current)), accountId);
    return found.decision === "allowed" ? { updated_at: tenant.now() } : undefined;
  });
  if (change.outcome === "lost-race") throw lostRace("user");
  if (change.outcome === "absent") return "outdated";
  if (found.decision !== "allowed") return found.decision;
  if (!(await unlinkUser(tenant, user, accountId))) return "absent";
  const notice = await tenant.messages.notifyAccountChange(user, { change: "unlinked", client });
  await tenant.audit({
    type: "my_account_profile_succeeded",
    description: "The user unlinked an account.",
    ...auditClient(client),
    ...auditUser(user),
    details: { fields: ["identities"], connection: account.connection, ...notice },
  });
  return "unlinked";
}
