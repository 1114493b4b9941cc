import type { TenantContext } from "../../context.ts";
import type { UserChanges } from "../../adapters/actions.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { changeClaims, namesClaim } from "../../model/users/standard-claims.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { mergeSettings } from "../../model/settings.ts";
import { changedFields, requireActionsAllow } from "../actions/own-change.ts";
import { areFactorsFrozen, frozenFactors } from "../factors/frozen-factors.ts";
import { boundedMetadata } from "./metadata.ts";
import type { MetadataChange } from "./own-metadata.ts";

/** A change that a user makes to their own profile. `null` clears a field, and absent fields stay. */
export interface ProfileChange extends Omit<UserChanges, "email" | "phone_number" | "username"> {
  /** The changed keys of `user_metadata`, checked by `readMetadataChange`. Other keys stay. */
  readonly user_metadata?: MetadataChange;
}

/** The user who changes the profile. */
interface ProfileOwner {
  /** The primary account. */
  readonly user: Row<"users">;
  readonly client: RegisteredClient | undefined;
}

/**
 * Whether the profile comes from an identity provider at each login, so that the user must change it there.
 * @param connection the connection of the account. Undefined if it was deleted.
 */
export function isProfileOfProvider(
  { subject_key: subject }: Pick<Row<"users">, "subject_key">,
  connection: Pick<Row<"connections">, "options"> | undefined,
): boolean {
  const { set_user_root_attributes: when = "on_each_login" } = connection?.options ?? {};
  return subject !== null && connection !== undefined && when === "on_each_login";
}

/**
 * Changes the profile of a user who has been allowed to do so. Writes the audit event.
 * @returns the account after the change.
 * @throws {PosternError} `not_found` if the user was blocked, deleted or linked, or the deletion is pending; `invalid_request`
 * if the metadata of the account become too large; `access_denied` if changes are frozen or an action denies the change;
 * `temporarily_unavailable` if an action failed; `conflict` if other requests keep changing the user.
 */
export async function changeProfile(tenant: TenantContext, { user, client }: ProfileOwner, change: ProfileChange): Promise<Row<"users">> {
  const fields = changedFields(change);
  if (fields.length === 0) return user;
  const { user_metadata: sent = {}, ...profile } = change;
  const metadata = Object.keys(sent).length === 0 ? undefined : sent;
  const changes = { ...profile, ...(metadata && { user_metadata: metadata }) };
  const apply = async (current: Row<"users">): Promise<Partial<Row<"users">>> => {
    if (areFactorsFrozen(tenant, current)) throw frozenFactors();
    const set = {
      ...(change.name !== undefined && { name: change.name ?? "" }),
      ...(change.nickname !== undefined && { nickname: change.nickname ?? "" }),
      ...(change.given_name !== undefined && { given_name: change.given_name }),
      ...(change.family_name !== undefined && { family_name: change.family_name }),
      ...(namesClaim(change) && { standard_claims: changeClaims(current.standard_claims, change) }),
      ...(metadata && changedMetadata(tenant, current, metadata)),
      updated_at: tenant.now(),
    };
    await requireActionsAllow(tenant, { user: current, client, changes });
    return set;
  };
  const where = { user_id: user.user_id, linked_to: "", blocked: false, deletes_at: null } as const;
  const changed = requireRow(await changeRow(tenant.data.users, where, apply, user), "user", removedUser);
  await tenant.audit({
    type: "my_account_profile_succeeded",
    description: "The user changed their profile.",
    ...auditClient(client),
    ...auditUser(changed),
    details: { fields },
  });
  return changed;
}

function changedMetadata({ config }: TenantContext, current: Row<"users">, change: MetadataChange): Partial<Row<"users">> {
  const { app_metadata, user_metadata: stored } = current;
  return boundedMetadata(config.metadataBytes, { app_metadata, user_metadata: mergeSettings(stored, change) }, current);
}

function removedUser(): PosternError {
  return new PosternError("not_found", "The user was deleted, blocked or linked by another request, or the deletion is pending.", {
    errorCode: "inexistent_user",
  });
}
