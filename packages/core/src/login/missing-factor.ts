import { storedTypes } from "../authorization/actions/factor-commands.ts";
import { runPostChallenge, type ResetInProgress } from "../authorization/actions/post-challenge.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import {
  changeDemand,
  decideFactor,
  requiresFactor,
  hasUnavailableFactor,
  usableFactors,
  type FactorDecision,
  type FactorDemand,
  type FactorSituation,
  type FirstFactor,
} from "../identity/factors/factor-policy.ts";
import { passkeysEnabled } from "../identity/connections/passkey-settings.ts";
import { confirmedFactors, findFactors, type Factor } from "../identity/factors/factors.ts";
import { areFactorsFrozen } from "../identity/factors/frozen-factors.ts";
import { isBrowserTrusted, type TrustLifetimes } from "../identity/factors/trusted-browser.ts";
import { factorsSinceSignIn } from "../identity/sessions/methods.ts";
import { webauthnTypes } from "../identity/webauthn/credential.ts";
import { canMail, canText } from "../messages/send.ts";
import { PosternError } from "../errors.ts";
import { factorTypeSchema, type FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { Acr } from "../model/factors/acr.ts";
import { newestMethods } from "../model/sessions/authentication.ts";
import { isUnproven } from "../model/users/email-proof.ts";
import { mfaIdentifier } from "../tenants/audience.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { FactorRecord } from "./authentication-record.ts";
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
  readonly passed?: readonly FactorType[];
  /** The part of `passed` that the user passed in this login. Default: all. */
  readonly passedNow?: readonly FactorType[];
  /** The secret in the browser's cookie. */
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
  const atOnce = decideFactor(presumedSituation(check));
  if (atOnce.kind === "sufficient") return { decision: atOnce, factors: [] };
  const { situation, factors } = await readSituation(check);
  return { decision: decideFactor(situation), factors };
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
    available: [...availableFactors(tenant), ...webauthnTypes],
    hasPasskeys: true,
    isFrozen: areFactorsFrozen(tenant, user),
  };
}

/** Reads everything that decides about the factors of a user. `factors`: the user's confirmed factors. */
export async function readSituation(
  check: FactorCheck,
): Promise<{ readonly situation: FactorSituation; readonly factors: readonly Factor[] }> {
  const { tenant, user, first, trustedBrowser, connectionId } = check;
  const presumed = presumedSituation(check);
  const [isTrusted, relyingParty, connection] = await Promise.all([
    trustedBrowser !== undefined && isBrowserTrusted(tenant, user.user_id, trustedBrowser, trustLifetimesOf(tenant)),
    tenant.relyingParty(),
    connectionId === undefined ? undefined : tenant.connections.byId(connectionId),
  ]);
  const factors = presumed.enrolled.length === 0 ? [] : confirmedFactors(await findFactors(tenant.data, user.user_id));
  // A crash can leave a type in the user's row whose factor does not exist. The user could never pass it.
  // A passkey that was the first factor is no second one.
  const enrolled = presumed.enrolled
    .filter((type) => factors.some((factor) => factor.type === type))
    .filter((type) => type !== "passkey" || first.method !== "passkey");
  // An enrolled key stays required on a host without WebAuthn. Otherwise a password would be sufficient there to add
  // another factor.
  const keys = webauthnTypes.filter((type) => relyingParty !== undefined || enrolled.includes(type));
  const available = [...availableFactors(tenant), ...keys];
  const hasPasskeys = connection !== undefined && passkeysEnabled(connection);
  return { situation: { ...presumed, enrolled, isBrowserTrusted: isTrusted, available, hasPasskeys }, factors };
}

/** Returns how long the tenant's users may trust a browser. */
export function trustLifetimesOf({ record }: RequestTenant): TrustLifetimes {
  const { remember } = multifactorSettings(record);
  return { overall: remember.mfa_session_overall_timeout * 1000, idle: remember.mfa_session_inactivity_timeout * 1000 };
}

