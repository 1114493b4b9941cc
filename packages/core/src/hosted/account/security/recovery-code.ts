import { redirectResponse } from "../../../http/html.ts";
import { recoveryCodeOfForm } from "../../../identity/factors/recovery-code.ts";
import { replaceRecoveryCode } from "../../../identity/factors/replace-recovery-code.ts";
import { multifactorSettings } from "../../../model/factors/multifactor.ts";
import { drawNewRecoveryCode } from "./pages/new-recovery-code.tsx";
import { recoveryCodePage } from "../recovery-code-page.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountForm } from "../section-form.ts";
import type { AccountVisit } from "../visit.ts";

/** Whether the user can have a recovery code: it replaces another factor once. */
export function canHaveRecoveryCode({ tenant, factors }: AccountVisit): boolean {
  const others = factors.filter(({ type }) => type !== "recovery-code" && type !== "email");
  return others.length > 0 && multifactorSettings(tenant.record).factors["recovery-code"];
}

/** Returns the page that asks whether to create a recovery code. */
export function newRecoveryCodePage(visit: AccountVisit, state: AccountState): Promise<Response> | Response {
  const { factors } = visit;
  if (!canHaveRecoveryCode(visit)) return redirectResponse(sectionUrl(visit));
  const replaces = factors.some(({ type }) => type === "recovery-code");
  return sectionPage(visit, state, {
    name: "account-recovery",
    draw: (drawing) => drawNewRecoveryCode({ ...drawing, problem: problemNamed(state.problem) }, { replaces, back: sectionUrl(visit) }),
  });
}

/** Creates a recovery code and shows it once. The former code is invalid from then on. */
export async function createUserRecoveryCode(visit: AccountVisit, { rendering }: AccountForm): Promise<Response> {
  const { tenant, user, session } = visit;
  if (rendering === undefined || !canHaveRecoveryCode(visit)) return redirectResponse(sectionUrl(visit));
  const { code, hash } = await recoveryCodeOfForm(tenant, [session.id, rendering]);
  await replaceRecoveryCode(tenant, { user, client: undefined }, hash);
  return recoveryCodePage(visit, {}, { code });
}
