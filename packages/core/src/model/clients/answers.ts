import type { ClientChange } from "./clients.ts";

/** What decides where a client's codes and tokens go, and who is asked before. */
export type ClientAnswers = Pick<
  ClientChange,
  "app_type" | "is_first_party" | "grant_types" | "callbacks" | "web_origins" | "allowed_origins" | "settings"
>;

/** Grants by which `/authorize` answers: with a code, and with tokens in the address. */
const answeringGrants = ["authorization_code", "implicit"];

/** Whether codes and tokens of people go by `client` nowhere, and in no way, that they do not go by `known`: what was taken away stays within. */
export function answersWithin(client: ClientAnswers, known: ClientAnswers): boolean {
  const among = (values: readonly string[], allowed: readonly string[]): boolean => values.every((value) => allowed.includes(value));
  const answering = ({ grant_types: types }: ClientAnswers): readonly string[] => answeringGrants.filter((type) => types.includes(type));
  return (
    among(client.callbacks, known.callbacks) &&
    among(client.web_origins, known.web_origins) &&
    among(client.allowed_origins, known.allowed_origins) &&
    among(loginAddress(client), loginAddress(known)) &&
    among(answering(client), answering(known)) &&
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
