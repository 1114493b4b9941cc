import { authorizationCode } from "./authorization-code.ts";
import { clientCredentials } from "./client-credentials.ts";
import { federatedConnectionAccessToken } from "./federated-connection-access-token.ts";
import type { Grant } from "./grant.ts";
import { neutralOneTimeCode, oneTimeCode } from "./one-time-code.ts";
import { password, passwordRealm } from "./password.ts";
import { refreshToken } from "./refresh-token.ts";
import { tokenExchange } from "./token-exchange.ts";

/** Every grant of the token endpoint, in the order of the documents and of discovery. A new grant is a file and a line here. */
export const grants: readonly Grant[] = [
  clientCredentials,
  authorizationCode,
  refreshToken,
  tokenExchange,
  federatedConnectionAccessToken,
  password,
  passwordRealm,
  oneTimeCode,
  neutralOneTimeCode,
];
