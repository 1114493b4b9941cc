import { redirectResponse } from "../http/html.ts";
import { findFactor } from "../identity/factors/factors.ts";
import { recoveryCodeId, recoveryCodeOfForm, storeRecoveryCode } from "../identity/factors/recovery-code.ts";
import { auditUser } from "../logs/audit.ts";
import { notifyFactorChange } from "../messages/factor-mails.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import { drawNewRecoveryCode } from "./pages/new-recovery-code.tsx";
import { recoveryCodePage } from "./recovery-code-page.ts";
import { problemNamed, securityPage, securityUrl, type SecurityState } from "./security-page.ts";
import type { SecurityForm } from "./security-form.ts";
import type { AccountVisit } from "./visit.ts";

/** Whether the user can have a recovery code: it replaces another factor once. */
export function canHaveRecoveryCode({ tenant, factors }: AccountVisit): boolean {
  const others = factors.filter(({ type }) => type !== "recovery-code" && type !== "email");
  return others.length > 0 && multifactorSettings(tenant.record).factors["recovery-code"];
}

/** Returns the page that asks whether to create a recovery code. */
export function newRecoveryCodePage(visit: AccountVisit, state: SecurityState): Promise<Response> | Response {
  const { tenant, factors } = visit;
  if (!canHaveRecoveryCode(visit)) return redirectResponse(securityUrl(tenant));
  const replaces = factors.some(({ type }) => type === "recovery-code");
  return securityPage(visit, state, {
    name: "account-recovery",
    draw: (drawing) => drawNewRecoveryCode({ ...drawing, problem: problemNamed(state.problem) }, { replaces, back: securityUrl(tenant) }),
  });
}

/** Creates a recovery code and shows it once. The former code is invalid from then on. */
export async function createUserRecoveryCode(visit: AccountVisit, { rendering }: SecurityForm): Promise<Response> {
  const { tenant, user, session } = visit;
  if (rendering === undefined || !canHaveRecoveryCode(visit)) return redirectResponse(securityUrl(tenant));
  const { code, hash } = await recoveryCodeOfForm(tenant, [session.id, rendering]);
  const former = await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id));
  if (former?.code_hash !== hash) {
    await storeRecoveryCode(tenant, user, hash);
    const change = former === undefined ? "added" : "replaced";
    const notice = await notifyFactorChange(tenant, user, { change, type: "recovery-code" });
    await tenant.audit({
      type: "gd_enrollment_complete",
      description: "The user created a recovery code.",
      details: { authenticator: { type: "recovery-code" }, ...notice },
      ...auditUser(user),
    });
  }
  return recoveryCodePage(visit, {}, { code });
}
