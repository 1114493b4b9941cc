import { auditClient, auditUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { codePlaceOf, type CodeTarget, type FactorCodePlace } from "../identity/factors/factor-code.ts";
import { createCode } from "../identity/one-time-codes/one-time-code.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { factorCode } from "./mails/factor-code.ts";
import { limitMessages } from "./message-limits.ts";
import { choosePhoneChannel } from "./phone-channels.ts";
import { sendCall, sendMail, sendSms } from "./send.ts";

/** The parameters for sending the code of a second factor. */
interface FactorCodeToSend {
  /** Undefined on the page of a link that names no client. */
  readonly client: RegisteredClient | undefined;
  /** The primary account, which passed the first factor. */
  readonly user: Row<"users">;
  readonly target: CodeTarget;
  readonly place: Omit<FactorCodePlace, "clientId">;
  readonly uiLocales?: string | undefined;
  /** The id of the form that requested the code. Only one code is sent, however often the form is submitted. */
  readonly form?: string | undefined;
}

/**
 * Sends the code of a second factor. It is valid for five minutes by default. A code by voice call counts in the same
 * limits as a text message, and replaces it.
 * @throws {PosternError} `TOO_MANY_REQUESTS` if a limit for the request's IP address or for the destination is
 * exceeded, or the budget for messages to the destination is used up.
 */
export async function sendFactorCode(tenant: RequestTenant, sent: FactorCodeToSend): Promise<void> {
  const { client, user, target, place, uiLocales, form } = sent;
  const { phone, email } = multifactorSettings(tenant.record);
  const codePlace = codePlaceOf(target, { ...place, clientId: client?.record.client_id ?? "" });
  const { channel } = codePlace;
  const refusal = await limitMessages(tenant, { channel, address: target.address, ...(client && { client }), knownUserId: user.user_id });
  if (refusal !== undefined) throw refusal;
  const { otp_length: length, otp_expiration_time: lifetime } = (channel === "email" ? email : phone).codes;
  const created = await createCode(tenant, { ...codePlace, userId: user.user_id, knownUserId: user.user_id, length, lifetime, form });
  if (created === undefined) return;
  const message = factorCode({ code: created.code });
  const recipient = { to: target.address, user, client, uiLocales };
  const sentBy = channel === "email" ? "email" : choosePhoneChannel(tenant, target.channel);
  const { type, send } = senders[sentBy];
  await Promise.all([
    tenant.audit({
      type,
      description: "A code for a second factor was sent.",
      ...auditClient(client),
      ...auditUser(user),
    }),
    send(tenant, message, recipient),
  ]);
}

/** The audit event and the function for each way to send a code. */
const senders = {
  email: { type: "gd_send_email", send: sendMail },
  sms: { type: "gd_send_sms", send: sendSms },
  voice: { type: "gd_send_voice", send: sendCall },
} as const;
