import type { TenantContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { UpstreamProfile } from "../../model/connections/strategies/provider.ts";
import { emailProofOf, isProvenByOwner, isUnproven } from "../../model/users/email-proof.ts";
import { clearFailures } from "../attack-protection/login-attempts.ts";
import { auditClient, auditConnection, auditUser, auditVisitor } from "../../logs/audit.ts";
import type { AuditEvent } from "../../model/logs/audit-event.ts";
import { isLinkRefusal, linkUpstream } from "../users/link-upstream.ts";
import { proveEmail } from "../users/prove-email.ts";
import { findUpstreamAccount, makeUpstreamAccount, refreshUpstreamAccount, subjectKey } from "../users/upstream-account.ts";
import { deleteOrphanedTokens, storesTokens, storeTokens, type UpstreamTokens } from "../providers/upstream-tokens.ts";
import { decideSignIn, type SessionStart, type SignInResult, type SignInAttempt } from "./sign-in.ts";

type User = Row<"users">;

/** A sign-in of a user that an identity provider authenticated. */
export interface UpstreamAttempt<Started> extends SignInAttempt<Started> {
  /** The user as the provider describes them. */
  readonly profile: UpstreamProfile;
  /** The provider's tokens. Left out if no tokens are to be stored. */
  readonly tokens?: UpstreamTokens | undefined;
  /**
   * Whether the user chose a separate account although another account has the address. Nothing is linked then.
   * Default: false.
   */
  readonly ownAccount?: boolean;
  /**
   * Returns whether the client offers a connection, by name. Only accounts of offered connections are considered for
   * linking.
   */
  offers(connection: string): Promise<boolean>;
}

/** A user that an identity provider signed in. */
export interface UpstreamSignInResult<Started> extends SignInResult<Started> {
  /** This sign-in linked the account to the user. */
  readonly linked?: true;
}

/** Why a provider's user was not signed in. */
export type UpstreamRefusal =
  /**
   * An existing account has the email address, and nothing proves that it belongs to the same user. The user has to
   * sign in to it to link it.
   */
  | {
      readonly kind: "account-exists";
      /** The id of that account; left out if several have the address. */
      readonly accountId?: string;
    }
  /** The connection creates no accounts. */
  | { readonly kind: "closed" }
  | { readonly kind: "blocked" };

/**
 * Signs in a user whom an identity provider authenticated, and writes the result to the audit log. A rejection is in
 * the log when this returns. The account is found only by the provider's subject. An email address is a claim of the
 * provider, and may belong to another user.
 *
 * The first login creates an account, or links to the account that has the same address. It links without confirmation
 * only if both sides are proven. The provider must be authoritative for the address and state that it is verified. The
 * other account must have been proven by its mailbox or by an authoritative provider. An account whose address was
 * never proven belongs to the user from then on, without what its creator chose (`proveEmail`). In all other cases the
 * user decides.
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
  const [primary] = linked ? await data.users.find({ where: { user_id: account.linked_to }, limit: 1 }) : [account];
  // The event of the first login precedes that of the sign-in.
  const audit = async (signIn: AuditEvent): Promise<void> => {
    const events = event === undefined ? [signIn] : [event, signIn];
    await Promise.all(events.map((one) => tenant.audit({ ...one, ...auditClient(client) })));
  };
  const signedIn =
    primary === undefined || primary.blocked || account.blocked ? undefined : await decide(tenant, attempt, { primary, account });
  if (signedIn === undefined) {
    await audit({ type: "f", description: "The user is blocked.", ...auditConnection(connection), ...auditUser(primary ?? account) });
    return { kind: "blocked" };
  }
  const recorded = audit({ type: "s", ...auditConnection(connection), ...auditUser(signedIn.user) });
  return { kind: "signed-in", ...signedIn, ...(found.newlyLinked && { linked: true }), recorded };
}

async function decide<Started>(
  tenant: TenantContext,
  { connection, session, tokens }: UpstreamAttempt<Started>,
  accounts: { readonly primary: User; readonly account: User },
): Promise<Pick<SignInResult<Started>, "user" | "account" | "started"> | undefined> {
  const { primary, account } = accounts;
  const start: SessionStart<Started> = {
    ...session,
    // Before the sign-in is decided, so that a deletion of the account after that deletes the tokens as well.
    start: async (userId) => {
      const [started] = await Promise.all([
        session.start(userId, account),
        tokens !== undefined && storesTokens(connection) ? storeTokens(tenant, account.user_id, tokens) : undefined,
      ]);
      return started;
    },
  };
  const signedIn = await decideSignIn(tenant, start, accounts, () => [clearFailures(tenant.data, primary.user_id)]);
  if (signedIn === undefined) await deleteOrphanedTokens(tenant.data, account.user_id);
  return signedIn;
}

/** The account of a first login. */
interface FirstAccount {
  readonly account: User;
  readonly event?: AuditEvent;
  /** The account was linked to a user now. */
  readonly newlyLinked?: true;
}

async function firstLogin(tenant: TenantContext, attempt: UpstreamAttempt<unknown>): Promise<FirstAccount | UpstreamRefusal> {
  const { client, connection, profile, ownAccount = false } = attempt;
  const [owners, key] = [ownAccount ? [] : await accountsOf(tenant.data, attempt), await subjectKey(profile.subject)];
  // A parallel login of the same user created this account. It has the address as well.
  const own = owners.find((user) => user.connection === connection.name && user.subject_key === key);
  if (own !== undefined) return { account: own };
  const [owner, ...others] = owners;
  if (owner !== undefined) {
    const reason = others.length > 0 ? "several accounts have the address" : reasonToAsk(profile, owner);
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
  if (connection.options["disable_signup"] === true) {
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
 * Why the account with the same email address is not linked automatically, for the audit log; undefined if both sides
 * are proven.
 */
function reasonToAsk(profile: UpstreamProfile, owner: User): string | undefined {
  if (!profile.emailVerified) return "the provider does not state that the address is verified";
  if (!profile.emailOwned) return "the provider is not authoritative for the address";
  // A mailbox proof does not identify the user at the other provider. Only that provider can, if it is authoritative.
  if (owner.subject_key !== null && emailProofOf(owner) !== "provider")
    return "the account's own provider is not authoritative for the address";
  if (isProvenByOwner(owner)) return undefined;
  if (!isUnproven(owner)) return "the address was verified by an administrator and not by the user";
  // If the account does not sign in with the address, a takeover would leave nothing of it: it belongs to the user who
  // signs in to it.
  return owner.email_key === null ? "the account signs in with another identifier, and its address was never proven" : undefined;
}

/** Returns the users with the email address of a profile, in connections that the client offers. */
async function accountsOf(data: TenantData, { profile: { email = "" }, offers }: UpstreamAttempt<unknown>): Promise<readonly User[]> {
  if (email === "") return [];
  const users = await data.users.find({ where: { email: email.toLowerCase(), linked_to: "" }, limit: 50 });
  const offered = await Promise.all(users.map(({ connection }) => offers(connection)));
  return users.filter((_, place) => offered[place]);
}

/**
 * Links to the account of a proven email address. @returns undefined if the account changed in the meantime or cannot
 * be linked.
 */
async function linkProven(
  tenant: TenantContext,
  { connection, profile }: UpstreamAttempt<unknown>,
  owner: User,
): Promise<FirstAccount | undefined> {
  const byOwner = isProvenByOwner(owner);
  const proof = { userId: owner.user_id, email: owner.email, kind: "provider", byCreator: false } as const;
  if (!byOwner && !(await proveEmail(tenant, proof))) return undefined;
  const [user] = byOwner ? [owner] : await tenant.data.users.find({ where: { user_id: owner.user_id }, limit: 1 });
  if (user === undefined) return undefined;
  try {
    const account = await linkUpstream(tenant, connection, profile, user);
    const how = byOwner ? "which was proven" : "which was never proven: its former access ended";
    const description = `Linked to the account with the same address, ${how}. The provider is authoritative for the address.`;
    return { account, newlyLinked: true, event: { type: "w", description, ...auditConnection(connection), ...auditUser(owner) } };
  } catch (error) {
    if (!isLinkRefusal(error)) throw error;
    return undefined;
  }
}
