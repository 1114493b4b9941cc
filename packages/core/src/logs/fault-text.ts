import { isPublicAddress } from "../adapters/addresses.ts";
import { ForbiddenAddressError } from "../adapters/network.ts";
import { withoutUrlSecrets } from "../model/secret-destinations.ts";

/** The maximum length of the description, in characters. */
const maximum = 500;

/**
 * Describes to a tenant why a request to another server failed: the messages of the error and its causes, at most 500
 * characters. The text has no private address, because that would show a tenant the network of the installation, and no
 * user name, password or query of a URL. Log the error itself for the operator.
 */
export function faultText(error: unknown): string {
  const causes = [...causesOf(error)];
  const forbidden = causes.find((cause) => cause instanceof ForbiddenAddressError);
  if (forbidden !== undefined) return forbidden.publicMessage.slice(0, maximum);
  const text = causes.length === 0 ? String(error) : causes.map(({ message }) => message).join(": ");
  return withoutPrivateAddresses(withoutUrlSecrets(text)).slice(0, maximum);
}

/** An error and its causes, at most four levels. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) yield cause;
}

const ipv4 = /\d{1,3}(?:\.\d{1,3}){3}/g;
const ipv6 = /[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*/gi;

function withoutPrivateAddresses(text: string): string {
  const hidden = "[private address]";
  return text
    .replace(ipv6, (found) => {
      // Node.js appends the port to the address, as if it were a part of it.
      const readings = [found, found.replace(/\.+$/, ""), found.replace(/:\d+\.*$/, "")];
      return readings.some((address) => isPublicAddress(address) === false) ? hidden : found;
    })
    .replace(ipv4, (found) => (isPublicAddress(found) === false ? hidden : found));
}
