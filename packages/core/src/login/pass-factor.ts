import { auditClient, auditConnection, auditUser } from "../logs/audit.ts";
import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import { firstRecoveryCodeIn } from "../identity/factors/recovery-code.ts";
import { trustBrowser } from "../identity/factors/trusted-browser.ts";
import { recordLogin } from "../identity/login/record-login.ts";
import { confirmPassword } from "../identity/users/passwords.ts";
import { proveClaimedAddress } from "../identity/users/prove-claimed-address.ts";
import { addFactor, deleteNewSession } from "../identity/sessions/session.ts";
import { factorKind, type FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { FactorRecord } from "./authentication-record.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { rememberTrustedBrowser } from "./cookies.ts";
import type { BrowserSession, Interaction } from "./interaction.ts";
import { trustLifetimesOf } from "../authorization/step-up/situation.ts";
import { missingFactor, type MissingFactor } from "./missing-factor.ts";
import { pendingSignInProgress, type PendingSignIn } from "./pending-sign-in.ts";
import { passedFactorsProgress } from "./progress.ts";
import { sealRecoveryCode } from "./shown-recovery-code.ts";
import { startSession } from "./start-session.ts";
import { progressAfter, type ActionResult } from "./step.ts";
import { addFactorProgress } from "./steps/add-factor/progress.ts";
import { factorProgress } from "./steps/factor/progress.ts";

/** A factor that the user just passed. */
interface JustPassed {
  readonly type: FactorType;
  /** A new recovery code, which must be shown to the user. */
  readonly recoveryCode?: string | undefined;
  /** Whether later logins in this browser skip the factor. Default false. */
  readonly trustsBrowser?: boolean;
}

/**
 * Records that the user passed a factor. If no further factor is required, completes the pending sign-in, or adds the
 * factors to the browser's session.
 */
export async function passFactor(interaction: Interaction, missing: MissingFactor, passed: JustPassed): Promise<ActionResult> {
  const { tenant, progress } = interaction;
  const { user } = missing;
  const record: FactorRecord = { type: passed.type, user_id: user.user_id, at: tenant.now() };
  const factors = [...(progress.factors ?? []).filter(({ user_id }) => user_id === user.user_id), record];
  const code = passed.recoveryCode ?? (await unseenRecoveryCode(interaction, missing));
  const isReplacement = passed.recoveryCode !== undefined && passed.type === "recovery-code";
  const recoveryCode = code === undefined ? undefined : await sealRecoveryCode(interaction, user.user_id, { code, isReplacement });
  const note: Note = {
    leaves: [factorProgress, addFactorProgress],
    change: (rest) => ({ ...rest, factors, ...(recoveryCode !== undefined && { recovery_code: recoveryCode }) }),
  };
  const noted: Interaction = { ...interaction, progress: progressAfter(progress, note) };
  await confirmFirstFactor(interaction, missing);
  if ((await missingFactor(noted, missing.session)) !== undefined) return note;
  const { pending } = missing;
  return withTrust(
    noted,
    { user, type: passed.type, trustsBrowser: passed.trustsBrowser === true },
    pending === undefined
      ? await stepUp(missing.session, interaction, factors, note)
      : await completePending(noted, pending, user, factors, note),
  );
}

/**
 * Returns the first recovery code of a user who added a factor in this login session, if a crash prevented that it was
 * shown. The code derives from the login session, and no other login session knows it.
 */
async function unseenRecoveryCode(interaction: Interaction, { user, factors }: MissingFactor): Promise<string | undefined> {
  const { tenant, login, progress } = interaction;
  const stored = factors.find(({ type }) => type === "recovery-code");
  if (login === undefined || stored === undefined || progress.recovery_code !== undefined) return undefined;
  const { code, hash } = await firstRecoveryCodeIn(tenant, user, login.id);
  return stored.code_hash === hash ? code : undefined;
}

/** Stores that a second factor confirmed the user, if the password of the sign-in was set through a mailed link or code. */
async function confirmFirstFactor({ tenant }: Interaction, { user, pending, session, first }: MissingFactor): Promise<void> {
  const accountId = pending?.proof.account_id ?? session?.session.account_id;
  if (accountId !== undefined) await confirmPassword(tenant, { user, accountId }, first);
}

/** Adds the cookie of a trusted browser to a completed sign-in, if the user wants it, and the tenant and the factor allow it. */
async function withTrust(
  interaction: Interaction,
  { user, type, trustsBrowser = false }: Pick<JustPassed, "type" | "trustsBrowser"> & { readonly user: Row<"users"> },
  { signedIn, ...result }: ActionResult,
): Promise<ActionResult> {
  if (signedIn === undefined) return result;
  const trust = trustsBrowser && factorKind(type).uses.permitsTrust ? await trustThisBrowser(interaction, user) : [];
  if (trust.length === 0) return { ...result, signedIn };
  return { ...result, signedIn: { browser: signedIn.browser, cookies: [...signedIn.cookies, ...trust] } };
}

/** Returns whether the page offers to trust the browser, and whether the checkbox is checked at first. */
export function trustOffer({ tenant }: Interaction, type: FactorType): { readonly remember?: boolean } {
  const { remember } = multifactorSettings(tenant.record);
  return remember.display_remember_me_checkbox && factorKind(type).uses.permitsTrust
    ? { remember: remember.remember_me_default_value }
    : {};
}

async function trustThisBrowser({ tenant, remembered }: Interaction, { user_id: userId }: Row<"users">): Promise<readonly string[]> {
  const lifetimes = trustLifetimesOf(tenant);
  if (lifetimes === undefined) return [];
  const cookie = await trustBrowser(tenant, userId, remembered.trustedBrowser, lifetimes);
  return [rememberTrustedBrowser(tenant, cookie, lifetimes.overall)];
}

/** The change of the progress for factors that the user passed. */
type Note = Required<Pick<ActionResult, "leaves" | "change">>;

/** Adds the factors to the browser's session. If the session was revoked, the user must sign in again. */
async function stepUp(
  browser: BrowserSession | undefined,
  { tenant }: Interaction,
  factors: readonly FactorRecord[],
  note: Note,
): Promise<ActionResult> {
  let session = browser?.session;
  for (const factor of factors) session = session && (await addFactor(tenant, session, factor));
  if (browser === undefined || session === undefined) return note;
  return { ...note, signedIn: { browser: { user: browser.user, session }, cookies: [] } };
}

/**
 * Starts the session for a pending sign-in. If the account was changed since the first factor, drops the pending sign-in:
 * the user must sign in again.
 */
async function completePending(
  interaction: Interaction,
  pending: PendingSignIn,
  primary: Row<"users">,
  factors: readonly FactorRecord[],
  note: Note,
): Promise<ActionResult> {
  const { tenant, client, progress } = interaction;
  const { proof, access, channels, auth_time: reportedTime } = pending;
  const dropped: ActionResult = { leaves: [pendingSignInProgress, passedFactorsProgress] };
  const isPrimary = proof.account_id === primary.user_id;
  const [connection, found] = await Promise.all([
    tenant.connections.byId(proof.connection_id),
    isPrimary ? primary : findOne(tenant.data.users, { user_id: proof.account_id, linked_to: primary.user_id }),
  ]);
  if (connection === undefined || found === undefined || found.blocked) return dropped;
  const account = pending.claims_address === true ? await proveClaimedAddress(tenant, found, channels) : found;
  const owner = isPrimary ? account : primary;
  const { method, user_verified: userVerified, at } = proof;
  // The authentication time is the time of the first factor (OpenID Connect Core section 2: `auth_time`).
  const authTime = reportedTime ?? { at, isKnown: true };
  const begun = await startSession(interaction, { method, userVerified, channels, primary: owner, account, connection, authTime }, factors);
  const user = await recordLogin(tenant, owner, { ...account, ...access });
  if (user === undefined) {
    await deleteNewSession(tenant.data, begun.session);
    return dropped;
  }
  const completed = await completeSignIn(interaction, user, progress.identifier ?? user.email, begun, factors);
  const recorded = tenant.audit({ type: "s", ...auditClient(client), ...auditConnection(connection), ...auditUser(user) });
  return {
    ...completed,
    leaves: note.leaves,
    change: (current) => progressAfter(note.change(current), completed),
    recorded,
  };
}
