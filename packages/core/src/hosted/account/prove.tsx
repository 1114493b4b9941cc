import { redirectResponse } from "../../http/html.ts";
import { findNextRecoveryCode } from "../../identity/factors/recovery-code.ts";
import { addFactor } from "../../identity/sessions/session.ts";
import { confirmPassword } from "../../identity/users/passwords.ts";
import { challengePage, submitChallenge } from "../../login/factors/challenge-form.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { factorContext } from "./factor-context.ts";
import { BackToSection } from "./pages/back.tsx";
import { recoveryCodePage } from "./recovery-code-page.ts";
import type { AccountForm } from "./section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState, type AccountView } from "./section-page.tsx";
import type { AccountVisit } from "./visit.ts";

/** A change of factors for which the user must pass one of these factors first. */
export interface Proof {
  readonly visit: AccountVisit;
  readonly types: readonly FactorType[];
  readonly view: AccountView;
}

/** Returns the page that asks for a factor before a change. Viewing the page sends no code. */
export async function provePage({ visit, types, view }: Proof, { use: factor, ...state }: AccountState): Promise<Response> {
  const exit = sectionUrl(visit);
  const content = await challengePage(factorContext(visit), types, { ...state, factor }, ({ t }) => ({
    problem: problemNamed(state.problem),
    exit: <BackToSection t={t} href={exit} />,
  }));
  return sectionPage(visit, view, content);
}

/** Handles a form of the page. A right code or key counts in the session, and the browser returns to the change. */
export async function submitProof({ visit, types, view }: Proof, form: AccountForm): Promise<Response> {
  const { tenant, user, session, situation } = visit;
  const outcome = await submitChallenge(factorContext(visit), types, { ...form, choice: form });
  if (outcome.kind === "page") {
    const { factor: use, ...state } = outcome.view;
    return redirectResponse(sectionUrl(visit, { ...view, use, ...state }));
  }
  await addFactor(tenant, session, { type: outcome.type, at: outcome.repeats?.at ?? tenant.now() });
  await confirmPassword(tenant, { user, accountId: session.account_id }, situation.first);
  const { nextRecoveryCode: code } = outcome;
  return code === undefined ? redirectResponse(sectionUrl(visit, view)) : recoveryCodePage(visit, view, { code, isReplacement: true });
}

/**
 * Repeats the response to a form with a recovery code that was used in this session a moment ago, because the page with the
 * next code may be lost. Undefined for other forms.
 */
export async function repeatRecovery(visit: AccountVisit, { view, action, current, code }: AccountForm): Promise<Response | undefined> {
  if (action !== "enter-factor-code" || current.factor !== "recovery-code") return undefined;
  const next = await findNextRecoveryCode(visit.tenant, visit.user, code, visit.session.id);
  return next === undefined ? undefined : recoveryCodePage(visit, view, { code: next, isReplacement: true });
}
