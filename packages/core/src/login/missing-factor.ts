import { storedTypes } from "../authorization/actions/factor-commands.ts";
import { runPostChallenge, type ResetInProgress } from "../authorization/actions/post-challenge.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { codeTargets } from "../identity/factors/factor-code.ts";
import {
  changeDemand,
  confirmationDemand,
  decideFactor,
  hasIndependentFactor,
  hasUnavailableFactor,
  usableFactors,
  type FactorDecision,
  type FactorDemand,
  type FactorSituation,
} from "../identity/factors/factor-policy.ts";
import { passkeysEnabled } from "../identity/connections/passkey-settings.ts";
import { factorTypesOf, readConfirmedFactors } from "../identity/factors/confirmed-factors.ts";
import { factorUses, isPolicyInForce, type FirstFactor, type PassedFactor } from "../identity/factors/factor-uses.ts";
import type { Factor } from "../identity/factors/factors.ts";
import { areFactorsFrozen } from "../identity/factors/frozen-factors.ts";
import { sendableFactors } from "../identity/factors/policy-problem.ts";
import { isBrowserTrusted, type TrustLifetimes } from "../identity/factors/trusted-browser.ts";
import { factorsSinceSignIn, firstFactorOf } from "../identity/sessions/methods.ts";
import { isClaimedBy } from "../identity/users/claimed-account.ts";
import { webauthnTypes } from "../identity/webauthn/credential.ts";
import { PosternError } from "../errors.ts";
import { factorTypeSchema, type FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { Acr } from "../model/factors/acr.ts";
import { isUnproven, isUnprovenSignUp } from "../model/users/email-proof.ts";
import { mfaIdentifier } from "../tenants/audience.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { FactorRecord } from "./authentication-record.ts";
import { reportPolicy } from "./report-policy.ts";
import { resetAccountOf } from "./reset-account.ts";
import type { BrowserSession, Interaction } from "./interaction.ts";
import type { LoginProgress, PendingSignIn } from "./progress.ts";

/** A user who must pass or add a second factor before the sign-in continues. */
export interface MissingFactor {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The sign-in that waits for the factor. Omitted: the browser's session must be stepped up. */
  readonly pending?: PendingSignIn;
  readonly session?: BrowserSession;
  readonly first: FirstFactor;
  readonly decision: Extract<FactorDecision, { kind: "challenge" | "enroll" }>;
  /** The user's confirmed factors. Empty if the user must add one. */
  readonly factors: readonly Factor[];
}

/** The input for a decision about the factors of a user. */
export interface FactorCheck {
  readonly tenant: RequestTenant;
  /** The primary account. */
  readonly user: Row<"users">;
  readonly first: FirstFactor;
  readonly passed?: readonly PassedFactor[];
  /** The part of `passed` that the user passed in this login. Default: all. */
  readonly passedNow?: readonly PassedFactor[];
  /** The text of the cookie of trusted browsers. */
  readonly trustedBrowser: string | undefined;
  /** The id of the connection of the sign-in, if the user can add a passkey for it. */
  readonly connectionId?: string | undefined;
  readonly acrs?: readonly Acr[] | undefined;
  readonly demands?: readonly FactorDemand[];
}

/** A decision about the factors of a user. `factors`: the user's confirmed factors, if the user must pass one. */
interface FactorCheckResult {
  readonly decision: FactorDecision;
  readonly factors: readonly Factor[];
}

/**
 * Decides whether a user must pass a factor. Sends no query if the sign-in is sufficient without one. Otherwise it may
 * read the trusted browser, the user's factors and the tenant's domains.
 */
export async function checkFactors(check: FactorCheck): Promise<FactorCheckResult> {
  const presumed = presumedSituation(check);
  const atOnce = decideFactor(presumed);
  // The user's row can list a type that no factor has. An Action that requires a new factor of this type is not satisfied.
  const isCertain = presumed.enrolled.length === 0 || presumed.demands.every(({ action }) => action !== "enroll");
  if (atOnce.kind === "sufficient" && isCertain) {
    await reportPolicy(check.tenant, atOnce);
    return { decision: atOnce, factors: [] };
  }
  const { situation, factors } = await readSituation(check);
  const decision = decideFactor(situation);
  await reportPolicy(check.tenant, decision);
  return { decision, factors };
}

/** Returns the situation according to the user's row. The browser is not trusted. */
function presumedSituation(check: FactorCheck): FactorSituation {
  const { tenant, user, first, passed = [], passedNow = passed, acrs = [], demands = [] } = check;
  return {
    settings: multifactorSettings(tenant.record),
    enrolled: factorTypeSchema.array().parse(user.enrolled_factors ?? []),
    hasMailbox: user.email !== "" && user.email_verified,
    first,
    passed,
    passedNow,
    isBrowserTrusted: false,
    acrs,
    demands,
    // Fewer factors never make a sufficient sign-in insufficient, so the host and the connection are only checked if a
    // factor is missing.
    available: [...sendableFactors(tenant.host), ...webauthnTypes],
    hasPasskeys: true,
    usedChannels: [],
    now: tenant.now(),
    isFrozen: areFactorsFrozen(tenant, user),
  };
}

/** Reads everything that decides about the factors of a user. `factors`: the user's confirmed factors. */
export async function readSituation(
  check: FactorCheck,
): Promise<{ readonly situation: FactorSituation; readonly factors: readonly Factor[] }> {
  const { tenant, user, first, trustedBrowser, connectionId } = check;
  const presumed = presumedSituation(check);
  const lifetimes = trustLifetimesOf(tenant);
  const [isTrusted, relyingParty, connection] = await Promise.all([
    trustedBrowser !== undefined && lifetimes !== undefined && isBrowserTrusted(tenant, user.user_id, trustedBrowser, lifetimes),
    tenant.relyingParty(),
    connectionId === undefined ? undefined : tenant.connections.byId(connectionId),
  ]);
  const factors = await readConfirmedFactors(tenant, user);
  // A passkey that was the first factor is no second one.
  const enrolled = factorTypesOf(factors).filter((type) => type !== "passkey" || first.method !== "passkey");
  // An enrolled key stays required on a host without WebAuthn. Otherwise a password would be sufficient there to add
  // another factor.
  const keys = webauthnTypes.filter((type) => relyingParty !== undefined || enrolled.includes(type));
  const available = [...sendableFactors(tenant.host), ...keys];
  const usedChannels = (["phone", "email"] as const).filter((type) =>
    enrolled.includes(type) || type === "email" ? codeTargets({ user, factors, first }, type).length === 0 : false,
  );
  const hasPasskeys = connection !== undefined && passkeysEnabled(connection);
  return { situation: { ...presumed, enrolled, isBrowserTrusted: isTrusted, available, usedChannels, hasPasskeys }, factors };
}

/** Returns how long the tenant's users may trust a browser. Undefined if the tenant does not allow it. */
export function trustLifetimesOf({ record }: RequestTenant): TrustLifetimes | undefined {
  const { remember, trustEndedAt: endedAt } = multifactorSettings(record);
  if (!remember.display_remember_me_checkbox) return undefined;
  return { overall: remember.mfa_session_overall_timeout * 1000, idle: remember.mfa_session_inactivity_timeout * 1000, endedAt };
}

/**
 * Returns whether a user who just passed the first factor must pass a second one. An earlier session does not count,
 * because the user signed in again.
 */
export async function isFactorMissing(
  place: Pick<Interaction, "tenant" | "remembered"> & {
    readonly request?: Pick<Interaction["request"], "required_acrs">;
    readonly api?: Interaction["api"];
    readonly progress?: DemandingProgress;
  },
  { primary, account, connection, method, userVerified, channels = [], passed = [] }: FirstAuthentication,
): Promise<boolean> {
  const { tenant, remembered, request, progress } = place;
  const first: FirstFactor = { method, channels, at: tenant.now(), ...(userVerified !== undefined && { userVerified }) };
  const { trustedBrowser } = remembered;
  const claiming = claimsAddress(account, first) ? [claimDemand] : [];
  const demands = [...demandsAt(await place.api?.()), ...claiming, ...(await demandsOf(tenant, primary, progress))];
  const { decision } = await checkFactors({
    tenant,
    user: primary,
    first,
    passed,
    passedNow: passed,
    trustedBrowser,
    connectionId: connection.id,
    acrs: request?.required_acrs,
    demands,
  });
  return decision.kind !== "sufficient";
}

/** Returns the factors that an interaction requires in addition to the tenant's policy and the client's request. */
async function demandsOf(
  tenant: RequestTenant,
  user: Row<"users">,
  progress: DemandingProgress | undefined,
): Promise<readonly FactorDemand[]> {
  // A linked account is another way into the user's account. A user with factors confirms it with one of them.
  const isLinking = progress?.pending_link?.agreed === true && (await readConfirmedFactors(tenant, user)).length > 0;
  const linking: readonly FactorDemand[] = isLinking ? [confirmationDemand] : [];
  const { demanded } = progress ?? {};
  return [...linking, ...(demanded?.user_id === user.user_id ? demanded.demands : [])];
}

/**
 * The demand of a code that was sent to an unproven address of an account with a factor: the mailbox or the phone alone is
 * not sufficient, see `needsFactorToClaim`.
 */
export const claimDemand: FactorDemand = { ...confirmationDemand, action: "challenge" };

/** Whether a sign-in by a code claims an address that is unproven because the user must pass a factor first. */
export function claimsAddress(account: Row<"users">, { method, channels = [] }: Pick<FirstFactor, "method" | "channels">): boolean {
  return method === "otp" && isClaimedBy(channels, account);
}

/** Returns the factors that a request for tokens of an API requires. */
export function demandsAt(api: CachedApi | undefined): readonly FactorDemand[] {
  return api?.record.identifier === mfaIdentifier ? [changeDemand] : [];
}

/** The parts of the progress that can require factors. */
export type DemandingProgress = Pick<LoginProgress, "pending_link" | "demanded">;

/** The data of a sign-in that just passed its first factor. */
interface FirstAuthentication {
  /** The primary account. */
  readonly primary: Row<"users">;
  /** The account that was authenticated. */
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  readonly method: FirstFactor["method"];
  readonly userVerified?: boolean | undefined;
  readonly channels?: readonly string[] | undefined;
  /** The factors that the user passed before the first factor: to reset the password. */
  readonly passed?: readonly PassedFactor[] | undefined;
}

/**
 * Returns the factor that an interaction still requires: after the first factor of a sign-in, or because the browser's
 * session does not satisfy the tenant's policy, the client's `acr_values` or an Action.
 * @param session the browser's session, if it is sufficient except for factors.
 * @returns `sign-in-again` if the user must add a factor, and the session is too old for that.
 * @throws {PosternError} `unmet_authentication_requirements` if the user can neither use nor add a required factor.
 */
export async function missingFactor(
  interaction: Interaction,
  session: BrowserSession | undefined,
): Promise<MissingFactor | "sign-in-again" | undefined> {
  const { progress } = interaction;
  if (progress.pending !== undefined) {
    const user = await pendingUser(interaction, progress.pending);
    if (user !== undefined) {
      const { proof } = progress.pending;
      const first = pendingFirstFactor(progress.pending);
      const demands = progress.pending.claims_address === true ? [claimDemand] : [];
      const { decision, factors } = await decideFor(interaction, { user, first, connectionId: proof.connection_id }, [], demands);
      if (decision.kind === "challenge" || decision.kind === "enroll") return { user, pending: progress.pending, first, decision, factors };
    }
  }
  if (session === undefined) return missingForReset(interaction);
  const { user, session: stored } = session;
  const first = firstFactorOf(stored);
  const { decision, factors } = await decideFor(
    interaction,
    { user, first, connectionId: stored.connection_id },
    factorsSinceSignIn(stored),
  );
  if (decision.kind === "sign-in-again") return decision.kind;
  return decision.kind === "challenge" || decision.kind === "enroll" ? { user, session, first, decision, factors } : undefined;
}

/**
 * Returns the first factor of a sign-in that waits for a second one. Its time is that of the sign-in here, even if an
 * identity provider authenticated the user earlier.
 */
function pendingFirstFactor({ proof, channels }: PendingSignIn): FirstFactor {
  const { method, user_verified: userVerified, at } = proof;
  return {
    method,
    at,
    ...(userVerified !== undefined && { userVerified }),
    ...(channels !== undefined && { channels }),
  };
}

async function decideFor(
  interaction: Interaction,
  { user, first, connectionId }: Pick<FactorCheck, "user" | "first" | "connectionId">,
  earlier: readonly PassedFactor[],
  demands: readonly FactorDemand[] = [],
): Promise<FactorCheckResult> {
  const { tenant, remembered, request, progress } = interaction;
  const inInteraction = passedFactors(interaction, user);
  const checked = await checkFactors({
    tenant,
    user,
    first,
    passed: [...earlier, ...inInteraction],
    passedNow: inInteraction,
    trustedBrowser: remembered.trustedBrowser,
    connectionId,
    acrs: request.required_acrs,
    demands: [...demandsAt(await interaction.api()), ...demands, ...(await demandsOf(tenant, user, progress))],
  });
  if (checked.decision.kind !== "unmet") return checked;
  if (checked.decision.by !== "client") throw new PosternError("access_denied", noRequiredFactor);
  throw new PosternError("unmet_authentication_requirements", "the user has no factor that satisfies the requested acr");
}

/** The error description if the user can neither use nor add a factor that the tenant or an Action requires. */
export const noRequiredFactor = "the user has no factor that the login requires";

/** Returns the factors that a user passed in an interaction. */
export function passedFactors({ progress }: Pick<Interaction, "progress">, user: Pick<Row<"users">, "user_id">): readonly FactorRecord[] {
  return (progress.factors ?? []).filter(({ user_id: id }) => id === user.user_id);
}

/** Returns the first factor of a visitor who holds a mailed link or code: the mailbox of the account. */
export function mailboxOf({ email }: Pick<Row<"users">, "email">, at: number): FirstFactor {
  return { method: "otp", channels: [email], at };
}

/**
 * Returns the factor that a user must pass before they set a new password. The mailbox that received the code is no
 * factor, and a trusted browser is not sufficient.
 * @throws {PosternError} `access_denied` if this server cannot use any of the user's factors now.
 */
async function missingForReset(interaction: Interaction): Promise<MissingFactor | undefined> {
  const account = await resetAccountOf(interaction);
  if (account === undefined) return undefined;
  const { tenant } = interaction;
  const user = await primaryOf(tenant, account);
  const { client, progress } = interaction;
  const provedAt = progress.reset?.at ?? tenant.now();
  const reset = { client, account, user, provedAt, passed: passedFactors(interaction, user), provesEmail: true };
  const { decision, factors } = await decideResetFactor(tenant, reset);
  return decision.kind === "challenge" ? { user, first: mailboxOf(account, provedAt), decision, factors } : undefined;
}

/** The error description if the server cannot use any of the factors of a user, who must pass one. */
export const noUsableFactor = "none of the user's factors can be used now";

/**
 * Decides whether a user must pass a factor before they set a new password: one that an `onExecutePostChallenge` action
 * requires, otherwise any factor that the user has.
 * @throws {PosternError} the errors of {@link runPostChallenge}; `access_denied` if the user cannot use a factor that an
 * action requires, or if this server cannot use any of the user's factors now.
 */
export async function decideResetFactor(tenant: RequestTenant, reset: MailedReset): Promise<FactorCheckResult> {
  const { user, account, provedAt, provesEmail } = reset;
  const first = mailboxOf(account, provedAt);
  const passed = reset.passed.map(({ type }) => type);
  const commands = await runPostChallenge(tenant, reset);
  // The new password removes the factors, which may belong to another visitor.
  if (provesEmail && isUnprovenSignUp(account)) return { decision: { kind: "sufficient" }, factors: [] };
  const isFor = provesEmail && isUnproven(account) ? "claim" : "reset";
  if (commands.length === 0) return requireUsable(await checkMailedLink(tenant, user, { first, passed, isFor }));
  const { situation, factors } = await readSituation({ tenant, user, first, trustedBrowser: undefined });
  const usable = usableFactors(situation);
  for (const { action, command } of commands) {
    const named = storedTypes(command) ?? usable;
    if (named.some((type) => passed.includes(type))) continue;
    const types = named.filter((type) => usable.includes(type));
    if (types.length < (command.types?.length ?? types.length)) await warn(tenant, reset, { action, factors: [...(command.types ?? [])] });
    if (types.length === 0) throw await refusal(tenant, reset);
    return { decision: { kind: "challenge", types }, factors };
  }
  return requireUsable(await checkMailedLink(tenant, user, { first, passed, isFor }));
}

/** A password reset, and whether its link or code proves the email address of the account. */
export interface MailedReset extends ResetInProgress {
  readonly provesEmail: boolean;
}

/** Returns the result unless the user has a factor, but this server cannot use any. @throws {PosternError} `access_denied`. */
export function requireUsable(result: FactorCheckResult): FactorCheckResult {
  if (result.decision.kind === "unmet") throw new PosternError("access_denied", noUsableFactor, { reason: "no-usable-factor" });
  return result;
}

async function warn(
  tenant: RequestTenant,
  { client, user }: ResetInProgress,
  details: { readonly action: string; readonly factors: readonly string[] },
): Promise<void> {
  await tenant.audit({
    type: "w",
    description: "An action required a factor that the tenant has not enabled or the user cannot use. The factor was ignored.",
    details: { action: details.action, factors: [...details.factors] },
    ...auditClient(client),
    ...auditUser(user),
  });
}

async function refusal(tenant: RequestTenant, { client, user }: ResetInProgress): Promise<PosternError> {
  await tenant.audit({ type: "mfar", description: noRequiredFactor, ...auditClient(client), ...auditUser(user) });
  return new PosternError("access_denied", noRequiredFactor);
}

/** The options of {@link checkMailedLink}. */
interface MailedLinkOptions {
  /** The mailbox that received the link or code, see {@link mailboxOf}. */
  readonly first: FirstFactor;
  /** The factors that the user passed for this link or code. */
  readonly passed: readonly FactorType[];
  /**
   * `change`: the user adds a factor, so only a factor counts that permits changes. `reset`: the user sets a new password. A
   * user who has passkeys alone need not use one then, unless a policy requires a factor: passkeys replace the password
   * instead of adding to it, and a user who has lost them has no recovery code. `claim`: the user sets a new password and
   * proves an address of the account that was not proven before, so every factor that permits changes is required.
   */
  readonly isFor: "reset" | "change" | "claim";
}

/**
 * Decides whether a user who was identified only by a link or code in a mail must pass a factor before they set a new
 * password or add a factor: if they have a factor, even if no policy of the tenant requires one. `unmet`: the user has a
 * factor, but this server cannot use any of the user's factors now. The mail alone is not sufficient then.
 * @param user the primary account.
 */
export async function checkMailedLink(
  tenant: RequestTenant,
  user: Row<"users">,
  { first, passed, isFor }: MailedLinkOptions,
): Promise<FactorCheckResult> {
  if ((user.enrolled_factors ?? []).length === 0) return { decision: { kind: "sufficient" }, factors: [] };
  const { situation, factors } = await readSituation({ tenant, user, first, trustedBrowser: undefined });
  const counts = (type: FactorType): boolean => isFor === "reset" || factorUses[type].permitsChanges;
  const types = usableFactors(situation).filter(counts);
  if (passed.some(counts)) return { decision: { kind: "sufficient" }, factors };
  if (types.length === 0) {
    const isUnmet = hasUnavailableFactor(situation) || (isFor === "claim" && hasIndependentFactor(factors.map(({ type }) => type)));
    return { decision: isUnmet ? { kind: "unmet", by: "policy" } : { kind: "sufficient" }, factors };
  }
  const isExempt = isFor === "reset" && types.every((type) => type === "passkey") && !isPolicyInForce(situation.settings);
  return { decision: isExempt ? { kind: "sufficient" } : { kind: "challenge", types }, factors };
}

/**
 * Whether a factor counts as an enrollment in Auth0's sense. A passkey is another way to sign in, and a recovery code a
 * substitute.
 */
export function isSecondFactor(type: string): boolean {
  return type !== "passkey" && type !== "recovery-code";
}

/** Returns the primary account of an account. */
export async function primaryOf({ data }: RequestTenant, account: Row<"users">): Promise<Row<"users">> {
  if (account.linked_to === "") return account;
  const [primary] = await data.users.find({ where: { user_id: account.linked_to }, limit: 1 });
  return primary ?? account;
}

/** Returns the user of a pending sign-in. Undefined if the user was blocked, linked or deleted since the first factor. */
async function pendingUser({ tenant }: Interaction, { proof }: PendingSignIn): Promise<Row<"users"> | undefined> {
  const [user] = await tenant.data.users.find({ where: { user_id: proof.user_id }, limit: 1 });
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : user;
}
