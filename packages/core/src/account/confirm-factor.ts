import { redirectResponse } from "../http/html.ts";
import { toFactorGuess } from "../identity/factors/factor-guess.ts";
import { confirmOwnFactor } from "../identity/factors/confirm-own-factor.ts";
import { hasIndependentFactor } from "../identity/factors/factor-policy.ts";
import { findFactor, type Factor } from "../identity/factors/factors.ts";
import { recoveryCodeId, recoveryCodeOfForm } from "../identity/factors/recovery-code.ts";
import { verifyFactor } from "../identity/factors/verify-factor.ts";
import { passedFactorsOf } from "../identity/sessions/methods.ts";
import { addFactor } from "../identity/sessions/session.ts";
import { formOf } from "../login/pass-factor.ts";
import { newFactorTarget } from "../login/steps/add-factor/new-factor.ts";
import { factorTypeSchema, type FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import { findNewFactor } from "./new-factor.ts";
import { recoveryCodePage } from "./recovery-code-page.ts";
import { securityUrl } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import type { AccountVisit } from "./visit.ts";

/** How long a form that confirmed a factor can be submitted again, in milliseconds: a second click on a slow page. */
const repeatWindow = 60_000;

/**
 * Confirms the factor that the user adds, with its first code. With the first factor, the user gets a recovery code, if
 * the tenant enables it.
 */
export async function confirmUserFactor(visit: AccountVisit, form: SecurityForm): Promise<Response> {
  const { tenant, user, session } = visit;
  const { view, code, rendering } = form;
  const toPage = (problem?: string): Response => redirectResponse(securityUrl(tenant, { ...view, sent: "1", problem }));
  const factor = await findNewFactor(visit, view.new);
  if (factor === undefined) return redirectResponse(securityUrl(tenant, { view: "add" }));
  if (isJustConfirmed(visit, factor)) return factorAdded(visit, form);
  if (code.trim() === "") return toPage("code-missing");
  const type = factorTypeSchema.parse(factor.type);
  const guess = toFactorGuess(
    { type, candidates: [factor], target: newFactorTarget(factor) },
    { purpose: "add-factor", clientId: "", loginId: session.id },
  );
  if (guess === undefined) return toPage("wrong-code");
  const owner = { user, client: undefined };
  const verdict = await verifyFactor(tenant, {
    ...owner,
    code,
    factor: guess,
    isNew: true,
    form: await formOf(visit, { rendering, code }),
    // A parallel submission of the form may have used the code.
    findRepeated: async () => {
      const current = await findNewFactor(visit, view.new);
      return current !== undefined && isJustConfirmed(visit, current) ? factorAdded(visit, form) : undefined;
    },
  });
  if (verdict.kind === "repeated") return verdict.result;
  if (verdict.kind !== "right") return toPage(verdict.kind === "throttled" ? "too-many-attempts" : "wrong-code");
  const recovery = await recoveryCodeWith(visit, form);
  const onlyIfFirst = !hasIndependentFactor(visit.factors.map((one) => one.type));
  const outcome = await confirmOwnFactor(tenant, owner, factor, { onlyIfFirst, codeHash: recovery?.hash });
  if (outcome === "already-enrolled") return toOtherFactor(visit);
  if (outcome === "unavailable") return redirectResponse(securityUrl(tenant, { view: "add" }));
  await recordNewFactor(visit, type);
  return factorAdded(visit, form);
}

/**
 * Whether a form adds a factor, but the user must pass one, and has passed none in the session: the factor was added since
 * the page was shown.
 */
export function lostFirstFactor({ permission, session }: AccountVisit, action: string): boolean {
  const isAddition = action === "confirm-new-factor" || action === "confirm-key";
  return isAddition && permission.kind === "challenge" && passedFactorsOf(session).length === 0;
}

/** Returns the page of a user whose first factor was added elsewhere since this page was shown: they must pass it now. */
export function toOtherFactor({ tenant }: AccountVisit): Response {
  return redirectResponse(securityUrl(tenant, { view: "add", problem: "already-enrolled" }));
}

/** Whether a factor was confirmed a moment ago. */
function isJustConfirmed({ tenant }: AccountVisit, { confirmed_at: at }: Factor): boolean {
  return at !== null && at > tenant.now() - repeatWindow;
}

/** Counts a new factor in the session, because the user has just used it. */
export async function recordNewFactor({ tenant, session }: AccountVisit, type: FactorType): Promise<void> {
  await addFactor(tenant, session, { type, at: tenant.now() });
}

/**
 * Returns the recovery code that becomes valid with the new factor, and its hash. Undefined if the user has a recovery
 * code already, or the tenant does not enable them.
 */
export async function recoveryCodeWith(
  { tenant, session, factors }: AccountVisit,
  { rendering }: SecurityForm,
): Promise<{ readonly code: string; readonly hash: string } | undefined> {
  const isEnabled = multifactorSettings(tenant.record).factors["recovery-code"];
  if (!isEnabled || rendering === undefined || factors.some(({ type }) => type === "recovery-code")) return undefined;
  return recoveryCodeOfForm(tenant, [session.id, rendering]);
}

/** Returns the page after a factor was added: the recovery code that the form has made valid, otherwise the overview. */
export async function factorAdded(visit: AccountVisit, { rendering }: SecurityForm): Promise<Response> {
  const { tenant, user, session } = visit;
  if (rendering !== undefined) {
    const { code, hash } = await recoveryCodeOfForm(tenant, [session.id, rendering]);
    const stored = await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id));
    if (stored?.code_hash === hash && stored.confirmed_at !== null) return recoveryCodePage(visit, {}, { code });
  }
  return redirectResponse(securityUrl(tenant, { done: "added" }));
}
