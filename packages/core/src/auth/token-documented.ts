import * as z from "zod";
import type { Route } from "../http/route.ts";
import { authorizationCode } from "./grants/authorization-code.ts";
import { clientCredentials } from "./grants/client-credentials.ts";
import { federatedConnectionAccessToken } from "./grants/federated-connection-access-token.ts";
import type { Grant } from "./grants/grant.ts";
import type { GrantType } from "./grants/grant-types.ts";
import { neutralOneTimeCode, oneTimeCode } from "./grants/one-time-code.ts";
import { password, passwordRealm } from "./grants/password.ts";
import { refreshToken } from "./grants/refresh-token.ts";
import { tokenExchange } from "./grants/token-exchange.ts";
import { credentials, token } from "./token.ts";

/** Every grant at once, in the order of the documents. */
const grants: { readonly [Type in GrantType]: Grant<Type> } = {
  client_credentials: clientCredentials,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  "urn:ietf:params:oauth:grant-type:token-exchange": tokenExchange,
  "urn:auth0:params:oauth:grant-type:token-exchange:federated-connection-access-token": federatedConnectionAccessToken,
  password,
  "http://auth0.com/oauth/grant-type/password-realm": passwordRealm,
  "http://auth0.com/oauth/grant-type/passwordless/otp": oneTimeCode,
  "http://vendor/oauth/grant-type/passwordless/otp": neutralOneTimeCode,
};

/** A variant for each grant, with its parameters. */
const TokenRequest = z
  .xor(
    Object.values<Grant>(grants).map(({ type, parameters }) =>
      z.object({ grant_type: z.literal(type), ...parameters.shape, ...credentials }).meta({ title: type.replace(/^.*[/:]/, "") }),
    ),
  )
  .meta({ id: "TokenRequest" });

/** The token endpoint as documents show it. */
export const documentedToken: Route = { ...token, definition: { ...token.definition, body: TokenRequest } };
