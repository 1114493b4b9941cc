import type { Row } from "../store/schema.ts";
import { changeDemand, confirmationDemand, type FactorDecision, type FactorDemand } from "../identity/factors/factor-policy.ts";
import { readConfirmedFactors } from "../identity/factors/confirmed-factors.ts";
import type { FirstFactor, PassedFactor } from "../identity/factors/factor-uses.ts";
import type { Factor } from "../identity/factors/factors.ts";
import { factorsSinceSignIn, firstFactorOf } from "../identity/sessions/methods.ts";
import { isClaimedBy } from "../identity/users/claimed-account.ts";
import { PosternError } from "../errors.ts";
import { mfaIdentifier } from "../tenants/audience.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { FactorRecord } from "./authentication-record.ts";
import { resetAccountOf } from "./reset-account.ts";
import type { BrowserSession, Interaction } from "./interaction.ts";
import type { LoginProgress, PendingSignIn } from "./progress.ts";
import {
  type FactorCheck,
  type FactorCheckResult,
  checkFactors,
  noRequiredFactor,
  primaryOf,
} from "../authorization/step-up/check-factors.ts";
import { mailboxOf, decideResetFactor } from "../authorization/step-up/mailed-link.ts";

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

/**
 * Returns whether a user who just passed the first factor must pass a second one. An earlier session does not count,
 * because the user signed in again.
 */
export async function isFactorMissing(
  place: Pick<Interaction, "tenant" | "remembered"> & {
    readonly request?: Pick<Interaction["request"], "required_acrs" | "acr_voluntary">;
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
    isAcrVoluntary: request?.acr_voluntary,
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
  // A voluntary claim is no reason for the error that a silent request would get.
  const isIgnored = request.acr_voluntary === true && request.prompt.includes("none");
  const checked = await checkFactors({
    tenant,
    user,
    first,
    passed: [...earlier, ...inInteraction],
    passedNow: inInteraction,
    trustedBrowser: remembered.trustedBrowser,
    connectionId,
    acrs: isIgnored ? [] : request.required_acrs,
    isAcrVoluntary: request.acr_voluntary,
    demands: [...demandsAt(await interaction.api()), ...demands, ...(await demandsOf(tenant, user, progress))],
  });
  if (checked.decision.kind !== "unmet") return checked;
  if (checked.decision.by !== "client") throw new PosternError("access_denied", noRequiredFactor);
  throw new PosternError("unmet_authentication_requirements", "the user has no factor that satisfies the requested acr");
}

/** Returns the factors that a user passed in an interaction. */
export function passedFactors({ progress }: Pick<Interaction, "progress">, user: Pick<Row<"users">, "user_id">): readonly FactorRecord[] {
  return (progress.factors ?? []).filter(({ user_id: id }) => id === user.user_id);
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

/** Returns the user of a pending sign-in. Undefined if the user was blocked, linked or deleted since the first factor. */
async function pendingUser({ tenant }: Interaction, { proof }: PendingSignIn): Promise<Row<"users"> | undefined> {
  const [user] = await tenant.data.users.find({ where: { user_id: proof.user_id }, limit: 1 });
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : user;
}
