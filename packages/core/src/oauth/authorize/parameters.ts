import * as z from "zod";
import { responseModes } from "../../authorization/authorization-request.ts";

const text = (description: string) => z.string().meta({ description });
const optional = (description: string) => text(description).exactOptional();

/**
 * The parameters that the OpenAPI document shows: all that are supported, in the order of their importance to readers.
 * Others are ignored.
 */
const shownAs = z
  .object({
    client_id: text("The client that asks"),
    redirect_uri: optional("Where the answer goes: one of the client's callbacks. May be left out by a client that has only one"),
    response_type: text("`code`, `id_token`, `token`, or several of them with spaces between"),
    response_mode: z.enum(responseModes).exactOptional().meta({
      description: "How the answer travels. Default: `query` for a code alone, else `fragment`; tokens are never sent in a query",
    }),
    scope: optional("What is asked for, with spaces between. `openid` for an ID token, `offline_access` for a refresh token"),
    state: optional("Comes back with the answer as it was sent"),
    nonce: optional("Comes back in the ID token. Required where that comes without a code's exchange"),
    code_challenge: optional("PKCE (RFC 7636): the SHA-256 of the verifier, base64url. Required of public clients"),
    code_challenge_method: z
      .literal("S256")
      .exactOptional()
      .meta({ description: "The only method there is: `plain` protects against nothing" }),
    audience: optional("The identifier of the API that the access token is for"),
    resource: optional("The same by the name of RFC 8707. Where both are sent they must be equal"),
    prompt: optional("`none` to show no page, or of `login`, `consent` and `select_account` those that must be shown, with spaces between"),
    max_age: optional("How many seconds ago the person may have signed in; 0 asks them again"),
    id_token_hint: optional("An ID token that was issued here: the answer is about that person, or there is none"),
    login_hint: optional("Who it probably is. Stands in the field that asks, and can be changed there"),
    screen_hint: optional("Which page the person hopes for"),
    ui_locales: optional("Languages of the pages, best first, with spaces between"),
    acr_values: optional("Stored for the identity provider: `upstream_params` of a connection can forward it"),
    display: optional("Stored for the identity provider: `upstream_params` of a connection can forward it"),
    connection: optional("The name of the connection that the person is to sign in by"),
    connection_scope: optional(
      "Scopes that the identity provider of the connection is asked for besides its own, with spaces or commas between",
    ),
    access_type: optional("Handed on to the identity provider: `offline` asks Google for a refresh token"),
    organization: optional("The organization that the person must be a member of: its id or its name"),
    invitation: optional("The ticket of an invitation that the person is to accept"),
    login_ticket: optional("What `/co/authenticate` gave this browser: nobody is asked for a password that was asked for already"),
    claims: optional("Single claims, as JSON (OpenID Connect Core section 5.5)"),
  })
  .meta({ id: "AuthorizationParameters" });

/** Accepts any parameters. The checks validate them later, because most errors are sent to the redirect URI. */
export const AuthorizationParameters = z.looseObject({ client_id: z.string().exactOptional() }).meta({ shownAs });
