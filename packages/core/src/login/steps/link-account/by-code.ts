import type { Row } from "../../../data/schema.ts";
import { createCode } from "../../../domain/one-time-codes/one-time-code.ts";
import { proveEmail } from "../../../domain/users/prove-email.ts";
import { maySetPasswords } from "../../../domain/passwords/self-service.ts";
import { verifyEmail } from "../../../mail/messages/verify-email.ts";
import { limitMessages } from "../../../mail/admit.ts";
import { canMail, sendMail } from "../../../mail/send.ts";
import { findKnownUserId } from "../../../tenancy/known-browser.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import type { AwaitedCode } from "../../progress.ts";
import { proved } from "../../proved.ts";
import type { Taken } from "../../step.ts";
import { linkTo } from "../../upstream/link-pending.ts";
import { providerTaken } from "../../upstream/providers.ts";
import { redeemCode } from "../code/redeem.ts";
import { awaiting, loginOf } from "../code/request.ts";

/**
 * The account that somebody who came from an identity provider may show to be theirs by a code to its address: one whose mail lets them in anyway, because they sign in by a code, or may set
 * another password by mail.
 */
export async function accountByMail(interaction: Interaction): Promise<Row<"users"> | undefined> {
  const { tenant, client, progress } = interaction;
  const { pending_link: pending } = progress;
  if (pending?.account_id === undefined || pending.profile.email === undefined || !canMail(tenant)) return undefined;
  const [account] = await tenant.data.users.find({ where: { user_id: pending.account_id, linked_to: "", blocked: false }, limit: 1 });
  if (account === undefined || account.email.toLowerCase() !== pending.profile.email.toLowerCase()) return undefined;
  const connection = await tenant.connections.offeredNamed(client, account.connection);
  const reads = connection?.strategy === "email" || (connection?.strategy === "auth0" && maySetPasswords(connection));
  return reads ? account : undefined;
}

/** Sends the code that shows the account to be theirs to its address. */
export async function sendLinkCode(interaction: Interaction, form: string | undefined): Promise<Taken> {
  const { tenant, client, request, progress, remembered } = interaction;
  const { environment, data, requestInfo } = tenant;
  const account = await accountByMail(interaction);
  if (account === undefined || progress.pending_link === undefined) return {};
  const { connection_id: connectionId } = progress.pending_link;
  const { email: to } = account;
  const awaited: AwaitedCode = {
    purpose: "link-account",
    connection_id: connectionId,
    channel: "email",
    to,
    sent_at: environment.clock.now(),
  };
  return awaiting(awaited, {}, async () => {
    const knownUserId = await findKnownUserId(tenant, remembered.accounts, account);
    const refusal = await limitMessages(tenant, { channel: "email", address: to, client, knownUserId });
    if (refusal !== undefined) throw refusal;
    const created = await createCode(environment, data, {
      purpose: "link-account",
      connectionId,
      channel: "email",
      identifier: to,
      clientId: client.record.client_id,
      loginId: loginOf(interaction).id,
      ip: requestInfo.ip,
      knownUserId,
      userId: account.user_id,
      form,
    });
    if (created === undefined) return;
    const { code } = created;
    await sendMail(tenant, verifyEmail({ code }), { to, user: account, client, uiLocales: request.ui_locales });
  });
}

/** Tries the code. Who brings it reads the mail of the account: what an unproven maker of it chose is gone, the two are linked, and the person goes on by the provider. */
export async function redeemLink(interaction: Interaction, awaited: AwaitedCode, typed: string): Promise<Taken> {
  const { tenant, client, progress } = interaction;
  const { environment, data } = tenant;
  const redeemed = await redeemCode(interaction, awaited, typed);
  if (redeemed.kind === "refused") return { problem: "too-many-attempts", refusal: redeemed.error };
  const owner = redeemed.kind === "right" ? await accountByMail(interaction) : undefined;
  const { pending_link: pending } = progress;
  if (redeemed.kind === "wrong" || owner === undefined || pending === undefined || owner.user_id !== redeemed.code.user_id) {
    return { problem: "wrong-code" };
  }
  const connection = await providerTaken(interaction, { id: pending.connection_id });
  // It was switched off meanwhile.
  if (connection === undefined) return { change: ({ code: _, pending_link: __, ...rest }) => rest };
  if (!(await proveEmail(environment, data, { userId: owner.user_id, email: owner.email, byMaker: false })))
    return { problem: "wrong-code" };
  const [user = owner] = await data.users.find({ where: { user_id: owner.user_id }, limit: 1 });
  const account = await linkTo(interaction, {
    connection,
    pending,
    user,
    proof: "whose mail the person reads: a code that was sent to it came back",
  });
  const entered = account && (await enterAccount(interaction, { account, connection, method: "federated" }));
  if (entered === undefined) return { problem: "blocked" };
  const recorded = tenant.audit({
    type: "s",
    client: { client_id: client.record.client_id, name: client.record.name },
    connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
    user: { user_id: entered.user.user_id, name: entered.user.name },
  });
  return { ...(await proved(interaction, entered.user, owner.email, entered.begun)), recorded };
}
