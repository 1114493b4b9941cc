import { PosternError } from "../../errors.ts";
import type { FactorDemand } from "../../identity/factors/factor-policy.ts";
import type { FirstFactor, PassedFactor } from "../../identity/factors/factor-uses.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { AuthorizationRequest } from "../authorization-request.ts";
import type { ApiOfRequest } from "../resolve-api.ts";
import { checkFactors, noRequiredFactor, type FactorCheckResult } from "./check-factors.ts";
import { claimDemand, claimsAddress, demandsAt, demandsOfLogin, type DemandingProgress } from "./demands.ts";

/** The login in which a user signs in, with everything in it that can require a factor. */
interface SignInPlace {
  readonly tenant: RequestTenant;
  readonly remembered: { readonly trustedBrowser: string | undefined };
  /** Omitted if no authorization request is known. */
  readonly request?: Pick<AuthorizationRequest, "required_acrs" | "acr_voluntary">;
  readonly api?: ApiOfRequest;
  readonly progress?: DemandingProgress;
}

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
 * Returns whether a user who just passed the first factor must pass a second one. An earlier session does not count,
 * because the user signed in again.
 */
export async function isFactorMissing(
  place: SignInPlace,
  { primary, account, connection, method, userVerified, channels = [], passed = [] }: FirstAuthentication,
): Promise<boolean> {
  const { tenant, request } = place;
  const first: FirstFactor = { method, channels, at: tenant.now(), ...(userVerified !== undefined && { userVerified }) };
  const { decision } = await checkFactors({
    tenant,
    user: primary,
    first,
    passed,
    passedNow: passed,
    trustedBrowser: place.remembered.trustedBrowser,
    connectionId: connection.id,
    acrs: request?.required_acrs,
    isAcrVoluntary: request?.acr_voluntary,
    demands: await demandsIn(place, primary, claimsAddress(account, first)),
  });
  return decision.kind !== "sufficient";
}

/** A user who signs in or has a session, and the factors that they passed. */
interface SignedInUser {
  /** The primary account. */
  readonly user: Row<"users">;
  readonly first: FirstFactor;
  /** The id of the connection of the first factor. */
  readonly connectionId: string;
  /** The factors that the user passed in this login. */
  readonly passedNow: readonly PassedFactor[];
  /** The factors that the user passed in their session before this login. Default: none. */
  readonly passedBefore?: readonly PassedFactor[];
  /** Whether the first factor is a code to an unproven address of the account, see {@link claimsAddress}. Default: false. */
  readonly isClaiming?: boolean;
}

/**
 * Decides which factor a sign-in or a session still requires, because of the tenant's policy, the client's `acr_values`,
 * the API, or an Action.
 * @throws {PosternError} `access_denied` if the user can neither use nor add a factor that the tenant or an Action
 * requires; `unmet_authentication_requirements` if the client requires it.
 */
export async function decideSignInFactor(
  place: SignInPlace & { readonly request: Pick<AuthorizationRequest, "required_acrs" | "acr_voluntary" | "prompt"> },
  { user, first, connectionId, passedNow, passedBefore = [], isClaiming = false }: SignedInUser,
): Promise<FactorCheckResult> {
  const { tenant, request } = place;
  // A voluntary claim is no reason for the error that a silent request would get.
  const isIgnored = request.acr_voluntary === true && request.prompt.includes("none");
  const checked = await checkFactors({
    tenant,
    user,
    first,
    passed: [...passedBefore, ...passedNow],
    passedNow,
    trustedBrowser: place.remembered.trustedBrowser,
    connectionId,
    acrs: isIgnored ? [] : request.required_acrs,
    isAcrVoluntary: request.acr_voluntary,
    demands: await demandsIn(place, user, isClaiming),
  });
  if (checked.decision.kind !== "unmet") return checked;
  if (checked.decision.by !== "client") throw new PosternError("access_denied", noRequiredFactor);
  throw new PosternError("unmet_authentication_requirements", "the user has no factor that satisfies the requested acr");
}

async function demandsIn({ tenant, api, progress }: SignInPlace, user: Row<"users">, isClaiming: boolean): Promise<FactorDemand[]> {
  const claiming = isClaiming ? [claimDemand] : [];
  return [...demandsAt(await api?.()), ...claiming, ...(await demandsOfLogin(tenant, user, progress))];
}
