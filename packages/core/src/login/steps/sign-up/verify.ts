import { auditClient, auditConnection } from "../../../logs/audit.ts";
import { findOne } from "../../../store/find-one.ts";
import type { Row } from "../../../store/schema.ts";
import { findCodeAccount, type CodeAddress } from "../../../identity/login/code-address.ts";
import { createCode } from "../../../identity/one-time-codes/one-time-code.ts";
import { requestedLinkLifetime, createTicket } from "../../../identity/tickets/ticket.ts";
import { proveEmail } from "../../../identity/users/prove-email.ts";
import { provePhone } from "../../../identity/users/prove-phone.ts";
import { belongsToCreator } from "../../../identity/users/sign-up.ts";
import { sendWelcomeMail } from "../../../messages/welcome-mail.ts";
import { limitMessages } from "../../../messages/message-limits.ts";
import { mailAccountExists } from "../../../messages/links.ts";
import { loginCode } from "../../../messages/mails/login-code.ts";
import { verifyEmailMail } from "../../../messages/mails/verify-email.ts";
import { sendMail, sendSms } from "../../../messages/send.ts";
import { findKnownUserId } from "../../../identity/login/known-browser.ts";
import { verifyEmailLink } from "../../../tenants/ticket-links.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "../code/progress.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";
import { redeemCode, type TypedCodeForm } from "../code/redeem.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { awaiting } from "../code/request.ts";

/**
 * Sends a code that verifies the email address or phone number of a new account. If an existing account has that
 * address or number, no valid code is sent. The owner of an email address is notified instead.
 */
export async function sendSignUpCode(
  interaction: Interaction,
  connection: Row<"connections">,
  address: CodeAddress,
  form: string | undefined,
): Promise<ActionResult> {
  const { channel, text: to } = address;
  const code: AwaitedCode = { purpose: "sign-up", connection_id: connection.id, channel, to, sent_at: interaction.tenant.now() };
  return awaiting(code, {}, () => send(interaction, connection, address, form));
}

async function send(
  { tenant, client, request: { ui_locales: uiLocales }, login, progress, remembered }: Interaction,
  connection: Row<"connections">,
  address: CodeAddress,
  form: string | undefined,
): Promise<void> {
  const { data } = tenant;
  const { channel, text: to } = address;
  const clientId = client.record.client_id;
  const owner = await findCodeAccount(data, connection, address);
  const isMaker = owner !== undefined && belongsToCreator(progress.made, owner);
  const knownUserId = await findKnownUserId(tenant, remembered.accounts, owner);
  const refusal = await limitMessages(tenant, { channel, address: to, client, knownUserId });
  if (refusal !== undefined) throw refusal;
  const created = await createCode(tenant, {
    purpose: "sign-up",
    connectionId: connection.id,
    channel,
    identifier: to,
    clientId,
    loginId: login?.id,
    ip: tenant.requestInfo.ip,
    knownUserId,
    userId: owner?.user_id,
    pretend: !isMaker,
    form,
  });
  if (created === undefined) return;
  const { code } = created;
  const recipient = { to, user: owner, client, uiLocales };
  if (channel === "sms") return sendSms(tenant, loginCode({ code }), { ...recipient, ...(!isMaker && { pretend: true }) });
  if (owner !== undefined && !isMaker) {
    await mailAccountExists(tenant, connection, { user: owner, client, uiLocales });
    return;
  }
  // A ticket is created even if no link is sent, so that the duration does not reveal whether the account exists.
  const user = owner ?? { user_id: "", email: to, password_id: null };
  const request = { proof: "mailbox" } as const;
  const ticket = await createTicket(tenant, {
    purpose: "verify-email",
    user,
    clientId,
    lifetimeSeconds: requestedLinkLifetime,
    request,
  });
  const message = verifyEmailMail({ code, link: verifyEmailLink(tenant, ticket) });
  return sendMail(tenant, message, { ...recipient, ...(owner === undefined && { pretend: true }) });
}

/**
 * Redeems the code that was sent for a new account, marks its email address or phone number as verified, and signs its
 * creator in.
 */
export async function redeemSignUp(interaction: Interaction, awaited: AwaitedCode, typedCode: TypedCodeForm): Promise<ActionResult> {
  const { tenant, client, progress } = interaction;
  const { data } = tenant;
  const redeemed = await redeemCode(interaction, awaited, typedCode);
  if (redeemed.kind === "refused") return { problem: "too-many-attempts", refusal: redeemed.error };
  if (redeemed.kind === "repeated") return acceptedBefore;
  const userId = redeemed.kind === "right" ? redeemed.code.user_id : null;
  const connection = await tenant.connections.byId(awaited.connection_id);
  if (userId === null || connection === undefined) return { problem: "wrong-code" };

  const made = await findOne(data.users, { user_id: userId });
  if (made === undefined) return { problem: "wrong-code" };
  const { channel, to } = awaited;
  const byCreator = belongsToCreator(progress.made, made);
  if (channel === "email") await proveEmail(tenant, { userId, email: to, byCreator });
  else if (made.phone_number !== to || (await provePhone(tenant, made, byCreator)) === undefined) return { problem: "wrong-code" };
  const account = await findOne(data.users, { user_id: userId });
  const passkey = byCreator && account?.enrolled_factors?.includes("passkey") === true ? progress.made?.passkey : undefined;
  const first = passkey === undefined ? ({ method: "otp" } as const) : authenticationWith(passkey);
  const entered = account && (await enterAccount(interaction, { account, connection, ...first, channels: [to] }));
  if (entered === undefined) return { problem: "blocked" };
  if (channel === "email") sendWelcomeMail(tenant, { user: entered.user, client, uiLocales: interaction.request.ui_locales });
  const recorded = tenant.audit({
    type: "sv",
    ...auditClient(client),
    ...auditConnection(connection),
    user: { user_id: userId, name: entered.user.name },
  });
  return { ...(await completeSignIn(interaction, entered.user, to, entered.begun)), recorded };
}

/** Returns the first factor of a user who created the account with a passkey a moment ago. It counts, as at a sign-in. */
function authenticationWith({ at, user_verified: userVerified }: { readonly at: number; readonly user_verified: boolean }) {
  return { method: "passkey", userVerified, authTime: { at, isKnown: true } } as const;
}
