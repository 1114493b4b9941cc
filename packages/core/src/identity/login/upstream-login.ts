import type { TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { createsUsersAtLogin } from "../../model/connections/upstream.ts";
import { emailProofOf, isProvenByOwner, isUnproven, isUnprovenSignUp } from "../../model/users/email-proof.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { auditClient, auditConnection, auditUser, auditVisitor } from "../../logs/audit.ts";
import type { AuditEvent } from "../../model/logs/audit-event.ts";
import { listsProtection } from "../factors/protected-account.ts";
import { isLinkRefusal, linkUpstream } from "../users/link-upstream.ts";
import { proveEmail } from "../users/prove-email.ts";
import { findUpstreamAccount, makeUpstreamAccount, refreshUpstreamAccount, subjectKey } from "../users/upstream-account.ts";
import { deleteOrphanedTokens, storesTokens, storeTokens, type UpstreamTokens } from "../providers/upstream-tokens.ts";
import { decideSignIn, type SessionStart, type SignInResult, type SignInAttempt } from "./sign-in.ts";

type User = Row<"users">;

/** A sign-in by a user whom an identity provider authenticated. */
interface UpstreamAttempt<Started> extends SignInAttempt<Started> {
  /** The profile of the user at the provider. */
  readonly profile: UpstreamProfile;
  /** The provider's tokens. Left out if no tokens are to be stored. */
  readonly tokens?: UpstreamTokens | undefined;
  /**
   * Whether the user chose a separate account although another account has the same email address. If so, nothing is
   * linked. Default: false.
   */
  readonly ownAccount?: boolean;
  /**
   * Returns whether the client offers the connection with this name. Only accounts in such connections are considered
   * for linking.
   */
  offers(connection: string): Promise<boolean>;
}

/** The result of a sign-in at an identity provider. */
interface UpstreamSignInResult<Started> extends SignInResult<Started> {
  /** Set if this sign-in linked the account to an existing user. */
  readonly linked?: true;
}

/** Why a sign-in at an identity provider was rejected. */
type UpstreamRefusal =
  /**
   * An existing account has the same email address, and nothing proves that it belongs to the same user. The user must
   * sign in to the existing account to link it.
   */
  | {
      readonly kind: "account-exists";
      /** The id of the existing account; left out if several accounts have the email address. */
      readonly accountId?: string;
    }
  /** The connection does not create accounts ({@link createsUsersAtLogin}). */
  | { readonly kind: "closed" }
  | { readonly kind: "blocked" };

/**
 * Signs in a user whom an identity provider authenticated, and writes the result to the audit log. A rejection is in
 * the audit log when this function returns. An existing account is found only by the provider's subject, because an
 * email address in the profile may belong to another user.
 *
 * The first login creates an account, or links the provider's account to an existing account with the same email
 * address. It links without confirmation only under two conditions. First, the provider is authoritative for the email
 * address and states that it is verified. Second, the user of the existing account proved the email address, with a
 * code or link that was sent to it or through an authoritative provider. If the email address of the existing account
 * was never proven, the account belongs to the user from now on, and all other access to it ends (`proveEmail`). In all
 * other cases the user decides whether to link the accounts.
 */
export async function signInUpstream<Started>(
  tenant: TenantContext,
  attempt: UpstreamAttempt<Started>,
): Promise<UpstreamSignInResult<Started> | UpstreamRefusal> {
  const { data } = tenant;
  const { client, connection, profile } = attempt;
  const known = await findUpstreamAccount(data, connection, profile.subject);
  const found: FirstAccount | UpstreamRefusal =
    known === undefined ? await firstLogin(tenant, attempt) : { account: await refreshUpstreamAccount(tenant, connection, known, profile) };
  if ("kind" in found) return found;
  const { account, event } = found;
  const linked = account.linked_to !== "";
  const primary = linked ? await findOne(data.users, { user_id: account.linked_to }) : account;
  // Writes the event for the first login, if there is one, before the event for the sign-in.
  const audit = async (...signIn: readonly AuditEvent[]): Promise<void> => {
    const events = event === undefined ? signIn : [event, ...signIn];
    await Promise.all(events.map((one) => tenant.audit({ ...one, ...auditClient(client) })));
  };
  const recordSignIn = async (user: User): Promise<void> => audit({ type: "s", ...auditConnection(connection), ...auditUser(user) });
  const signedIn =
    primary === undefined || primary.blocked || account.blocked
      ? undefined
      : await decide(tenant, attempt, { primary, account }, recordSignIn);
  if (signedIn === undefined) {
    await audit({ type: "f", description: "The user is blocked.", ...auditConnection(connection), ...auditUser(primary ?? account) });
    return { kind: "blocked" };
  }
  const recorded = attempt.session.isPending?.(signedIn.started) === true ? audit() : signedIn.recorded;
  return { kind: "signed-in", ...signedIn, recorded, ...(found.newlyLinked && { linked: true }) };
}

async function decide<Started>(
  tenant: TenantContext,
  { connection, session, tokens }: UpstreamAttempt<Started>,
  accounts: { readonly primary: User; readonly account: User },
  recordSignIn: (user: User) => Promise<unknown>,
): Promise<Omit<SignInResult<Started>, "kind"> | undefined> {
  const { primary, account } = accounts;
  const start: SessionStart<Started> = {
    ...session,
    // Tokens are stored before the sign-in is decided, so that a later deletion of the account deletes them as well.
    start: async () => {
      const [started] = await Promise.all([
        session.start(primary, account, []),
        tokens !== undefined && storesTokens(connection) ? storeTokens(tenant, account.user_id, tokens) : undefined,
      ]);
      return started;
    },
  };
  const signedIn = await decideSignIn(
    tenant,
    start,
    { ...accounts, channels: [] },
    () => [clearFailures(tenant.data, primary.user_id)],
    recordSignIn,
  );
  if (signedIn === undefined) await deleteOrphanedTokens(tenant.data, account.user_id);
  return signedIn;
}

/** The account that a first login created, linked or found. */
interface FirstAccount {
  readonly account: User;
  readonly event?: AuditEvent;
  /** Set if this login linked the account to an existing user. */
  readonly newlyLinked?: true;
}

async function firstLogin(tenant: TenantContext, attempt: UpstreamAttempt<unknown>): Promise<FirstAccount | UpstreamRefusal> {
  const { client, connection, profile, ownAccount = false } = attempt;
  const [owners, key] = [ownAccount ? [] : await accountsOf(tenant.data, attempt), await subjectKey(profile.subject)];
  // Finds the account that a parallel login of the same user created, because that account has the email address as
  // well.
  const own = owners.find((user) => user.connection === connection.name && user.subject_key === key);
  if (own !== undefined) return { account: own };
  const [owner, ...others] = owners;
  if (owner !== undefined) {
    const reason = others.length > 0 ? "several accounts have the email address" : reasonToAsk(profile, owner);
    const linked = reason === undefined ? await linkProven(tenant, attempt, owner) : undefined;
    if (linked !== undefined) return linked;
    await tenant.audit({
      type: "w",
      description: `An account with this email address exists but is not linked automatically: ${reason ?? "it was changed by another request"}. The user decides.`,
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(owner),
    });
    return { kind: "account-exists", ...(others.length === 0 && { accountId: owner.user_id }) };
  }
  if (!createsUsersAtLogin(connection)) {
    await tenant.audit({
      type: "fs",
      description: "The connection does not create accounts.",
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditVisitor(profile.email ?? profile.subject),
    });
    return { kind: "closed" };
  }
  const { account, isNew } = await makeUpstreamAccount(tenant, connection, profile);
  return { account, ...(isNew && { event: { type: "ss", ...auditConnection(connection), ...auditUser(account) } }) };
}

/**
 * Returns why the existing account with the same email address is not linked automatically, as text for the audit log.
 * Undefined if both the provider and the account prove the email address.
 */
function reasonToAsk(profile: UpstreamProfile, owner: User): string | undefined {
  // The user passes a factor after the sign-in to the existing account.
  if (listsProtection(owner) && !isUnprovenSignUp(owner)) return "the existing account has a second factor";
  if (!profile.emailVerified) return "the provider does not state that the email address is verified";
  if (!profile.emailOwned) return "the provider is not authoritative for the email address";
  // If the existing account belongs to another provider, a code or link that was sent to the email address does not
  // show who uses the account at that provider. Only the other provider can prove it, if it is authoritative for the
  // email address.
  if (owner.subject_key !== null && emailProofOf(owner) !== "provider")
    return "the existing account's provider is not authoritative for the email address";
  if (isProvenByOwner(owner)) return undefined;
  if (!isUnproven(owner)) return "the email address was verified by an administrator and not by the user";
  // If the existing account signs in with another identifier, a takeover would remove that identifier. The account
  // belongs to the user who signs in with it.
  return owner.email_key === null
    ? "the existing account signs in with another identifier, and its email address was never proven"
    : undefined;
}

/** Returns the users who have the email address in a profile, in connections that the client offers. */
async function accountsOf(data: TenantData, { profile: { email = "" }, offers }: UpstreamAttempt<unknown>): Promise<readonly User[]> {
  if (email === "") return [];
  const users = await data.users.find({ where: { email, linked_to: "" }, limit: 50 });
  const offered = await Promise.all(users.map(({ connection }) => offers(connection)));
  return users.filter((_, place) => offered[place]);
}

/**
 * Links the provider's account to the existing account with the proven email address.
 * @returns undefined if the existing account changed in the meantime or cannot be linked.
 */
async function linkProven(
  tenant: TenantContext,
  { connection, profile }: UpstreamAttempt<unknown>,
  owner: User,
): Promise<FirstAccount | undefined> {
  const byOwner = isProvenByOwner(owner);
  const proof = { userId: owner.user_id, email: owner.email, kind: "provider", byCreator: false } as const;
  if (!byOwner && !(await proveEmail(tenant, proof))) return undefined;
  const user = byOwner ? owner : await findOne(tenant.data.users, { user_id: owner.user_id });
  if (user === undefined) return undefined;
  try {
    const account = await linkUpstream(tenant, connection, profile, user);
    const how = byOwner ? "which was proven" : "which was never proven: all former access to the account ended";
    const description = `Linked to the account with the same email address, ${how}. The provider is authoritative for the email address.`;
    return { account, newlyLinked: true, event: { type: "w", description, ...auditConnection(connection), ...auditUser(owner) } };
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return undefined;
  }
}
