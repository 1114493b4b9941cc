import * as z from "zod";
import { responseModes } from "../../authorization/authorization-request.ts";

const text = (description: string) => z.string().meta({ description });
const optional = (description: string) => text(description).exactOptional();

/**
 * The parameters that the OpenAPI document contains: all supported parameters, the most important first. Other
 * parameters are ignored.
 */
const shownAs = z
  .object({
    client_id: text("The client that sends the request"),
    redirect_uri: z.url().exactOptional().meta({
      description: "The URL that the response is sent to: one of the client's callbacks. Optional for a client with one callback",
    }),
    response_type: text("`code`, `id_token`, `token`, or several of them separated by spaces"),
    response_mode: z.enum(responseModes).exactOptional().meta({
      description:
        "How the response is sent. Default: `query` if it contains only a code, otherwise `fragment`. Tokens are never sent in a query",
    }),
    scope: optional("The requested scopes, separated by spaces. `openid` requests an ID token, `offline_access` a refresh token"),
    state: optional("Returned with the response unchanged"),
    nonce: optional("Returned in the ID token. Required if the authorization endpoint returns an ID token"),
    code_challenge: optional("PKCE (RFC 7636): the SHA-256 of the verifier, base64url. Required for public clients"),
    code_challenge_method: z
      .literal("S256")
      .exactOptional()
      .meta({ description: "The only supported method. `plain` would give no protection" }),
    dpop_jkt: optional("The JWK thumbprint of the key that the exchange of the code must prove (RFC 9449 section 10)"),
    audience: optional("The identifier of the API that the access token is for"),
    resource: optional("The same as `audience`, under the name that RFC 8707 defines. If both are sent, they must be equal"),
    prompt: optional(
      "`none` to show no page, or one or more of `login`, `consent` and `select_account` that must be shown, separated by spaces",
    ),
    max_age: optional("Maximum seconds since the user signed in. 0 requires a new sign-in"),
    id_token_hint: optional("An ID token that this tenant issued. The request fails if another user signs in"),
    login_hint: optional("The probable identifier of the user. It is prefilled on the login page and can be changed there"),
    screen_hint: optional("The page to show first, such as `signup`"),
    ui_locales: optional("Languages of the pages, preferred first, separated by spaces"),
    acr_values: optional(
      "Authentication context classes, preferred first, separated by spaces. The user must satisfy one of those that discovery lists in `acr_values_supported`. All others are ignored: check `acr` in the token. `upstream_params` of a connection can forward the parameter",
    ),
    display: optional("Stored for the identity provider: `upstream_params` of a connection can forward it"),
    connection: optional("The name of the connection that the user must sign in with"),
    connection_scope: optional(
      "Additional scopes that are requested from the identity provider of the connection, separated by spaces or commas",
    ),
    access_type: optional("Passed to the identity provider. `offline` requests a refresh token from Google"),
    organization: optional("The organization that the user must be a member of: its id or its name"),
    invitation: optional("The ticket of an invitation that the user accepts by signing in"),
    login_ticket: optional(
      "The ticket that `/co/authenticate` returned to this browser. The login page does not prompt for the password again",
    ),
    claims: optional("Individual claims, as JSON (OpenID Connect Core section 5.5)"),
    request: optional(
      "A request object: the parameters in a JWT that the client signed (RFC 9101). Parameters outside it count only if the scope outside contains `openid`, and the object does not contain them",
    ),
  })
  .meta({ id: "AuthorizationParameters" });

/** The names of all parameters that have an effect. */
export const authorizationParameters: ReadonlySet<string> = new Set(Object.keys(shownAs.shape));

/** The parameters of a pushed request, and the credentials of the client. */
export const pushedParametersSchema = z.looseObject({ request_uri: z.string().exactOptional() }).meta({
  shownAs: shownAs
    .extend({
      client_id: shownAs.shape.client_id.exactOptional(),
      client_secret: optional("The secret of the client"),
      client_assertion: optional("A signed assertion of the client (RFC 7523)"),
      client_assertion_type: optional("`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`"),
    })
    .meta({ id: "PushedAuthorizationParameters" }),
});

/** Accepts any parameters. The checks validate them later, because most errors are sent to the redirect URI. */
export const authorizationParametersSchema = z.looseObject({ client_id: z.string().exactOptional() }).meta({ shownAs });
