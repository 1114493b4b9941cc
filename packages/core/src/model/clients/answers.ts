import type { ClientChange } from "./clients.ts";
import { redirectGrantTypesOf } from "./grant-types.ts";

/** What decides where a client's codes and tokens go, and who is asked before. */
export type ClientAnswers = Pick<
  ClientChange,
  "app_type" | "is_first_party" | "grant_types" | "callbacks" | "web_origins" | "allowed_origins" | "settings"
>;

/** Whether codes and tokens of people go by `client` nowhere, and in no way, that they do not go by `known`: what was taken away stays within. */
export function answersWithin(client: ClientAnswers, known: ClientAnswers): boolean {
  const among = (values: readonly string[], allowed: readonly string[]): boolean => values.every((value) => allowed.includes(value));
  return (
    among(client.callbacks, known.callbacks) &&
    among(client.web_origins, known.web_origins) &&
    among(client.allowed_origins, known.allowed_origins) &&
    among(loginAddress(client), loginAddress(known)) &&
    among(redirectGrantTypesOf(client), redirectGrantTypesOf(known)) &&
    // People are asked before a third party gets anything.
    (!client.is_first_party || known.is_first_party) &&
    // The callbacks of a native app stand for every port of a loopback address.
    (client.app_type !== "native" || known.app_type === "native")
  );
}

/** Where invitations lead, with their tickets. */
function loginAddress({ settings }: ClientAnswers): readonly string[] {
  const { initiate_login_uri: address } = settings;
  return typeof address === "string" && address !== "" ? [address] : [];
}
