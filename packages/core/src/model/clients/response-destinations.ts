import type { ClientChange } from "./clients.ts";
import { toAsciiUrl, withComparableUrls } from "./url-spelling.ts";
import { redirectGrantTypesOf } from "./grant-types.ts";

/**
 * The fields of a client that determine where its codes and tokens are sent, and whether users must consent before
 * that.
 */
export type ResponseDestinations = Pick<
  ClientChange,
  "app_type" | "is_first_party" | "grant_types" | "callbacks" | "web_origins" | "allowed_origins" | "settings"
>;

/**
 * Returns `true` if `changed` sends users' codes and tokens only to destinations and with grant types that `stored` also
 * uses. Removing a destination keeps the result `true`.
 */
export function sendsOnlyWithin(changed: ResponseDestinations, stored: ResponseDestinations): boolean {
  const [client, known] = [withComparableUrls(changed), withComparableUrls(stored)];
  const isSubset = (values: readonly string[], allowed: readonly string[]): boolean => values.every((value) => allowed.includes(value));
  return (
    isSubset(client.callbacks, known.callbacks) &&
    isSubset(client.web_origins, known.web_origins) &&
    isSubset(client.allowed_origins, known.allowed_origins) &&
    isSubset(loginUri(client), loginUri(known)) &&
    isSubset(redirectGrantTypesOf(client), redirectGrantTypesOf(known)) &&
    // Users must consent before a third-party client receives codes or tokens.
    (!client.is_first_party || known.is_first_party) &&
    // The callbacks of a native app match every port of a loopback address.
    (client.app_type !== "native" || known.app_type === "native")
  );
}

/** Returns the URL that invitation links with their tickets point to. */
function loginUri({ settings }: ResponseDestinations): readonly string[] {
  const { initiate_login_uri: uri } = settings;
  return typeof uri === "string" && uri !== "" ? [toAsciiUrl(uri)] : [];
}
