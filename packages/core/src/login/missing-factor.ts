import type { Row } from "../store/schema.ts";
import { decideFactor, type FactorDecision, type FactorDemand, type FirstFactor } from "../identity/factors/factor-policy.ts";
import { confirmedFactors, findFactors, type Factor } from "../identity/factors/factors.ts";
import { isBrowserTrusted, type TrustLifetimes } from "../identity/factors/trusted-browser.ts";
import { factorsOf } from "../identity/sessions/methods.ts";
import { canMail, canText } from "../messages/send.ts";
import { PosternError } from "../errors.ts";
import { FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { Acr } from "../model/factors/acr.ts";
import { newestMethods } from "../model/sessions/authentication.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { BrowserSession, Interaction } from "./interaction.ts";
import type { LoginProgress, PendingSignIn } from "./progress.ts";

/** A user who must pass or add a second factor before the sign-in continues. */
export interface MissingFactor {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The sign-in that waits for the factor. Omitted: the browser's session must be stepped up. */
  readonly pending?: PendingSignIn;
  readonly session?: BrowserSession;
  readonly decision: Extract<FactorDecision, { kind: "challenge" | "enrol" }>;
  /** The user's confirmed factors. Empty if the user must add one. */
  readonly factors: readonly Factor[];
}

/** The input for a decision about the factors of a user. */
interface FactorCheck {
  readonly tenant: Tenant;
  /** The primary account. */
  readonly user: Row<"users">;
  readonly first: FirstFactor;
  readonly passed?: readonly FactorType[];
  /** The secret in the browser's cookie. */
  readonly trustedBrowser: string | undefined;
  readonly acrs?: readonly Acr[] | undefined;
  readonly demands?: readonly FactorDemand[];
}

/** A decision about the factors of a user. `factors`: the user's confirmed factors, if the user must pass one. */
interface FactorCheckResult {
  readonly decision: FactorDecision;
  readonly factors: readonly Factor[];
}

/**
 * Decides whether a user must pass a factor. Sends queries only if a trusted browser would be sufficient, or if the user
 * has factors and must pass one.
 */
export async function checkFactors(check: FactorCheck): Promise<FactorCheckResult> {
  const { tenant, user, first, passed = [], trustedBrowser, acrs = [], demands = [] } = check;
  const situation = {
    settings: multifactorSettings(tenant.record),
    enrolled: FactorType.array().parse(user.enrolled_factors ?? []),
    hasMailbox: user.email !== "" && user.email_verified,
    first,
    passed,
    isBrowserTrusted: false,
    acrs,
    demands,
    available: availableFactors(tenant),
  };
  const atOnce = decideFactor(situation);
  if (atOnce.kind === "sufficient") return { decision: atOnce, factors: [] };
  const isTrusted =
    trustedBrowser !== undefined && (await isBrowserTrusted(tenant, user.user_id, trustedBrowser, trustLifetimesOf(tenant)));
  const factors = situation.enrolled.length === 0 ? [] : confirmedFactors(await findFactors(tenant.data, user.user_id));
  // A crash can leave a type in the user's row whose factor does not exist. The user could never pass it.
  const enrolled = situation.enrolled.filter((type) => factors.some((factor) => factor.type === type));
  return { decision: decideFactor({ ...situation, enrolled, isBrowserTrusted: isTrusted }), factors };
}

/** Returns how long the tenant's users may trust a browser. */
export function trustLifetimesOf({ record }: Tenant): TrustLifetimes {
  const { remember } = multifactorSettings(record);
  return { overall: remember.mfa_session_overall_timeout * 1000, idle: remember.mfa_session_inactivity_timeout * 1000 };
}

/** Returns the factors that this server can use for the tenant now. */
export function availableFactors(tenant: Tenant): readonly FactorType[] {
  return ["totp", "recovery-code", ...(canText(tenant) ? (["phone"] as const) : []), ...(canMail(tenant) ? (["email"] as const) : [])];
}

/**
 * Returns whether a user who just passed the first factor must pass a second one. An earlier session does not count,
 * because the user signed in again.
 */
export async function isFactorMissing(
  place: Pick<Interaction, "tenant" | "remembered"> & {
    readonly request?: Pick<Interaction["request"], "required_acrs">;
    readonly progress?: Pick<LoginProgress, "pending_link">;
  },
  { primary, method, userVerified, provedMailbox }: FirstAuthentication,
): Promise<boolean> {
  const { tenant, remembered, request, progress } = place;
  const first = toFirstFactor({ method, userVerified, provedMailbox });
  const { trustedBrowser } = remembered;
  const demands = demandsOf(primary, progress);
  const { decision } = await checkFactors({ tenant, user: primary, first, trustedBrowser, acrs: request?.required_acrs, demands });
  return decision.kind !== "sufficient";
}

/** Returns the factors that an interaction requires in addition to the tenant's policy and the client's request. */
function demandsOf(user: Row<"users">, progress: Pick<LoginProgress, "pending_link"> | undefined): readonly FactorDemand[] {
  // A linked account is another way into the user's account. A user with factors confirms it with one of them.
  const isLinking = progress?.pending_link?.agreed === true && (user.enrolled_factors ?? []).length > 0;
  return isLinking ? [{ allowsTrustedBrowser: false, action: "challenge" }] : [];
}

/** The data of a sign-in that just passed its first factor. */
interface FirstAuthentication {
  /** The primary account. */
  readonly primary: Row<"users">;
  readonly method: FirstFactor["method"];
  readonly userVerified?: boolean | undefined;
  readonly provedMailbox?: boolean | undefined;
}

function toFirstFactor({ method, userVerified, provedMailbox }: Omit<FirstAuthentication, "primary">): FirstFactor {
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
      const { decision, factors } = await decideFor(interaction, user, first, []);
      if (decision.kind === "challenge" || decision.kind === "enrol") return { user, pending: progress.pending, decision, factors };
    }
  }
  if (session === undefined) return undefined;
  const [method] = newestMethods(session.session);
  const first = toFirstFactor({ method: toFirstMethod(method?.name), userVerified: method?.user_verified });
  const { decision, factors } = await decideFor(interaction, session.user, first, factorsOf(session.session));
  return decision.kind === "challenge" || decision.kind === "enrol" ? { user: session.user, session, decision, factors } : undefined;
}

function toFirstMethod(name: string | undefined): FirstFactor["method"] {
  return name === "otp" || name === "federated" || name === "passkey" ? name : "pwd";
}

async function decideFor(
  { tenant, remembered, request, progress }: Interaction,
  user: Row<"users">,
  first: FirstFactor,
  earlier: readonly FactorType[],
): Promise<FactorCheckResult> {
  const inInteraction = (progress.factors ?? []).filter(({ user_id }) => user_id === user.user_id).map(({ type }) => type);
  const checked = await checkFactors({
    tenant,
    user,
    first,
    passed: [...earlier, ...inInteraction],
    trustedBrowser: remembered.trustedBrowser,
    acrs: request.required_acrs,
    demands: demandsOf(user, progress),
  });
  if (checked.decision.kind !== "unmet") return checked;
  throw new PosternError("unmet_authentication_requirements", "the user has no factor that satisfies the requested acr");
}

/** Returns the user of a pending sign-in. Undefined if the user was blocked, linked or deleted since the first factor. */
async function pendingUser({ tenant }: Interaction, { proof }: PendingSignIn): Promise<Row<"users"> | undefined> {
  const [user] = await tenant.data.users.find({ where: { user_id: proof.user_id }, limit: 1 });
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : user;
}
