import { findOne } from "../../store/find-one.ts";
import type { Match } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";
import { passwordlessOptions } from "../../model/connections/strategies/passwordless-options.ts";
import { emailSchema } from "../../model/email-address.ts";
import { readPhoneNumber } from "../../model/phone-number.ts";
import { invalidBody } from "../../model/settings.ts";
import { findMisspelledPhone } from "./identifier.ts";

/** The channel through which a code is sent. */
export type CodeChannel = "email" | "sms";

/** The destination of a code: the email address or phone number in the form in which accounts store it. */
export interface CodeAddress {
  readonly channel: CodeChannel;
  readonly text: string;
}

/**
 * Returns the channels through which a connection sends sign-in codes. Empty if the connection does not support codes.
 */
export function codeChannels(connection: Row<"connections">): readonly CodeChannel[] {
  switch (connection.strategy) {
    case "email":
      return ["email"];
    case "sms":
      return ["sms"];
    case "auth0": {
      const { email_otp: email, phone_otp: phone } = databaseOptions(connection).authentication_methods ?? {};
      return [...(email?.enabled === true ? ["email" as const] : []), ...(phone?.enabled === true ? ["sms" as const] : [])];
    }
    default:
      return [];
  }
}

/** Parses input as an email address or phone number. Undefined for anything else, such as a username. */
export async function readCodeAddress(typed: string): Promise<CodeAddress | undefined> {
  const { data: email } = emailSchema.safeParse(typed.trim());
  if (email !== undefined) return { channel: "email", text: email };
  const phone = await readPhoneNumber(typed);
  return "number" in phone ? { channel: "sms", text: phone.number } : undefined;
}

/**
 * Parses the `username` of a client that uses a code.
 * @throws {PosternError} `invalid_request` if the connection cannot send codes to it.
 */
export async function readCodeUsername(connection: Row<"connections">, username: string): Promise<CodeAddress> {
  const channels = codeChannels(connection);
  const address = await readCodeAddress(username);
  if (address !== undefined && channels.includes(address.channel)) return address;
  const misspelled = await findMisspelledPhone(channels.includes("sms") ? ["phone"] : [], username);
  const { fault = "must be an email address or phone number to which this realm sends codes" } = misspelled ?? {};
  throw invalidBody(`'username' ${fault}`);
}

/** Finds the account in a connection that has the email address or phone number. */
export async function findCodeAccount(
  data: Pick<TenantData, "users">,
  connection: Row<"connections">,
  { channel, text }: CodeAddress,
): Promise<Row<"users"> | undefined> {
  const key = channel === "email" ? { email_key: text } : { phone_key: text };
  const where: Match<Row<"users">> = { connection: connection.name, ...key };
  const account = await findOne(data.users, where);
  return account;
}

/**
 * Whether a user without an account gets one by signing in with a code. In a password database, accounts are created by
 * sign-up instead.
 */
export function codesCreateAccounts(connection: Row<"connections">): boolean {
  return connection.strategy !== "auth0" && passwordlessOptions(connection).disable_signup !== true;
}
