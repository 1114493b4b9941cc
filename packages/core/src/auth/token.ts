import * as z from "zod";
import { PosternError } from "../errors.ts";
import { parseInput } from "../http/validation.ts";
import { route } from "../tenancy/context.ts";
import { authorizationCode } from "./grants/authorization-code.ts";
import { clientCredentials } from "./grants/client-credentials.ts";
import { TokenResponse, type Grant } from "./grants/grant.ts";
import { grantTypes, type GrantType } from "./grants/grant-types.ts";
import { federatedConnectionAccessToken } from "./grants/federated-connection-access-token.ts";
import { neutralOneTimeCode, oneTimeCode } from "./grants/one-time-code.ts";
import { password, passwordRealm } from "./grants/password.ts";
import { refreshToken } from "./grants/refresh-token.ts";
import { tokenExchange } from "./grants/token-exchange.ts";

/** Every grant, a file each. */
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

const byType: ReadonlyMap<string, Grant> = new Map(Object.entries(grants));

const credentials = {
  client_id: z.string().exactOptional(),
  client_secret: z.string().exactOptional(),
  client_assertion: z.string().exactOptional(),
  client_assertion_type: z.string().exactOptional(),
};

/** What documents show: a variant for each grant, with its parameters. */
const shownAs = z
  .xor(
    grantTypes
      .map((type) => grants[type])
      .map(({ type, parameters }) =>
        z.object({ grant_type: z.literal(type), ...parameters.shape, ...credentials }).meta({ title: type.replace(/^.*[/:]/, "") }),
      ),
  )
  .meta({ id: "TokenRequest" });

/** What every request has. The grant that it names looks at the rest. */
const TokenRequest = z.looseObject({ grant_type: z.string(), ...credentials }).meta({ shownAs });

/** Which of the vendor's codes stands for a refusal. */
function failureEvent(body: unknown): string {
  const type = typeof body === "object" && body !== null && "grant_type" in body ? body.grant_type : undefined;
  return (typeof type === "string" ? byType.get(type)?.failureEvent : undefined) ?? "feacft";
}

/** The token endpoint (RFC 6749 section 3.2). */
export const token = route({
  method: "POST",
  path: "/oauth/token",
  summary: "Exchange credentials for tokens",
  scopes: "client",
  bodyKind: "json-or-form",
  body: TokenRequest,
  failureEvent,
  responses: {
    200: TokenResponse,
    400: {
      error: "invalid_request, invalid_grant, invalid_scope, invalid_target, access_denied, unauthorized_client, unsupported_grant_type",
    },
    401: { error: "invalid_client" },
    403: { error: "INVALID_CREDENTIALS, TOO_MANY_FAILED_LOGINS" },
    429: { error: "TOO_MANY_REQUESTS" },
    503: { error: "temporarily_unavailable: an identity provider did not answer as it should" },
  },
})(async ({ body }, context) => {
  const grant = byType.get(body.grant_type);
  if (grant === undefined) throw new PosternError("unsupported_grant_type", `'${body.grant_type}' is not a grant type of this service`);
  const { grant_types: enabled } = context.client.record;
  if (!enabled.some((type) => type === grant.type || type === grant.sameAs)) {
    throw new PosternError("unauthorized_client", `the client may not use the grant type '${grant.type}'`);
  }
  return grant.exchange(parseInput(grant.parameters, body, "body"), context);
});
