import { auditClient, auditConnection, auditUser, auditVisitor } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { codeMakesAccount, findCodeAccount, type CodeAddress } from "../identity/login/code-address.ts";
import { createCode, type CreatedCode } from "../identity/one-time-codes/one-time-code.ts";
import { loginCode } from "../messages/mails/login-code.ts";
import { limitMessages } from "../messages/admit.ts";
import { sendMail, sendSms } from "../messages/send.ts";
import { codeFormat } from "../model/connections/strategies/passwordless-options.ts";
import { findKnownUserId } from "../identity/login/known-browser.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** A code to sign in by, for whoever owns an address. */
export interface CodeToSend {
  readonly client: Client;
  readonly connection: Row<"connections">;
  readonly address: CodeAddress;
  /** The login session that asks for it: nowhere else it counts. */
  readonly loginId?: string | undefined;
  /** By which users the browser is known, as its cookie says. */
  readonly marks: readonly string[];
  /** What the one who redeems it will need. */
  readonly request?: JsonObject;
  readonly uiLocales?: string | undefined;
  /** Names the form that asks for it: however often it is sent, one code is sent. */
  readonly form?: string | undefined;
  /** The link that does the same as the code, made of it. Left out: there is none. */
  link?(created: CreatedCode): string;
  /** The link alone is shown. Default false: the code, and the link where there is one. */
  readonly linkOnly?: boolean;
}

/**
 * Sends a code to sign in by. Whether anybody has the address shows neither in what happens nor in how long it takes: where nobody has, and nobody may sign up
 * by a code, all is done but the delivery.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if a limit of the client address or the destination, or the budget of the destination, is exceeded.
 */
export async function sendLoginCode(tenant: Tenant, sent: CodeToSend): Promise<void> {
  const { data } = tenant;
  const { client, connection, address, loginId, request, uiLocales } = sent;
  const account = await findCodeAccount(data, connection, address);
  const pretend = account === undefined && !codeMakesAccount(connection);
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
      description: sent.linkOnly === true ? "A link to sign in by was sent." : "A code to sign in by was sent.",
      ...auditClient(client),
      ...auditConnection(connection),
      ...(account === undefined ? auditVisitor(address.text) : auditUser(account)),
    }),
    address.channel === "email" ? sendMail(tenant, message, recipient) : sendSms(tenant, message, recipient),
  ]);
}
