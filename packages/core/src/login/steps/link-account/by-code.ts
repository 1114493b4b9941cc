import { auditClient, auditConnection, auditUser } from "../../../logs/audit.ts";
import { findOne } from "../../../store/find-one.ts";
import type { Row } from "../../../store/schema.ts";
import { readConfirmedFactors } from "../../../identity/factors/confirmed-factors.ts";
import { createCode } from "../../../identity/one-time-codes/one-time-code.ts";
import { isUnprovenSignUp } from "../../../model/users/email-proof.ts";
import { createsUsersAtLogin } from "../../../model/connections/upstream.ts";
import { proveEmail } from "../../../identity/users/prove-email.ts";
import { maySetPasswords } from "../../../identity/passwords/self-service.ts";
import { linkCode } from "../../../messages/mails/link-code.ts";
import { limitMessages } from "../../../messages/message-limits.ts";
import { canMail, sendMail } from "../../../messages/send.ts";
import { findKnownUserId } from "../../../identity/login/known-browser.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { codeProgress, type AwaitedCode } from "../code/progress.ts";
import { linkAccountProgress } from "./progress.ts";
import { completeSignIn } from "../../complete-sign-in.ts";
import type { ActionResult } from "../../step.ts";
import { linkAccounts } from "../../upstream/pending-link.ts";
import { acceptedProvider, toProviderChoice } from "../../upstream/providers.ts";
import { redeemCode, type TypedCodeForm } from "../code/redeem.ts";
import { acceptedBefore } from "../../submitted-form.ts";
import { awaiting, loginOf } from "../code/request.ts";

/**
 * The options of a user whose account at an identity provider is not linked yet. The user can always sign in to the
 * existing account with the same email address instead.
 */
interface LinkChoices {
  /**
   * The existing account, if a code that is sent to its email address proves its ownership. The condition is that
   * access to the mailbox is sufficient to sign in anyway, because the connection's users sign in with codes or may
   * reset their password by mail.
   */
  readonly byCode?: Row<"users">;
  /** Whether the user can continue with a separate account for the provider. */
  readonly ownAccount: boolean;
}

/**
 * Returns the options of a user whose account at an identity provider is not linked yet. A separate account is offered
 * if no code can prove the ownership of the existing account, or if the accounts could not be linked. It is not offered
 * if the provider's connection is closed for new users or the existing account is blocked.
 */
export async function linkChoices(interaction: Interaction): Promise<LinkChoices> {
  const { tenant, client, progress } = interaction;
  const { pending_link: pending } = progress;
  if (pending === undefined) return { ownAccount: false };
  const provider = await tenant.connections.byId(pending.connection_id);
  const opensAccounts = provider !== undefined && createsUsersAtLogin(provider);
  const { account_id: userId, profile, failed } = pending;
  if (failed === true || userId === undefined || profile.email === undefined) return { ownAccount: opensAccounts };
  const account = await findOne(tenant.data.users, { user_id: userId, linked_to: "" });
  if (account === undefined || account.email.toLowerCase() !== profile.email.toLowerCase()) return { ownAccount: opensAccounts };
  if (account.blocked) return { ownAccount: false };
  const connection = await tenant.connections.offeredNamed(client, account.connection);
  const reads = connection?.strategy === "email" || (connection?.strategy === "auth0" && maySetPasswords(connection));
  return reads && canMail(tenant) ? { byCode: account, ownAccount: false } : { ownAccount: opensAccounts };
}

