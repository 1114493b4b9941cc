import { auditClient, auditUser } from "../logs/audit.ts";
import { PosternError } from "../errors.ts";
import { storedTypes, type FactorCommand } from "../authorization/actions/factor-commands.ts";
import type { PostLogin } from "../authorization/actions/post-login-event.ts";
import { runPostLogin } from "../authorization/actions/post-login.ts";
import type { Demanded, Redirected } from "../authorization/actions/redirected.ts";
import {
  addableFactors,
  decideFactor,
  usableFactors,
  type FactorDecision,
  type FactorDemand,
  type FactorSituation,
} from "../identity/factors/factor-policy.ts";
import type { FirstFactor, PassedFactor } from "../identity/factors/factor-uses.ts";
import { firstFactorOf } from "../identity/sessions/methods.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import { noRequiredFactor } from "../authorization/step-up/check-factors.ts";
import { readSituation } from "../authorization/step-up/situation.ts";

/** The login that actions run for. */
interface ActionLogin {
  readonly login: PostLogin;
  /** Omitted if the request does not come from a browser. */
  readonly browser?: Parameters<typeof runPostLogin>[1];
  /** The redirect that the user has returned from, or the factors that the user has passed. */
  readonly stopped?: Redirected | Demanded | undefined;
  /** The factors that the user passed in this login. */
  readonly passedNow: readonly PassedFactor[];
  /** The text of the cookie of trusted browsers. */
  readonly trustedBrowser: string | undefined;
}

/** The result of the actions. */
type ActionsResult = Exclude<Awaited<ReturnType<typeof runPostLogin>>, { kind: "factors" }> | DemandedFactor;

/** The user must pass or add a factor, or sign in again to add one, before the other actions run. */
export interface DemandedFactor {
  readonly kind: "demanded";
  readonly demanded: Demanded;
  readonly decision: Extract<FactorDecision, { kind: "challenge" | "enroll" | "sign-in-again" }>;
}

/**
 * Runs the host's post-login actions until the user must do something. If the user has already passed a factor that an
 * action requires, the next actions run at once.
 * @throws {PosternError} as {@link runPostLogin}; `access_denied` if the user can neither use nor add a factor that an
 * action requires.
 */
export async function runPostLoginWithFactors({ login, browser, stopped, passedNow, trustedBrowser }: ActionLogin): Promise<ActionsResult> {
  const { tenant, user, session } = login;
  for (let current = stopped; ;) {
    const outcome = await runPostLogin(login, browser, current);
    if (outcome.kind !== "factors") return outcome;
    const first: FirstFactor = session === undefined ? { method: "pwd", at: undefined } : firstFactorOf(session);
    const { situation } = await readSituation({ tenant, user, first, passed: passedNow, passedNow, trustedBrowser });
    const demands = await resolveCommands(login, situation, outcome.commands, outcome.demanded.action);
    const demanded: Demanded = { ...outcome.demanded, demands };
    const decision = decideFactor({ ...situation, settings: { ...situation.settings, policies: [] }, demands });
    if (decision.kind === "unmet") throw await refusal(login);
    if (decision.kind !== "sufficient") return { kind: "demanded", demanded, decision };
    current = demanded;
  }
}

/** Removes the factors that the user can neither use nor add from the commands of an action. */
async function resolveCommands(
  login: PostLogin,
  situation: FactorSituation,
  commands: readonly FactorCommand[],
  action: string,
): Promise<readonly FactorDemand[]> {
  const demands: FactorDemand[] = [];
  for (const command of commands) {
    const { action: kind, allowsTrustedBrowser, types: requested = [] } = command;
    const named = storedTypes(command);
    if (named === undefined) {
      demands.push({ action: kind, allowsTrustedBrowser });
      continue;
    }
    const types = named.filter((type) => isPossible(situation, kind, type));
    const isComplete = kind === "enroll" && named.some((type) => situation.enrolled.includes(type));
    const ignored = named.filter((type) => !types.includes(type) && !(kind === "enroll" && situation.enrolled.includes(type)));
    if (ignored.length > 0 || named.length < requested.length) await warn(login, action, command);
    if (types.length > 0) demands.push({ action: kind, types, allowsTrustedBrowser });
    else if (!isComplete) throw await refusal(login);
  }
  return demands;
}

function isPossible(situation: FactorSituation, kind: FactorCommand["action"], type: FactorType): boolean {
  const isUsable =
    kind !== "enroll" && (usableFactors(situation).includes(type) || situation.passedNow.some((passed) => passed.type === type));
  return isUsable || (kind !== "challenge" && addableFactors(situation).includes(type));
}

async function warn({ tenant, client, user }: PostLogin, action: string, { types }: FactorCommand): Promise<void> {
  await tenant.audit({
    type: "w",
    description: "An action required a factor that the tenant has not enabled or the user cannot use. The factor was ignored.",
    details: { action, factors: [...(types ?? [])] },
    ...auditClient(client),
    ...auditUser(user),
  });
}

async function refusal({ tenant, client, user }: PostLogin): Promise<PosternError> {
  await tenant.audit({ type: "mfar", description: noRequiredFactor, ...auditClient(client), ...auditUser(user) });
  return new PosternError("access_denied", noRequiredFactor);
}
