import * as z from "zod";
import type { DataContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { CollectionName, Row } from "../../store/schema.ts";
import { removeAll } from "../../store/remove-all.ts";
import { WorkLimit } from "../../store/work-limit.ts";
import { isUnprovenSignUp } from "../../model/users/email-proof.ts";
import { removeFactorsOfAccount } from "../factors/factors.ts";
import { separateFactors } from "../factors/linked-factors.ts";
import { isProtected } from "../factors/protected-account.ts";
import { forgetTrustedBrowsers } from "../factors/trusted-browser.ts";
import type { LogoutInitiator } from "../../model/clients/logout-initiators.ts";
import { removeSessionsOfUsers } from "../sessions/remove-sessions.ts";
import { revokeSessionsOfUser } from "../sessions/revoke-all.ts";
import { needsFactorToClaim } from "./claimed-account.ts";
import { linkedAccounts } from "./linked-accounts.ts";
import { loginKeys } from "./login-keys.ts";

type User = Row<"users">;

/**
 * An event that ends access to an account.
 *
 * - `takeover`: a user proves to own the email address or phone number of an account that another user created. All
 * other access to the account ends.
 * - `link`: the account becomes a linked account. It loses its sessions, roles, permissions, memberships, consents
 * and public keys of devices.
 * - `unlink`: the account becomes a separate account again.
 * - `new-password`: the account gets another password.
 * - `undo-factor-change`: the user reports a change of factors that they did not make. The account stays as it is, but
 * the user must sign in again everywhere.
 * - `block`: an administrator blocks the account.
 * - `request-deletion`: the user asks to delete the account. It ends what `undo-factor-change` ends.
 */
type AccessEvent = "takeover" | "link" | "unlink" | "new-password" | "undo-factor-change" | "block" | "request-deletion";

/** The initiator in the logout tokens for the sessions that an event ends. Default: `session-revoked`. */
const initiators: { readonly [Event in AccessEvent]?: LogoutInitiator } = {
  "new-password": "password-changed",
  block: "account-deactivated",
};

/** The parameters of an event that ends access. */
interface AccessEnding {
  readonly event: AccessEvent;
  /** The id of the account, as in the columns that `fields` lists. */
  readonly userId: string;
  /** A session that stays active after `new-password` or `request-deletion`. */
  readonly keepSession?: string | undefined;
  /** Whether the factors stay after `takeover`. Default: they are removed. */
  readonly keepsFactors?: boolean;
}

/** Describes the rows of a collection that refer to an account. */
interface AccountRecord {
  /** The columns that contain the id of an account. */
  readonly fields: readonly string[];
  /** Why the rows give access to the account, or why they give none. */
  readonly reason: string;
  /**
   * The events that end the access, and an idempotent function that ends it. Left out: the rows give no access, or it
   * ends without a change of the rows.
   */
  readonly ends?: { readonly on: readonly AccessEvent[]; end(context: DataContext, ending: AccessEnding): Promise<unknown> };
  /**
   * Deletes the rows that belong to at most 50 deleted accounts. Idempotent. Left out: the rows stay, as `reason`
   * explains.
   * @throws when `limit` is reached.
   */
  readonly remove?: (context: DataContext, userIds: readonly string[], limit: WorkLimit) => Promise<void>;
}

/**
 * Describes every collection whose rows refer to an account: whether a row gives access to the account, how that access
 * ends, and whether the row is deleted with the account.
 *
 * Takeovers, password resets, linking, unlinking and deletions all use this table. A test fails if a collection with
 * such a column is missing. The columns in the row of the account itself (password, email address, phone number,
 * username, provider's subject) are cleared by {@link takeOverAccount}.
 *
 * Known browsers are not in this table, because they are not stored: a browser's cookie proves that a user signed in
 * with the browser before. The cookie gives no access.
 */
export const accountRecords: { readonly [Name in CollectionName]?: AccountRecord } = {
  refresh_tokens: {
    fields: ["user_id"],
    reason: "A client can exchange a refresh token for access tokens for the account.",
    ends: {
      on: ["takeover", "link", "unlink", "new-password", "undo-factor-change", "request-deletion"],
      // After a password change, the tokens that belong to sessions are revoked by the `sessions` entry, except those
      // of the session that made the change. This entry revokes the tokens that belong to no session.
      end: (context, { event, userId }) =>
        context.data.refresh_tokens.update(
          { user_id: userId, revoked_at: null, ...(event === "new-password" && { session_id: null }) },
          { set: { revoked_at: context.now() } },
        ),
    },
    remove: ({ data }, ids, limit) => removeAll(data.refresh_tokens, { user_id: { in: ids } }, "id", limit),
  },
  authorization_codes: {
    fields: ["user_id"],
    reason: "A client can exchange an authorization code for tokens for the account.",
    ends: {
      on: ["takeover", "undo-factor-change", "request-deletion"],
      end: ({ data }, { userId }) => removeAll(data.authorization_codes, { user_id: userId }, "code_hash", new WorkLimit()),
    },
    remove: ({ data }, ids, limit) => removeAll(data.authorization_codes, { user_id: { in: ids } }, "code_hash", limit),
  },
  device_codes: {
    fields: ["user_id"],
    reason:
      "A client can exchange an approved device code for tokens for the account, while the session of the device is active. The other events end that session.",
    ends: {
      on: ["takeover", "undo-factor-change", "request-deletion"],
      end: ({ data }, { userId }) => removeAll(data.device_codes, { user_id: userId }, "code_hash", new WorkLimit()),
    },
    remove: ({ data }, ids, limit) => removeAll(data.device_codes, { user_id: { in: ids } }, "code_hash", limit),
  },
  sessions: {
    fields: ["user_id", "account_id"],
    reason:
      "A browser with the session's cookie is signed in to the account. Unlinking the account that started the session (`account_id`) ends it.",
    ends: {
      on: ["takeover", "link", "unlink", "new-password", "undo-factor-change", "block", "request-deletion"],
      end: (context, { event, userId, keepSession }) =>
        revokeSessionsOfUser(context, userId, initiators[event] ?? "session-revoked", keepSession === undefined ? {} : { keepSession }),
    },
    remove: removeSessionsOfUsers,
  },
  login_sessions: {
    fields: ["user_id"],
    reason:
      "A login session gives no access without the browser's session, which ends. The account that it created and the password that it may set depend on " +
      "the former password and address, which change.",
    remove: ({ data }, ids, limit) => removeAll(data.login_sessions, { user_id: { in: ids } }, "id", limit),
  },
  one_time_codes: {
    fields: ["user_id"],
    reason: "A user can sign in with a code. It may have been sent to an email address or phone number that the account loses.",
    // The rows are not deleted, because the wrong guesses are counted in them.
    ends: {
      on: ["takeover"],
      end: (context, { userId }) =>
        context.data.one_time_codes.update({ user_id: userId, consumed_at: null }, { set: { consumed_at: context.now() } }),
    },
    remove: ({ data }, ids, limit) => removeAll(data.one_time_codes, { user_id: { in: ids } }, "id", limit),
  },
  tickets: {
    fields: ["user_id"],
    reason:
      "A login ticket signs in to the account, and so does an `mfa_token` with a second factor. An enrollment ticket adds a factor. Links in mails give access only to " +
      "a reader of the address that they were sent to: they are void after a change of the address. The link that undoes a change of factors gives no access, but " +
      "belongs to the former owner after a takeover.",
    ends: {
      // An `mfa_token` is also void after a new password and after linking, because it is compared with the account.
      on: ["takeover", "undo-factor-change", "request-deletion"],
      end: (context, { event, userId }) => {
        const purposes = ["login", "mfa", "enroll-factor", ...(event === "takeover" ? ["undo-factor-change"] : [])];
        return context.data.tickets.update(
          { user_id: userId, purpose: { in: purposes }, consumed_at: null },
          { set: { consumed_at: context.now() } },
        );
      },
    },
    remove: ({ data }, ids, limit) => removeAll(data.tickets, { user_id: { in: ids } }, "ticket_hash", limit),
  },
  consents: {
    fields: ["user_id"],
    reason: "A consent lets a client get tokens for the account without another prompt.",
    ends: {
      on: ["takeover", "link", "unlink"],
      end: ({ data }, { userId }) => removeAll(data.consents, { user_id: userId }, "id", new WorkLimit()),
    },
    remove: ({ data }, ids, limit) => removeAll(data.consents, { user_id: { in: ids } }, "id", limit),
  },
  device_credentials: {
    fields: ["user_id"],
    reason: "A public key has no effect, so it gives no access. It describes a device of the user who registered it.",
    ends: {
      on: ["takeover", "link"],
      end: ({ data }, { userId }) => removeAll(data.device_credentials, { user_id: userId }, "id", new WorkLimit()),
    },
    remove: ({ data }, ids, limit) => removeAll(data.device_credentials, { user_id: { in: ids } }, "id", limit),
  },
  passwords: {
    fields: ["user_id"],
    reason: "A password hash gives access only if `users.password_id` refers to it. The other hashes are the password history.",
    remove: ({ data }, ids, limit) => removeAll(data.passwords, { user_id: { in: ids } }, "id", limit),
  },
  upstream_tokens: {
    fields: ["account_id"],
    reason: "A provider's tokens do not give access to the account. They belong to the user at the provider.",
    ends: { on: ["takeover"], end: ({ data }, { userId }) => data.upstream_tokens.delete({ account_id: userId }) },
    remove: ({ data }, ids, limit) => removeAll(data.upstream_tokens, { account_id: { in: ids } }, "account_id", limit),
  },
  factors: {
    fields: ["user_id"],
    reason:
      "A user authenticates with a factor in addition to another method, and with a passkey alone. The factors of a linked account count for its primary account, and " +
      "for itself again after it was unlinked.",
    ends: {
      on: ["takeover"],
      end: async (context, { userId, keepsFactors = false }) => keepsFactors || removeFactorsOfAccount(context, userId),
    },
    remove: ({ data }, ids, limit) => removeAll(data.factors, { user_id: { in: ids } }, "id", limit),
  },
  trusted_browsers: {
    fields: ["user_id"],
    reason: "In a trusted browser, the user signs in without a second factor.",
    ends: {
      on: ["takeover", "link", "unlink", "new-password", "undo-factor-change", "block", "request-deletion"],
      end: ({ data }, { userId }) => forgetTrustedBrowsers(data, userId),
    },
    remove: ({ data }, ids, limit) => removeAll(data.trusted_browsers, { user_id: { in: ids } }, "browser_hash", limit),
  },
  user_permissions: {
    fields: ["user_id"],
    reason: "A permission authorizes the account. A linked account has no permissions.",
    ends: { on: ["link", "unlink"], end: ({ data }, { userId }) => data.user_permissions.delete({ user_id: userId }) },
    remove: ({ data }, ids, limit) => removeAll(data.user_permissions, { user_id: { in: ids } }, "permission_name", limit),
  },
  user_roles: {
    fields: ["user_id"],
    reason: "A role authorizes the account. A linked account has no roles.",
    ends: { on: ["link", "unlink"], end: ({ data }, { userId }) => data.user_roles.delete({ user_id: userId }) },
    remove: ({ data }, ids, limit) => removeAll(data.user_roles, { user_id: { in: ids } }, "role_id", limit),
  },
  organization_members: {
    fields: ["user_id"],
    reason: "A membership authorizes the account. A linked account has no memberships.",
    ends: { on: ["link", "unlink"], end: ({ data }, { userId }) => data.organization_members.delete({ user_id: userId }) },
    remove: ({ data }, ids, limit) => removeAll(data.organization_members, { user_id: { in: ids } }, "organization_id", limit),
  },
  users: {
    fields: ["user_id", "linked_to"],
    reason: "A user who authenticates with a linked account is signed in to its primary account.",
    ends: {
      on: ["takeover"],
      end: async (context, { userId }) => {
        for (const { user_id: id } of await linkedAccounts(context.data, [userId])) await unlinkUser(context, { user_id: userId }, id);
      },
    },
  },
  invitations: {
    fields: ["accepted_by"],
    reason: "An accepted invitation gives no access to the account. It belongs to the organization.",
  },
  app_sessions: {
    fields: ["sub"],
    reason:
      "A host's app accepts its session only while the session at the tenant gives access to the account. The row is deleted then, or when it expires.",
  },
  logout_deliveries: {
    fields: ["user_id"],
    reason:
      "A logout token gives no access. It tells a client that a session ended, also if the reason is that the user was deleted. The row is deleted when the client has accepted the token, or a week later.",
  },
  logs: { fields: ["user_id"], reason: "A log event gives no access. It is stored for its retention period." },
};

/** Ends the access to an account that an event must end, as {@link accountRecords} defines. Idempotent. */
export async function endAccess(context: DataContext, ending: AccessEnding): Promise<void> {
  for (const { ends } of Object.values(accountRecords)) if (ends?.on.includes(ending.event)) await ends.end(context, ending);
}

/**
 * Deletes everything that belongs to at most 50 accounts, except the accounts themselves. Idempotent.
 * @throws when `limit` is reached; see {@link WorkLimit.run}.
 */
export async function removeRecordsOf(context: DataContext, userIds: readonly string[], limit: WorkLimit): Promise<void> {
  for (const { remove } of Object.values(accountRecords)) await remove?.(context, userIds, limit);
}

/**
 * Unlinks an account: it becomes a separate account with only its profile and the factors that were added to it. The write
 * that unlinks it decides for which account these factors count. Revokes the sessions that the linked account started for
 * the primary account, and their tokens.
 * @returns `false` if the account was not linked to this primary account.
 */
export async function unlinkUser(context: DataContext, primary: Pick<User, "user_id">, accountId: string): Promise<boolean> {
  const { data } = context;
  // A crash while the account was linked may have left former access in place. It ends before the account becomes a
  // separate account.
  await endAccess(context, { event: "unlink", userId: accountId });
  // Sessions are revoked before the write, so that after a crash no session that the account started is still active.
  // They are revoked again after the write, because sessions may have started in between.
  await revokeSessionsOfUser(context, primary.user_id, "session-revoked", { accountId });
  const unlinked = await data.users.update(
    { user_id: accountId, linked_to: primary.user_id },
    { set: { linked_to: "", updated_at: context.now() }, add: { revision: 1 } },
  );
  await revokeSessionsOfUser(context, primary.user_id, "session-revoked", { accountId });
  if (unlinked === 1) await data.users.update({ user_id: primary.user_id }, { add: { linked_count: -1, revision: 1 } });
  await separateFactors(context, primary.user_id, accountId);
  return unlinked === 1;
}

/** The columns of an account that give access to it. */
type AccessColumns = Pick<User, "password_id" | "email_key" | "username_key" | "phone_key" | "subject_key">;

/** The schema of {@link AccessColumns}, for sign-ins that are stored until the user passes a second factor. */
export const accessColumnsSchema = z.object({
  password_id: z.string().nullable(),
  email_key: z.string().nullable(),
  username_key: z.string().nullable(),
  phone_key: z.string().nullable(),
  subject_key: z.string().nullable(),
}) satisfies z.ZodType<AccessColumns>;

/**
 * Returns the columns of an account that give access to it, as they were read. Takeovers and password changes modify
 * them. A write that depends on an earlier sign-in therefore includes them in its condition.
 */
export function accessColumns({ password_id, email_key, username_key, phone_key, subject_key }: User): AccessColumns {
  return { password_id, email_key, username_key, phone_key, subject_key };
}

/** The identifier that a user proved to own. */
export type ProvenIdentifier = "email" | "phone_number";

/**
 * Gives an account to the user who owns its email address or phone number but did not create the account: all other
 * access to the account ends. A linked account is unlinked.
 *
 * A conditional write of the account decides whether the takeover succeeds. Other access is ended before that write, so
 * that no access is left if the process crashes after the write. It is ended again afterwards, because access may have
 * been created in between.
 *
 * Only an unproven sign-up loses a factor that protects it ({@link isUnprovenSignUp}). The write requires that any other
 * account has none: its user must pass it, see `needsFactorToClaim`.
 * @param set further columns that the write sets, such as the proof or a new password.
 * @returns `false` if the account changed since it was read, or has a factor that it must keep. The account then keeps its
 * password, and the caller must read it again.
 */
export async function takeOverAccount(context: DataContext, account: User, proven: ProvenIdentifier, set: Partial<User>): Promise<boolean> {
  const { user_id: userId, linked_to: primaryId, email, email_verified, phone_number, phone_verified } = account;
  const { password_id, password_frozen_until } = account;
  if (await needsFactorToClaim(context.data, account)) return false;
  if (primaryId !== "") await unlinkUser(context, { user_id: primaryId }, userId);
  const ending: AccessEnding = { event: "takeover", userId };
  const keepsFactors = !isUnprovenSignUp(account);
  await endAccess(context, { ...ending, keepsFactors });
  const unprotected = keepsFactors ? await unprotectedRevision(context, userId) : {};
  if (unprotected === undefined) return false;
  const now = context.now();
  // The columns that the takeover depends on. The revision is not included, because it increases with each account that
  // is unlinked above.
  const identifiers = { email, email_verified, phone_number, phone_verified };
  const guard = { user_id: userId, linked_to: "", ...identifiers, password_id, password_frozen_until, ...unprotected };
  const write = { set: { ...clearedFields(account, proven, now), ...set, updated_at: now }, add: { revision: 1 } };
  if ((await context.data.users.update(guard, write)) !== 1) return false;
  await endAccess(context, ending);
  return true;
}

/** Returns the revision of an account without a factor that protects it. Each new factor increases the revision. */
async function unprotectedRevision({ data }: DataContext, userId: string): Promise<Pick<User, "revision"> | undefined> {
  const account = await findOne(data.users, { user_id: userId });
  return account === undefined || (await isProtected(data, account)) ? undefined : { revision: account.revision };
}

/**
 * Returns the columns that a takeover clears: all columns that give access to the account, except the proven
 * identifier. An email address or phone number that the user cannot sign in with is contact data and stays.
 */
function clearedFields(account: User, proven: ProvenIdentifier, now: number): Partial<User> {
  const { email_key, phone_key } = account;
  const keepsEmail = proven === "email" || email_key === null;
  const remaining = {
    email: keepsEmail ? account.email : "",
    phone_number: proven === "phone_number" || phone_key === null ? account.phone_number : null,
    username: null,
    subject_key: null,
  };
  return {
    ...remaining,
    ...loginKeys(account.provider, remaining),
    ...(!keepsEmail && { email_verified: false, email_proof: null, proven_email: null }),
    ...(remaining.phone_number === null && { phone_verified: false }),
    password_id: null,
    // Prevents a user source from setting a password on an account whose password was removed.
    last_password_reset: now,
  };
}
