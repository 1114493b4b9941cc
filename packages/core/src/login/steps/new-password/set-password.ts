import { auditClient, auditConnection, auditUser } from "../../../logs/audit.ts";
import { resetPassword } from "../../../identity/users/reset-password.ts";
import { passwordChanged } from "../../../messages/mails/password-changed.ts";
import { sendMail } from "../../../messages/send.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { refusedPassword } from "../../new-password.ts";
import { proved } from "../../proved.ts";
import type { Taken } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { over, type ResetFound } from "./found.ts";

/** Sets the new password of an account, ends its other sessions, and goes on as the person. */
export async function setPassword(interaction: Interaction, { account, connection }: ResetFound, password: string): Promise<Taken> {
  const { tenant, client, request } = interaction;
  const outcome = await resetPassword(tenant, { connection, account, password, provesEmail: "mailbox" });
  if (outcome.kind === "refused") return refusedPassword(outcome.fault);
  if (outcome.kind === "outrun") return over;
  const changed = outcome.account;
  await Promise.all([
    sendMail(tenant, passwordChanged(), { to: changed.email, user: changed, client, uiLocales: request.ui_locales }),
    tenant.audit({
      type: "scp",
      ...auditClient(client),
      ...auditConnection(connection),
      ...auditUser(changed),
    }),
  ]);
  const entered = await enterAccount(interaction, { account: changed, connection, method: "pwd" });
  // Blocked, or changed meanwhile. The password is set: signing in says what is wrong.
  if (entered === undefined) return { change: ({ reset: _, aim: __, ...progress }) => progress };
  return proved(interaction, entered.user, nameOf(changed), entered.begun);
}
