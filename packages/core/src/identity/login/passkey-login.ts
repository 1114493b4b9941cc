import type { TenantContext } from "../../context.ts";
import type { PosternError } from "../../errors.ts";
import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { phishingResistantAcr } from "../../model/factors/acr.ts";
import type { AuthenticatorAttachment } from "../../model/factors/webauthn.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { limitLogin } from "../attack-protection/rate-limit.ts";
import { linkedAccounts } from "../users/linked-accounts.ts";
import { verifyAuthentication, type Authentication, type VerifiedAuthentication } from "../webauthn/authentication.ts";
import type { Rejection } from "../webauthn/rejection.ts";
import type { RelyingParty } from "../webauthn/relying-party.ts";
import { decideSignIn, type SessionStart, type SignInResult } from "./sign-in.ts";

/** A sign-in with a passkey, without another factor. */
interface PasskeyAttempt<Started> {
  readonly client: RegisteredClient;
  /** The connections whose users may sign in with passkeys now. */
  readonly connections: readonly Row<"connections">[];
  readonly authentication: Authentication;
  /** The result of `navigator.credentials.get()` as JSON, which may be any value. */
  readonly response: unknown;
  /** Returns the functions that start the session for the connection of the account. */
  readonly sessionAt: (connection: Row<"connections">) => SessionStart<Started>;
}

/** Why a sign-in with a passkey was rejected. */
export type PasskeyRefusal =
  /**
   * The response is invalid, the passkey is unknown, or its account belongs to no allowed connection. Users receive the
   * same text for each reason.
   */
  | { readonly kind: "rejected" }
  /** The passkey is correct, but an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /** Too many attempts from the client's IP address. */
  | { readonly kind: "refused"; readonly error: PosternError };

/** The result of a sign-in with a passkey. */
interface PasskeySignInResult<Started> extends SignInResult<Started> {
  readonly connection: Row<"connections">;
  /** The place of the authenticator: in this device or another one. Undefined if the browser does not report it. */
  readonly attachment: AuthenticatorAttachment | undefined;
}

/**
 * Returns the authentication of a sign-in with a passkey. The passkey must verify the user, because no other factor
 * does.
 */
export function passkeyAuthentication(relyingParty: RelyingParty, boundTo: string): Authentication {
  return { relyingParty, boundTo, userVerification: "required" };
}

/**
 * Signs a user in with a passkey, and writes the result to the audit log. A rejection is in the audit log when this
 * function returns. The challenge is used after each outcome.
 *
 * The session belongs to the account of the user that is in an allowed connection: the account that the passkey was added
 * to, the primary account, or another one that is linked to it.
 */
export async function signInWithPasskey<Started>(
  tenant: TenantContext,
  attempt: PasskeyAttempt<Started>,
): Promise<PasskeySignInResult<Started> | PasskeyRefusal> {
  const { client, connections, authentication, response } = attempt;
  const refusal = await limitLogin(tenant, client);
  if (refusal !== undefined) return { kind: "refused", error: refusal };
  const verified = await verifyAuthentication(tenant, authentication, response, ["passkey"]);
  if (verified.outcome === "rejected") return reject(tenant, client, verified);

  const accounts = await accountsOf(tenant, verified, connections);
  if (accounts === undefined) return reject(tenant, client, { outcome: "rejected", reason: "unknown-credential" });
  const { primary, account, connection } = accounts;
  const about = { ...auditClient(client), ...auditConnection(connection), ...auditUser(primary) };
  const signedIn =
    primary.blocked || account.blocked
      ? undefined
      : await decideSignIn(
          tenant,
          attempt.sessionAt(connection),
          { primary, account, channels: [] },
          () => [],
          () => tenant.audit({ type: "s", details: passkeyLoginDetails, ...about }),
        );
  if (signedIn !== undefined) return { kind: "signed-in", ...signedIn, connection, attachment: verified.attachment };
  await tenant.audit({ type: "f", description: "The user is blocked.", ...about });
  return { kind: "blocked" };
}

/** An account that was just created with a passkey. */
interface NewAccount<Started> {
  readonly client: RegisteredClient;
  readonly connection: Row<"connections">;
  readonly user: Row<"users">;
  readonly session: SessionStart<Started>;
}

/**
 * Signs in the user of an account that was just created with a passkey, and writes the sign-in to the audit log.
 * @returns undefined if the account was blocked or deleted in the meantime, or if another user verified its email address
 * or phone number. The account is then theirs.
 */
export async function signInToNewAccount<Started>(
  tenant: TenantContext,
  { client, connection, user, session }: NewAccount<Started>,
): Promise<Omit<SignInResult<Started>, "kind"> | undefined> {
  const accounts = { primary: user, account: user, channels: [] };
  const about = { ...auditClient(client), ...auditConnection(connection), ...auditUser(user) };
  const audit = () => tenant.audit({ type: "s", details: passkeyLoginDetails, ...about });
  const signedIn = await decideSignIn(tenant, session, accounts, () => [], audit);
  if (signedIn === undefined) return undefined;
  // A takeover ends the sessions that exist before and after its write. It is found here if this session is newer.
  const current = await findOne(tenant.data.users, { user_id: user.user_id });
  if (current !== undefined && !current.email_verified && !current.phone_verified) return signedIn;
  await Promise.all([signedIn.recorded, session.rollBack?.(signedIn.started)]);
  return undefined;
}

/** The details of the audit event for a login with a passkey, as in Auth0. */
const passkeyLoginDetails = { prompts: [{ name: "passkey-authenticate", performed_amr: [phishingResistantAcr] }] };

/** Returns the accounts of the passkey's user. Undefined if the user has no account in an allowed connection. */
async function accountsOf(
  { data }: TenantContext,
  { factor }: VerifiedAuthentication,
  connections: readonly Row<"connections">[],
): Promise<{ readonly primary: Row<"users">; readonly account: Row<"users">; readonly connection: Row<"connections"> } | undefined> {
  const connectionOf = (user: Row<"users">) => connections.find(({ name }) => name === user.connection);
  const owner = await findOne(data.users, { user_id: factor.user_id });
  if (owner === undefined) return undefined;
  const primary = owner.linked_to === "" ? owner : await findOne(data.users, { user_id: owner.linked_to });
  if (primary === undefined) return undefined;
  // The account of the passkey comes first: if it is unlinked, the sessions that the passkey started end.
  const own = [owner, primary].find((user) => connectionOf(user) !== undefined);
  const account = own ?? (await linkedAccounts(data, [primary.user_id])).find((linked) => connectionOf(linked) !== undefined);
  const connection = account && connectionOf(account);
  return connection && { primary, account, connection };
}

async function reject(tenant: TenantContext, client: RegisteredClient, { reason, detail }: Rejection): Promise<PasskeyRefusal> {
  await tenant.audit({
    type: "passkey_challenge_failed",
    description: "The response of a passkey was rejected.",
    details: { reason, ...(detail !== undefined && { detail }) },
    ...auditClient(client),
  });
  return { kind: "rejected" };
}
