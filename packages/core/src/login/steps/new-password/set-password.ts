import { setNewPassword } from "../../../messages/set-new-password.ts";
import { enterAccount } from "../../enter-account.ts";
import { passedFactors } from "../../missing-factor.ts";
import type { Interaction } from "../../interaction.ts";
import { refusedPassword } from "../../new-password.ts";
import { aimProgress } from "../../progress.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionContext, ActionResult } from "../../step.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { nameOf } from "../name-of.ts";
import { newPasswordProgress } from "./progress.ts";
import { requestAnotherCode, type ResetAccount } from "./reset-account.ts";

/** Sets a new password for an account, and signs the user in. */
export async function setPassword(
  interaction: Interaction,
  { account, connection }: ResetAccount,
  { password, wasAccepted }: Pick<ActionContext, "wasAccepted"> & { readonly password: string },
): Promise<ActionResult> {
  const { tenant, client, request } = interaction;
  const passed = passedFactors(interaction, { user_id: account.linked_to || account.user_id });
  const outcome = await setNewPassword(tenant, {
    connection,
    account,
    password,
    client,
    uiLocales: request.ui_locales,
    provesEmail: "mailbox",
    isConfirmed: passed.length > 0,
  });
  if (outcome.kind === "refused") return refusedPassword(outcome.fault);
  if (outcome.kind === "frozen") return { problem: "password-frozen" };
  if (outcome.kind === "lost-race") return (await wasAccepted()) ? acceptedBefore : requestAnotherCode;
  const changed = outcome.account;
  const factors = passedFactors(interaction, { user_id: changed.linked_to || changed.user_id });
  const entered = await enterAccount(interaction, { account: changed, connection, method: "pwd", channels: [account.email], factors });
  // The account was blocked or changed during the request. The new password is set; the next sign-in reports the
  // problem.
  if (entered === undefined) return { leaves: [newPasswordProgress, aimProgress] };
  return completeSignIn(interaction, entered.user, nameOf(changed), entered.begun);
}
