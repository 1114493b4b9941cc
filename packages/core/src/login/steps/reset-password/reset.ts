import { findMisspelledPhone, identifierKinds, readIdentifier } from "../../../identity/login/identifier.ts";
import { requestPasswordReset } from "../../../messages/request-password-reset.ts";
import type { Interaction } from "../../interaction.ts";
import { pendingSignInProgress } from "../../pending-sign-in.ts";
import { passedFactorsProgress } from "../../progress.ts";
import { codeProgress, type AwaitedCode } from "../code/progress.ts";
import type { ActionResult } from "../../step.ts";
import { redeemCode, type TypedCodeForm } from "../code/redeem.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { awaiting, loginOf } from "../code/request.ts";
import { rejectMisspelled } from "../problems.ts";
import { resetConnection } from "./connection.ts";
import { findOne } from "../../../store/find-one.ts";

/** Sends a mail with a code and a link to set a new password, if the account that the visitor named exists. */
export async function sendResetCode(interaction: Interaction, typed: string, form: string | undefined): Promise<ActionResult> {
  const connection = await resetConnection(interaction);
  if (connection === undefined) return {};
  const misspelled = await findMisspelledPhone(identifierKinds(connection), typed);
  if (misspelled !== undefined) return rejectMisspelled("identifier", misspelled);
  const { tenant, client, request, remembered } = interaction;
  const awaited: AwaitedCode = {
    purpose: "reset-password",
    connection_id: connection.id,
    channel: "email",
    to: (await readIdentifier(connection, typed)).text,
    sent_at: tenant.now(),
  };
  return awaiting(awaited, { identifier: typed }, async () => {
    const refusal = await requestPasswordReset(tenant, {
      connection,
      identifier: typed,
      marks: remembered.accounts,
      client,
      uiLocales: request.ui_locales,
      code: { loginId: loginOf(interaction).id, form },
    });
    if (refusal !== undefined) throw refusal;
  });
}

/** Redeems a code for a password reset. If the code is correct, the visitor may set the account's password. */
export async function redeemReset(interaction: Interaction, awaited: AwaitedCode, entered: TypedCodeForm): Promise<ActionResult> {
  const redeemed = await redeemCode(interaction, awaited, entered);
  if (redeemed.kind === "refused") return { problem: "too-many-attempts", refusal: redeemed.error };
  if (redeemed.kind === "repeated") return acceptedBefore;
  const userId = redeemed.kind === "right" ? redeemed.code.user_id : null;
  const account = userId === null ? undefined : await findOne(interaction.tenant.data.users, { user_id: userId });
  if (account === undefined) return { problem: "wrong-code" };
  const { user_id, password_id, email } = account;
  const reset = { user_id, connection_id: awaited.connection_id, password_id, email, at: interaction.tenant.now() };
  // A sign-in that waits for a factor ends, and its factors do not count for the reset.
  return { leaves: [codeProgress, pendingSignInProgress, passedFactorsProgress], change: (progress) => ({ ...progress, reset }) };
}
