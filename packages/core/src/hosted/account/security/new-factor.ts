import { equalInConstantTime } from "../../../adapters/digest.ts";
import { redirectResponse } from "../../../http/html.ts";
import { findFactor, isPendingFactor, type Factor } from "../../../identity/factors/factors.ts";
import { getsRecoveryCode, recoveryCodeId, recoveryCodeOfForm } from "../../../identity/factors/recovery-code.ts";
import { passedFactorsOf } from "../../../identity/sessions/methods.ts";
import { addFactor } from "../../../identity/sessions/session.ts";
import type { EnrollmentContext } from "../../../login/factors/confirm-new-factor.ts";
import { submitEnrollment } from "../../../login/factors/enrollment-form.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import { factorContext } from "../factor-context.ts";
import { offeredTypes } from "./offered-types.ts";
import { recoveryCodePage } from "../recovery-code-page.ts";
import type { AccountForm } from "../section-form.ts";
import { sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";

/** How long a form that confirmed a factor can be submitted again, in milliseconds: a second click on a slow page. */
const repeatWindow = 60_000;

/**
 * Returns the text that names an unconfirmed factor in URLs and forms: its id, a colon and a keyed hash. Only the session
 * that adds the factor can open it.
 */
async function tokenOf({ tenant, session }: AccountVisit, id: string): Promise<string> {
  return `${id}:${await tenant.secrets.fingerprints.of("new factor", tenant.id, session.id, id)}`;
}

/** Returns the factor that a text from {@link tokenOf} names, which may be confirmed by now. */
async function findNewFactor(visit: AccountVisit, text: string | undefined): Promise<Factor | undefined> {
  const [id = ""] = text?.split(":") ?? [];
  if (text === undefined || !equalInConstantTime(text, await tokenOf(visit, id))) return undefined;
  return findFactor(visit.tenant.data, visit.user.user_id, id);
}

/** Returns the unconfirmed factor that the user is adding. Undefined if it is confirmed, has expired or was removed. */
export async function findPendingFactor(visit: AccountVisit, text: string | undefined): Promise<Factor | undefined> {
  const factor = await findNewFactor(visit, text);
  return factor !== undefined && isPendingFactor(visit.tenant, factor) ? factor : undefined;
}

/** The actions of the pages on which the user adds a factor, which change something. */
export const enrollmentActions: readonly string[] = [
  "choose-new-factor",
  "enter-phone",
  "send-new-factor-code",
  "confirm-new-factor",
  "confirm-key",
];

/**
 * Handles a form of the pages on which the user adds a factor. The new factor counts in the session, because the user has
 * just used it. With the first factor, the user gets a recovery code, if the tenant enables it.
 */
export async function submitUserFactor(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, session } = visit;
  const { view } = form;
  const toPage = (state: AccountState): Response => redirectResponse(sectionUrl(visit, { view: "add", ...state }));
  const stored = await findNewFactor(visit, view.new);
  if (form.action === "confirm-new-factor" && stored !== undefined && isJustConfirmed(visit, stored)) return factorAdded(visit, form);
  const outcome = await submitEnrollment(
    enrollmentContext(visit, form),
    {
      options: await offeredTypes(visit),
      chosen: view.type,
      factor: stored !== undefined && isPendingFactor(tenant, stored) ? stored : undefined,
    },
    form,
  );
  switch (outcome.kind) {
    case "chosen":
      return toPage({ type: outcome.type, ...outcome.view });
    case "pending":
      return toPage({ type: outcome.factor.type, new: await tokenOf(visit, outcome.factor.id), ...outcome.view });
    case "confirmed":
      await addFactor(tenant, session, { type: outcome.type, at: tenant.now() });
      return factorAdded(visit, form);
    default: {
      // A parallel submission of the form may have confirmed the factor.
      const current = form.action === "confirm-new-factor" ? await findNewFactor(visit, view.new) : undefined;
      if (current !== undefined && isJustConfirmed(visit, current)) return factorAdded(visit, form);
      return toPage(outcome.kind === "already-enrolled" ? { problem: "already-enrolled" } : {});
    }
  }
}

/**
 * Returns the context in which the user adds a factor. The first recovery code derives from the form, so that the response
 * to a second submission shows it as well.
 */
function enrollmentContext(visit: AccountVisit, { rendering }: AccountForm): EnrollmentContext {
  const { tenant, session, factors } = visit;
  return {
    ...factorContext(visit),
    async prepare() {
      if (rendering === undefined || !getsRecoveryCode(multifactorSettings(tenant.record), factors)) return undefined;
      return recoveryCodeOfForm(tenant, [session.id, rendering]);
    },
  };
}

/**
 * Whether a form adds a factor, but the user must pass one, and has passed none in the session: the factor was added since
 * the page was shown.
 */
export function lostFirstFactor({ permission, session }: AccountVisit, action: string): boolean {
  const isAddition = action === "confirm-new-factor" || action === "confirm-key";
  return isAddition && permission.kind === "challenge" && passedFactorsOf(session).length === 0;
}

/** Whether a factor was confirmed a moment ago. */
function isJustConfirmed({ tenant }: AccountVisit, { confirmed_at: at }: Factor): boolean {
  return at !== null && at > tenant.now() - repeatWindow;
}

/** Returns the page after a factor was added: the recovery code that the form has made valid, otherwise the overview. */
async function factorAdded(visit: AccountVisit, { rendering }: AccountForm): Promise<Response> {
  const { tenant, user, session } = visit;
  if (rendering !== undefined) {
    const { code, hash } = await recoveryCodeOfForm(tenant, [session.id, rendering]);
    const stored = await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id));
    if (stored?.code_hash === hash && stored.confirmed_at !== null) return recoveryCodePage(visit, {}, { code });
  }
  return redirectResponse(sectionUrl(visit, { done: "added" }));
}
