import { auditClient, auditConnection, auditUser, auditVisitor } from "../../../logs/audit.ts";
import type { Row } from "../../../store/schema.ts";
import { findOrBringOver } from "../../../identity/users/bring-over.ts";
import { readIdentifier } from "../../../identity/login/identifier.ts";
import { admitMessage } from "../../../identity/one-time-codes/destination-budget.ts";
import { createCode } from "../../../identity/one-time-codes/one-time-code.ts";
import { askedForLifetime, createTicket } from "../../../identity/tickets/ticket.ts";
import { limitMessages } from "../../../messages/admit.ts";
import { nobody } from "../../../messages/links.ts";
import { resetPassword as resetMail } from "../../../messages/mails/reset-password.ts";
import { sendMail } from "../../../messages/send.ts";
import { defaultCodeLifetime } from "../../../model/connections/strategies/code-strength.ts";
import { findKnownUserId } from "../../../identity/login/known-browser.ts";
import { resetPasswordLink } from "../../../tenants/ticket-links.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "../../progress.ts";
import type { Taken } from "../../step.ts";
import { redeemCode } from "../code/redeem.ts";
import { awaiting, loginOf } from "../code/request.ts";
import { resetConnection } from "./connection.ts";

/** Sends the code, and the link, by which somebody sets a new password: to the address of the account that they named, if there is one. */
export async function sendResetCode(interaction: Interaction, typed: string, form: string | undefined): Promise<Taken> {
  const connection = await resetConnection(interaction);
  if (connection === undefined) return {};
  const { tenant, client, request, remembered } = interaction;
  const { requestInfo } = tenant;
  const identifier = readIdentifier(connection, typed);
  const clientId = client.record.client_id;
  const awaited: AwaitedCode = {
    purpose: "reset-password",
    connection_id: connection.id,
    channel: "email",
    to: identifier.text,
    sent_at: tenant.now(),
  };
  return awaiting(awaited, { identifier: typed }, async () => {
    const found = await findOrBringOver(tenant, { connection, identifier });
    const named = found?.email === "" ? undefined : found;
    const knownUserId = await findKnownUserId(tenant, remembered.accounts, named);
    const refusal = await limitMessages(tenant, { channel: "email", address: identifier.text, client, knownUserId });
    if (refusal !== undefined) throw refusal;
    const account = (await admitMailbox(interaction, identifier.text, named, knownUserId, form)) ? named : undefined;
    const created = await createCode(tenant, {
      purpose: "reset-password",
      connectionId: connection.id,
      channel: "email",
      identifier: identifier.text,
      clientId,
      loginId: loginOf(interaction).id,
      ip: requestInfo.ip,
      knownUserId,
      userId: account?.user_id,
      pretend: account === undefined,
      form,
    });
    if (created === undefined) return;
    const { code } = created;
    // Also for nobody: what it costs must not tell.
    const user = account ?? { user_id: "", email: nobody, password_id: null };
    const ticket = await createTicket(tenant, {
      purpose: "reset-password",
      user,
      clientId,
      lifetimeSeconds: askedForLifetime,
      request: { proof: "mailbox" },
    });
    await Promise.all([
      tenant.audit({
        type: "scpr",
        ...auditClient(client),
        ...auditConnection(connection),
        ...(account === undefined ? auditVisitor("") : auditUser(account)),
      }),
      sendMail(tenant, resetMail({ code, link: resetPasswordLink(tenant, ticket) }), {
        to: user.email,
        user: account,
        client,
        uiLocales: request.ui_locales,
        ...(account === undefined && { pretend: true }),
      }),
    ]);
  });
}

/**
 * Counts the mail against the budget of the account's mailbox, if the visitor typed something else than its address, such as a username. What was typed has a budget of its own, which decides what
 * the visitor sees; this one only keeps the mail from being sent: a refusal would tell which address belongs to a username. Costs the same if there is no account.
 */
async function admitMailbox(
  { tenant }: Interaction,
  typed: string,
  account: Row<"users"> | undefined,
  knownUserId: string | undefined,
  form: string | undefined,
): Promise<boolean> {
  if (typed.includes("@") && (account === undefined || account.email.toLowerCase() === typed)) return true;
  // No mailbox has an address with a space at its end.
  const destination = { channel: "email", address: account?.email ?? `${typed} `, knownUserId } as const;
  const codeExpiresAt = tenant.now() + defaultCodeLifetime * 1000;
  const submitted = form && (await tenant.secrets.fingerprints.of("form of a mail", tenant.id, form));
  const { admitted } = await admitMessage(tenant, destination, { codeExpiresAt, form: submitted });
  return admitted;
}

/** Tries the code of a reset: who brings it may set the password of the account. */
export async function redeemReset(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Taken> {
  const redeemed = await redeemCode(interaction, awaited, typed);
  if (redeemed.kind === "refused") return { problem: "too-many-attempts", refusal: redeemed.error };
  const userId = redeemed.kind === "right" ? redeemed.code.user_id : null;
  const [account] = userId === null ? [] : await interaction.tenant.data.users.find({ where: { user_id: userId }, limit: 1 });
  if (account === undefined) return { problem: "wrong-code" };
  const { user_id, password_id, email } = account;
  const reset = { user_id, connection_id: awaited.connection_id, password_id, email };
  return { change: ({ code: _, ...progress }) => ({ ...progress, reset }) };
}