/** Returns the factors that this server can use for the tenant now, except those that depend on the host of a request. */
function availableFactors(tenant: RequestTenant): readonly FactorType[] {
  return ["totp", "recovery-code", ...(canText(tenant) ? (["phone"] as const) : []), ...(canMail(tenant) ? (["email"] as const) : [])];
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
  { primary, connection, method, userVerified, provedMailbox, passed = [] }: FirstAuthentication,
): Promise<boolean> {
  const { tenant, remembered, request, progress } = place;
  const first = toFirstFactor({ method, userVerified, provedMailbox });
  const { trustedBrowser } = remembered;
  const demands = [...demandsAt(await place.api?.()), ...demandsOf(primary, progress)];
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
function demandsOf(user: Row<"users">, progress: DemandingProgress | undefined): readonly FactorDemand[] {
  // A linked account is another way into the user's account. A user with factors confirms it with one of them.
  const isLinking = progress?.pending_link?.agreed === true && (user.enrolled_factors ?? []).length > 0;
  const linking: readonly FactorDemand[] = isLinking ? [{ allowsTrustedBrowser: false, action: "either" }] : [];
  const { demanded } = progress ?? {};
  return [...linking, ...(demanded?.user_id === user.user_id ? demanded.demands : [])];
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
  readonly connection: Row<"connections">;
  readonly method: FirstFactor["method"];
  readonly userVerified?: boolean | undefined;
  readonly provedMailbox?: boolean | undefined;
  /** The factors that the user passed before the first factor: to reset the password. */
  readonly passed?: readonly FactorType[] | undefined;
}

function toFirstFactor({
  method,
  userVerified,
  provedMailbox,
}: Pick<FirstAuthentication, "method" | "userVerified" | "provedMailbox">): FirstFactor {
  return {
    method,
    ...(userVerified !== undefined && { userVerified }),
    ...(provedMailbox !== undefined && { provedMailbox }),
  };
}

/**
 * Returns the factor that an interaction still requires: after the first factor of a sign-in, or because the browser's
 * session does not satisfy the tenant's policy, the client's `acr_values` or an Action.
 * @param session the browser's session, if it is sufficient except for factors.
 * @throws {PosternError} `unmet_authentication_requirements` if the user can neither use nor add a required factor.
 */
export async function missingFactor(interaction: Interaction, session: BrowserSession | undefined): Promise<MissingFactor | undefined> {
  const { progress } = interaction;
  if (progress.pending !== undefined) {
    const user = await pendingUser(interaction, progress.pending);
    if (user !== undefined) {
      const { proof, proved_mailbox: provedMailbox } = progress.pending;
      const first = toFirstFactor({ method: proof.method, userVerified: proof.user_verified, provedMailbox });
      const { decision, factors } = await decideFor(interaction, { user, first, connectionId: proof.connection_id }, []);
      if (decision.kind === "challenge" || decision.kind === "enroll") return { user, pending: progress.pending, decision, factors };
    }
  }
  if (session === undefined) return missingForReset(interaction);
  const { user, session: stored } = session;
  const signIn = { user, first: firstFactorOf(stored), connectionId: stored.connection_id };
  const { decision, factors } = await decideFor(interaction, signIn, factorsSinceSignIn(stored));
  return decision.kind === "challenge" || decision.kind === "enroll" ? { user, session, decision, factors } : undefined;
}

/**
 * Returns the first factor of a session. The session does not store how a code was sent, so a code counts as a proof that
 * the user can read the account's mail.
 */
export function firstFactorOf(session: Pick<Row<"sessions">, "authentication">): FirstFactor {
  const [method] = newestMethods(session);
  const name = toFirstMethod(method?.name);
  return toFirstFactor({ method: name, userVerified: method?.user_verified, provedMailbox: name === "otp" });
}

function toFirstMethod(name: string | undefined): FirstFactor["method"] {
  return name === "otp" || name === "federated" || name === "passkey" ? name : "pwd";
}

async function decideFor(
  interaction: Interaction,
  { user, first, connectionId }: Pick<FactorCheck, "user" | "first" | "connectionId">,
  earlier: readonly FactorType[],
): Promise<FactorCheckResult> {
  const { tenant, remembered, request, progress } = interaction;
  const inInteraction = passedFactors(interaction, user).map(({ type }) => type);
  const checked = await checkFactors({
    tenant,
    user,
    first,
    passed: [...earlier, ...inInteraction],
    passedNow: inInteraction,
    trustedBrowser: remembered.trustedBrowser,
    connectionId,
    acrs: request.required_acrs,
    demands: [...demandsAt(await interaction.api()), ...demandsOf(user, progress)],
  });
  if (checked.decision.kind !== "unmet") return checked;
  if (request.required_acrs === undefined) throw new PosternError("access_denied", noRequiredFactor);
  throw new PosternError("unmet_authentication_requirements", "the user has no factor that satisfies the requested acr");
}

/** The error description if the user can neither use nor add a factor that an Action requires. */
export const noRequiredFactor = "the user has no factor that the login requires";

/** Returns the factors that a user passed in an interaction. */
export function passedFactors({ progress }: Pick<Interaction, "progress">, user: Pick<Row<"users">, "user_id">): readonly FactorRecord[] {
  return (progress.factors ?? []).filter(({ user_id: id }) => id === user.user_id);
}

/** The mailbox that received the link or the code is the first factor of a reset. */
const mailbox: FirstFactor = { method: "otp", provedMailbox: true };

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
  // The code proved the email address of an account that may have been created by another visitor. The new password
  // removes the factors, which may be that visitor's.
  const takesOver = isUnproven(account);
  const reset = { client, account, user, provedAt, passed: passedFactors(interaction, user), takesOver };
  const { decision, factors } = await decideResetFactor(tenant, reset);
  return decision.kind === "challenge" ? { user, decision, factors } : undefined;
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
  const { user, takesOver } = reset;
  const passed = reset.passed.map(({ type }) => type);
  const commands = await runPostChallenge(tenant, reset);
  if (takesOver) return { decision: { kind: "sufficient" }, factors: [] };
  if (commands.length === 0) return requireUsable(await checkMailedLink(tenant, user, { passed, allowsLostPasskeys: true }));
  const { situation, factors } = await readSituation({ tenant, user, first: mailbox, trustedBrowser: undefined });
  const usable = usableFactors(situation);
  for (const { action, command } of commands) {
    const named = storedTypes(command) ?? usable;
    if (named.some((type) => passed.includes(type))) continue;
    const types = named.filter((type) => usable.includes(type));
    if (types.length < (command.types?.length ?? types.length)) await warn(tenant, reset, { action, factors: [...(command.types ?? [])] });
    if (types.length === 0) throw await refusal(tenant, reset);
    return { decision: { kind: "challenge", types }, factors };
  }
  return requireUsable(await checkMailedLink(tenant, user, { passed, allowsLostPasskeys: true }));
}

/** A password reset, and whether its proof of the email address removes the factors of the account. */
export interface MailedReset extends ResetInProgress {
  readonly takesOver: boolean;
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
  /** The factors that the user passed for this link or code. */
  readonly passed: readonly FactorType[];
  /**
   * Whether a user who has passkeys alone need not use one, unless a policy requires a factor: to set a new password, and
   * not to add a factor. Passkeys replace the password instead of adding to it, and a user who has lost them has no
   * recovery code.
   */
  readonly allowsLostPasskeys: boolean;
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
  { passed, allowsLostPasskeys }: MailedLinkOptions,
): Promise<FactorCheckResult> {
  if ((user.enrolled_factors ?? []).length === 0) return { decision: { kind: "sufficient" }, factors: [] };
  const { situation, factors } = await readSituation({ tenant, user, first: mailbox, trustedBrowser: undefined });
  const types = usableFactors(situation);
  if (passed.length > 0) return { decision: { kind: "sufficient" }, factors };
  if (types.length === 0) return { decision: { kind: hasUnavailableFactor(situation) ? "unmet" : "sufficient" }, factors };
  const isExempt = allowsLostPasskeys && types.every((type) => type === "passkey") && !requiresFactor(situation.settings);
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
