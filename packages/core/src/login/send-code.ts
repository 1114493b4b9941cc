import { auditClient, auditConnection, auditUser, auditVisitor } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { codesCreateAccounts, findCodeAccount, type CodeAddress } from "../identity/login/code-address.ts";
import { createCode, type CreatedCode } from "../identity/one-time-codes/one-time-code.ts";
import { loginCode } from "../messages/mails/login-code.ts";
import { limitMessages } from "../messages/message-limits.ts";
import { sendMail, sendSms } from "../messages/send.ts";
import { codeFormat } from "../model/connections/strategies/passwordless-options.ts";
import { findKnownUserId } from "../identity/login/known-browser.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The parameters for sending a login code to an email address or phone number. */
interface CodeToSend {
  readonly client: RegisteredClient;
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
  /** The login session that requested the code. The code is valid only in that login session. */
  readonly loginId?: string | undefined;
  /** The fingerprints in the browser's cookie. They identify the users who have signed in with the browser before. */
  readonly marks: readonly string[];
  /** Data to store with the code. It is needed when the code is redeemed. */
  readonly request?: JsonObject;
  readonly uiLocales?: string | undefined;
  /** The id of the form that requested the code. Only one code is sent, however often the form is submitted. */
  readonly form?: string | undefined;
  /**
   * Returns a link with which the user can sign in instead of entering the code. If omitted, the message contains no
   * link.
   */
  link?(created: CreatedCode): string;
  /**
   * Whether the message contains only the link. Default false: the message contains the code, and the link if there is
   * one.
   */
  readonly linkOnly?: boolean;
}

/**
 * Sends a login code. The outcome and the duration do not reveal whether an account has the email address or phone
 * number: if no account has it and codes cannot create accounts, every step runs except the delivery.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if a limit for the request's IP address or for the destination is
 * exceeded, or the budget for messages to the destination is used up.
 */
export async function sendLoginCode(tenant: RequestTenant, sent: CodeToSend): Promise<void> {
  const { data } = tenant;
  const { client, connection, address, loginId, request, uiLocales } = sent;
  const account = await findCodeAccount(data, connection, address);
  const pretend = account === undefined && !codesCreateAccounts(connection);
  const knownUserId = await findKnownUserId(tenant, sent.marks, account);
  const refusal = await limitMessages(tenant, { channel: address.channel, address: address.text, client, knownUserId });
  if (refusal !== undefined) throw refusal;
  const { length, lifetime } = codeFormat(connection);
  const created = await createCode(tenant, {
    purpose: "login",
    connectionId: connection.id,
    channel: address.channel,
    identifier: address.text,
    clientId: client.record.client_id,
    loginId,
    ip: tenant.requestInfo.ip,
    userId: account?.user_id,
    knownUserId,
    ...(request && { request }),
    length,
    lifetime,
    pretend,
    form: sent.form,
  });
  if (created === undefined) return;
  const { code } = created;
  const link = sent.link?.(created);
  const message = loginCode({ ...(sent.linkOnly !== true && { code }), ...(link !== undefined && { link }) });
  const recipient = { to: address.text, user: account, client, connection, uiLocales, ...(pretend && { pretend: true as const }) };
  await Promise.all([
    tenant.audit({
      type: "cls",
      description: sent.linkOnly === true ? "A link to sign in with was sent." : "A code to sign in with was sent.",
      ...auditClient(client),
      ...auditConnection(connection),
      ...(account === undefined ? auditVisitor(address.text) : auditUser(account)),
    }),
    address.channel === "email" ? sendMail(tenant, message, recipient) : sendSms(tenant, message, recipient),
  ]);
}
