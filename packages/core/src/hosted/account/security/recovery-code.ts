import { redirectResponse } from "../../../http/html.ts";
import { canHaveRecoveryCode, recoveryCodeOfForm } from "../../../identity/factors/recovery-code.ts";
import { replaceRecoveryCode } from "../../../identity/factors/replace-recovery-code.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import { drawNewRecoveryCode } from "./pages/new-recovery-code.tsx";
import { recoveryCodePage } from "../recovery-code-page.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";

/** Returns the page that asks whether to create a recovery code. */
export function newRecoveryCodePage(visit: AccountVisit, state: AccountState): Promise<Response> | Response {
  const { tenant, factors } = visit;
  if (!canHaveRecoveryCode(multifactorSettings(tenant.record), factors)) return redirectResponse(sectionUrl(visit));
  const replaces = factors.some(({ type }) => type === "recovery-code");
  return sectionPage(visit, state, {
    name: "account-recovery",
    draw: (drawing) => drawNewRecoveryCode({ ...drawing, problem: problemNamed(state.problem) }, { replaces, back: sectionUrl(visit) }),
  });
}

/** Creates a recovery code and shows it once. The former code is invalid from then on. */
export async function createUserRecoveryCode(visit: AccountVisit, { rendering }: AccountForm): Promise<Response> {
  const { tenant, user, session, factors } = visit;
  if (rendering === undefined || !canHaveRecoveryCode(multifactorSettings(tenant.record), factors))
    return redirectResponse(sectionUrl(visit));
  const { code, hash } = await recoveryCodeOfForm(tenant, [session.id, rendering]);
  await replaceRecoveryCode(tenant, { user, client: undefined }, hash);
  return recoveryCodePage(visit, {}, { code });
}
