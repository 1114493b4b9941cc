import type { TenantContext } from "../../context.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import type { PosternError } from "../../errors.ts";
import { limitLogin } from "../attack-protection/rate-limit.ts";
import { importFromSource, type SourceLookup, type ImportedAccount } from "../users/import-from-source.ts";
import { auditLogin, type AttemptDetails } from "./audit-login.ts";
import { checkPassword, rehashPassword } from "./check-password.ts";
import { findAccount, readIdentifier } from "./identifier.ts";
import { reserveLogin } from "./reserve-login.ts";
import { decideSignIn, type SignInResult, type SignInAttempt } from "./sign-in.ts";

/** A sign-in with a password. `connection` is a password database (strategy `auth0`). */
interface PasswordAttempt<Started> extends SignInAttempt<Started> {
  /** An email address, a username or a phone number, as typed. */
  readonly identifier: string;
  readonly password: string;
  /** Identifies a submitted form and its input. Repeated submissions of the same form count as one attempt. */
  readonly form?: string | undefined;
}

/** Why a sign-in with a password was rejected. */
export type PasswordRefusal =
  | { readonly kind: "wrong-credentials" }
  /** Too many failures within five minutes: the password was not checked. */
  | { readonly kind: "throttled" }
  /** The same form was submitted before, and its password was wrong. */
  | { readonly kind: "repeated" }
  /** The password is correct, but an administrator blocked the account. */
  | { readonly kind: "blocked" }
  /** Too many attempts from the client's IP address. */
  | { readonly kind: "refused"; readonly error: PosternError };

/**
 * A `passwords.id` that no row has. It is looked up for an unknown identifier, so that the same statements are sent.
 */
const noPassword = "none";

/**
 * Signs a user in with a password, and writes the result to the audit log. A rejection is in
 * the audit log when this function returns.
 *
 * An unknown user, a wrong password and a throttled account take the same time, because each attempt computes one hash.
 * For a throttled account the hash is not used. The hasher's queue and the rate limit per client IP address limit how
 * many hashes an attacker can cause. When the queue is full, every caller gets a 503.
 *
 * A sign-in with the correct password sends five statements in three sequential steps, and one or two more for a linked
 * account. The statements for the session come in addition.
 *
 * @throws {PosternError} `server_error` if this runtime cannot verify the stored hash.
 * @throws {BusyError} when too many passwords are waiting to be hashed.
 */
export async function signInWithPassword<Started>(
  tenant: TenantContext,
  attempt: PasswordAttempt<Started>,
): Promise<SignInResult<Started> | PasswordRefusal> {
  const { data } = tenant;
  const { client, connection, password } = attempt;
  const refusal = await limitLogin(tenant, client);
  if (refusal !== undefined) return { kind: "refused", error: refusal };

  const identifier = await readIdentifier(connection, attempt.identifier);
  const known = await findAccount(data, connection, identifier);
  const linked = known !== undefined && known.linked_to !== "";
  const primaryId = linked ? known.linked_to : known?.user_id;
  const [reserved, storedPassword, found] = await Promise.all([
    reserveLogin(tenant, connection, primaryId, identifier.text, attempt.form),
    findOne(data.passwords, { id: known?.password_id ?? noPassword }),
    linked ? findOne(data.users, { user_id: known.linked_to }) : known,
  ]);
  if (reserved === "repeated") return { kind: "repeated" };
  if (reserved === "throttled") {
    await tenant.secrets.hasher.verifyDummy(password, data.tenantId);
    await auditLogin(tenant, "f", { client, connection, identifier, user: found }, "Too many failed logins.");
    return { kind: "throttled" };
  }

  // Removes the reservation and throws the original error. If the reservation cannot be removed, it expires.
  const giveBack = async (error: unknown): Promise<never> => {
    await reserved.giveBack().catch(() => {});
    throw error;
  };
  const imported = await askSource(tenant, { connection, identifier }, known, password).catch(giveBack);
  const { account, stored } = imported ?? { account: known, stored: storedPassword };
  const primary = imported?.account ?? found;
  const attempted: AttemptDetails = { client, connection, identifier, user: primary };
  const verdict = await checkPassword(tenant, primary && stored, password).catch(giveBack);
  if (verdict === "no-match" || account === undefined || primary === undefined || stored === undefined) {
    const isFirstThrottled = await reserved.fail();
    await Promise.all([auditWrongPassword(tenant, attempted), isFirstThrottled && auditThrottling(tenant, attempted)]);
    return { kind: "wrong-credentials" };
  }
  if (primary.blocked || account.blocked) {
    await reserved.giveBack();
    await auditBlocked(tenant, attempted);
    return { kind: "blocked" };
  }

  const signedIn = await decideSignIn(
    tenant,
    attempt.session,
    { primary, account, channels: stored.set_through === null ? [] : [stored.set_through] },
    () => [reserved.clear(), verdict === "match-rehash" ? rehashPassword(tenant, stored, password) : Promise.resolve()],
    () => auditLogin(tenant, "s", attempted),
  );
  if (signedIn !== undefined) return { kind: "signed-in", ...signedIn };
  const changed = await findOne(data.users, { user_id: primary.user_id });
  if (changed?.blocked === true) {
    await auditBlocked(tenant, attempted);
    return { kind: "blocked" };
  }
  await auditWrongPassword(tenant, attempted);
  return { kind: "wrong-credentials" };
}

function auditWrongPassword(tenant: TenantContext, attempted: AttemptDetails): Promise<void> {
  return auditLogin(tenant, attempted.user === undefined ? "fu" : "fp", attempted, "Wrong email or password.");
}

function auditBlocked(tenant: TenantContext, attempted: AttemptDetails): Promise<void> {
  return auditLogin(tenant, "f", attempted, "The user is blocked.");
}

/** Writes the audit event for the failure that starts the throttling, and sends the user an email. */
function auditThrottling(tenant: TenantContext, attempted: AttemptDetails): Promise<void> {
  if (attempted.user !== undefined) tenant.messages.sendThrottledAccountMail(attempted.user, attempted.client);
  return auditLogin(tenant, "limit_wc", attempted, "Password logins are throttled for a few minutes: too many failed.");
}

/** Looks the user up in the host application's database, if it has one. */
async function askSource(
  tenant: TenantContext,
  at: SourceLookup,
  known: Row<"users"> | undefined,
  password: string,
): Promise<ImportedAccount | undefined> {
  if (tenant.host.userSource === undefined) return undefined;
  return importFromSource(tenant, at, known, password);
}