/** Sends a code to the email address of the existing account. The code proves the ownership of that account. */
export async function sendLinkCode(interaction: Interaction, form: string | undefined): Promise<ActionResult> {
  const { tenant, client, request, progress, remembered } = interaction;
  const { requestInfo } = tenant;
  const { byCode: account } = await linkChoices(interaction);
  if (account === undefined || progress.pending_link === undefined) return {};
  const { connection_id: connectionId } = progress.pending_link;
  const connection = await tenant.connections.byId(connectionId);
  if (connection === undefined) return {};
  const provider = toProviderChoice(interaction.tenant, connection).label;
  const { email: to } = account;
  const awaited: AwaitedCode = {
    purpose: "link-account",
    connection_id: connectionId,
    channel: "email",
    to,
    sent_at: tenant.now(),
  };
  return awaiting(awaited, {}, async () => {
    const knownUserId = await findKnownUserId(tenant, remembered.accounts, account);
    const refusal = await limitMessages(tenant, { channel: "email", address: to, client, knownUserId });
    if (refusal !== undefined) throw refusal;
    const created = await createCode(tenant, {
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
    await sendMail(tenant, linkCode({ code, provider }), { to, user: account, client, uiLocales: request.ui_locales });
  });
}

/**
 * Redeems a code that was sent to the email address of the existing account. The code proves the ownership of the email
 * address. If it was not proven before, the credentials that the creator of the account chose are removed. Then links
 * the provider's account, and signs the user in with the provider's connection. If the accounts cannot be linked, the
 * user can continue with a separate account.
 */
export async function redeemLink(interaction: Interaction, awaited: AwaitedCode, typedCode: TypedCodeForm): Promise<ActionResult> {
  const { tenant, client, progress } = interaction;
  const { data } = tenant;
  const redeemed = await redeemCode(interaction, awaited, typedCode);
  if (redeemed.kind === "refused") return { problem: "too-many-attempts", refusal: redeemed.error };
  if (redeemed.kind === "repeated") return acceptedBefore;
  const owner = redeemed.kind === "right" ? (await linkChoices(interaction)).byCode : undefined;
  const { pending_link: pending } = progress;
  if (redeemed.kind === "wrong" || owner === undefined || pending === undefined || owner.user_id !== redeemed.code.user_id) {
    return { problem: "wrong-code" };
  }
  const connection = await acceptedProvider(interaction, { id: pending.connection_id });
  // The connection was disabled after the code was sent.
  if (connection === undefined) return { leaves: [codeProgress, linkAccountProgress] };
  const isProtected = (await readConfirmedFactors(tenant, owner)).length > 0;
  if (isProtected && !isUnprovenSignUp(owner)) return linkAfterFactor(interaction, owner);
  if (!(await proveEmail(tenant, { userId: owner.user_id, email: owner.email, byCreator: false }))) return { problem: "wrong-code" };
  const user = (await findOne(data.users, { user_id: owner.user_id })) ?? owner;
  const account = await linkAccounts(interaction, {
    connection,
    pending,
    user,
    proof: "after the user entered a code that was sent to its email address",
  });
  if (account === undefined)
    return {
      leaves: [codeProgress],
      change: ({ pending_link: link, ...rest }) => (link === undefined ? rest : { ...rest, pending_link: { ...link, failed: true } }),
    };
  const entered = await enterAccount(interaction, { account, connection, method: "federated", authTime: pending.auth_time });
  if (entered === undefined) return { problem: "blocked" };
  const recorded = tenant.audit({
    type: "s",
    ...auditClient(client),
    ...auditConnection(connection),
    ...auditUser(entered.user),
  });
  return { ...(await completeSignIn(interaction, entered.user, owner.email, entered.begun)), recorded };
}

/**
 * Signs a user in who has second factors. The mailbox alone must not add a way into such an account: the provider's
 * account is linked after the user has passed a factor.
 */
async function linkAfterFactor(interaction: Interaction, owner: Row<"users">): Promise<ActionResult> {
  const connection = await interaction.tenant.connections.offeredNamed(interaction.client, owner.connection);
  const agreed: ActionResult["change"] = (progress) => ({
    ...progress,
    ...(progress.pending_link && { pending_link: { ...progress.pending_link, agreed: true } }),
  });
  const agreedInteraction = { ...interaction, progress: agreed(interaction.progress) };
  const entered =
    connection && (await enterAccount(agreedInteraction, { account: owner, connection, method: "otp", channels: [owner.email] }));
  if (entered === undefined) return { problem: "blocked" };
  const { change = agreed, ...result } = await completeSignIn(agreedInteraction, entered.user, owner.email, entered.begun);
  return { ...result, change: (progress) => change(agreed(progress)) };
}
