import { auditClient, auditUser } from "../logs/audit.ts";
import type { Row } from "../store/schema.ts";
import { codePlaceOf, type CodeTarget, type FactorCodePlace } from "../identity/factors/factor-code.ts";
import { confirmedFactors, findFactors } from "../identity/factors/factors.ts";
import { createCode, deleteUnsentCode } from "../identity/one-time-codes/one-time-code.ts";
import { isPosternError, type PosternError } from "../errors.ts";
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

/** Why no code was sent: the problem that a page shows, and the error for API clients. */
export interface FactorCodeRefusal {
  readonly problem: "too-many-codes" | "too-many-new-numbers";
  readonly error: PosternError;
}

/**
 * Sends the code of a second factor. It is valid for five minutes by default. A code by voice call counts in the same
 * limits as a text message, and replaces it.
 * @returns undefined if the code was sent. A refusal if a limit for the request's IP address or for the destination is
 * exceeded, or a budget for messages to the destination or to new phone numbers is used up.
 */
export async function sendFactorCode(tenant: RequestTenant, sent: FactorCodeToSend): Promise<FactorCodeRefusal | undefined> {
  const { client, user, target, place, uiLocales, form } = sent;
  const { phone, email } = multifactorSettings(tenant.record);
  const codePlace = codePlaceOf(target, { ...place, clientId: client?.record.client_id ?? "" });
  const { channel } = codePlace;
  const refusal = await limitMessages(tenant, { channel, address: target.address, ...(client && { client }), knownUserId: user.user_id });
  if (refusal !== undefined) return { problem: "too-many-codes", error: refusal };
  const budget = (await isNewNumber(tenant, sent)) ? await tenant.newNumberBudget({ user, address: target.address }) : undefined;
  const exceeded = await budget?.check();
  if (exceeded !== undefined) return { problem: "too-many-new-numbers", error: exceeded };
  const { otp_length: length, otp_expiration_time: lifetime } = (channel === "email" ? email : phone).codes;
  const newCode = { ...codePlace, userId: user.user_id, knownUserId: user.user_id, length, lifetime, form };
  const created = await createCode(tenant, newCode).catch(toRefusal);
  if (created === undefined || "problem" in created) return created;
  // Counted after the code was created, so that a form that is submitted repeatedly counts once.
  const lost = await budget?.count();
  if (lost !== undefined) {
    await deleteUnsentCode(tenant, created);
    return { problem: "too-many-new-numbers", error: lost };
  }
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
  return undefined;
}

/** Whether a code goes to a phone number that is not confirmed for the account: as a factor, or as the account's own number. */
async function isNewNumber({ data }: RequestTenant, { user, target, place }: FactorCodeToSend): Promise<boolean> {
  if (target.type !== "phone" || place.purpose !== "add-factor") return false;
  const { address } = target;
  if (user.phone_verified && user.phone_number === address) return false;
  const confirmed = confirmedFactors(await findFactors(data, user));
  return !confirmed.some((factor) => factor.type === "phone" && factor.address === address);
}

function toRefusal(error: unknown): FactorCodeRefusal {
  if (!isPosternError(error) || error.code !== "TOO_MANY_REQUESTS") throw error;
  return { problem: "too-many-codes", error };
}

/** The audit event and the function for each way to send a code. */
const senders = {
  email: { type: "gd_send_email", send: sendMail },
  sms: { type: "gd_send_sms", send: sendSms },
  voice: { type: "gd_send_voice", send: sendCall },
} as const;
