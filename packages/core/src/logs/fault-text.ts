import { isPublicAddress } from "../adapters/addresses.ts";
import { ForbiddenAddressError } from "../adapters/network.ts";
import { withoutUrlSecrets } from "../model/secret-destinations.ts";

/** The maximum length of the description, in characters. */
const maximum = 500;

/**
 * Describes to a tenant why a request to another server failed. The text consists of the messages of the error and its
 * causes, and has at most 500 characters. It contains no private IP address, because a tenant must not learn about the
 * operator's network. It contains no user name, password or query from a URL. Write the error itself to the operator's
 * log.
 */
export function faultText(error: unknown): string {
  const causes = [...causesOf(error)];
  const forbidden = causes.find((cause) => cause instanceof ForbiddenAddressError);
  if (forbidden !== undefined) return forbidden.publicMessage.slice(0, maximum);
  const text = causes.length === 0 ? String(error) : causes.map(({ message }) => message).join(": ");
  return withoutPrivateAddresses(withoutUrlSecrets(text)).slice(0, maximum);
}

/** Yields an error and its causes, at most four levels deep. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) yield cause;
}

const ipv4 = /\d{1,3}(?:\.\d{1,3}){3}/g;
const ipv6 = /[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*/gi;

function withoutPrivateAddresses(text: string): string {
  const hidden = "[private address]";
  return text
    .replace(ipv6, (found) => {
      // Node.js appends the port to an IPv6 address with a colon, as if it were a part of the address.
      const readings = [found, found.replace(/\.+$/, ""), found.replace(/:\d+\.*$/, "")];
      return readings.some((address) => isPublicAddress(address) === false) ? hidden : found;
    })
    .replace(ipv4, (found) => (isPublicAddress(found) === false ? hidden : found));
}
