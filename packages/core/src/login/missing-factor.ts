import { mailboxOf, primaryOf } from "../authorization/step-up/mailed-link.ts";
import { decideResetFactor } from "../authorization/step-up/reset.ts";
import { decideSignInFactor } from "../authorization/step-up/sign-in.ts";
import type { FactorDecision } from "../identity/factors/factor-policy.ts";
import type { FirstFactor } from "../identity/factors/factor-uses.ts";
import type { Factor } from "../identity/factors/factors.ts";
import { factorsSinceSignIn, firstFactorOf } from "../identity/sessions/methods.ts";
import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { FactorRecord } from "./authentication-record.ts";
import type { BrowserSession, Interaction } from "./interaction.ts";
import type { PendingSignIn } from "./pending-sign-in.ts";
import { resetAccountOf } from "./reset-account.ts";

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
      const { proof, claims_address: claimsAddress } = progress.pending;
      const first = pendingFirstFactor(progress.pending);
      const { decision, factors } = await decideSignInFactor(interaction, {
        user,
        first,
        connectionId: proof.connection_id,
        passedNow: passedFactors(interaction, user),
        isClaiming: claimsAddress === true,
      });
      if (decision.kind === "challenge" || decision.kind === "enroll") return { user, pending: progress.pending, first, decision, factors };
    }
  }
  if (session === undefined) return missingForReset(interaction);
  const { user, session: stored } = session;
  const first = firstFactorOf(stored);
  const { decision, factors } = await decideSignInFactor(interaction, {
    user,
    first,
    connectionId: stored.connection_id,
    passedNow: passedFactors(interaction, user),
    passedBefore: factorsSinceSignIn(stored),
  });
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
  const user = await findOne(tenant.data.users, { user_id: proof.user_id });
  return user === undefined || user.blocked || user.linked_to !== "" ? undefined : user;
}
