import { causesOf } from "../logs/fault-text.ts";

/** The codes of errors that a tenant may read, with their descriptions. Other codes are left out. */
const descriptions: ReadonlyMap<unknown, string> = new Map([
  ["EAUTH", "the mail server rejected the credentials"],
  ["ECONNECTION", "there is no connection to the mail server"],
  ["ECONNREFUSED", "there is no connection to the mail server"],
  ["ETIMEDOUT", "the mail server did not respond in time"],
]);

/**
 * Describes to a tenant why the host's sender failed. The error itself may contain credentials of the control plane and
 * responses of servers in the operator's network, so its message is never returned. The description consists of a known
 * error code, the status that an SMTP server responded with (`responseCode`), and the `publicMessage` of the error or
 * of a cause.
 * @returns undefined if the error contains none of these.
 */
export function senderFault(error: unknown): string | undefined {
  const causes = [...causesOf(error)];
  for (const cause of causes)
    if ("publicMessage" in cause && typeof cause.publicMessage === "string") return cause.publicMessage.slice(0, 500);
  const parts = causes.flatMap((cause) => [
    "code" in cause ? descriptions.get(cause.code) : undefined,
    "responseCode" in cause && isSmtpStatus(cause.responseCode) ? `SMTP status ${cause.responseCode}` : undefined,
  ]);
  const known = [...new Set(parts.filter((part) => part !== undefined))];
  return known.length === 0 ? undefined : known.join(", ");
}

/** Whether a value is the status of a failure in SMTP (RFC 5321 section 4.2.1). */
function isSmtpStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599;
}
