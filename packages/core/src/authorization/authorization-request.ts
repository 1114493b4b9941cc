import * as z from "zod";
import { supportedAcrs } from "../model/factors/acr.ts";
import { requestedClaimsSchema } from "./requested-claims.ts";

const namesSchema = z.array(z.string());

/** The values that `response_type` may contain (OAuth 2.0 Multiple Response Types). */
export const responseTypes = ["code", "id_token", "token"] as const;
/** How the response is sent to the client. */
export const responseModes = ["query", "fragment", "form_post", "web_message"] as const;

/**
 * How an interaction ends after the user signed in or declined:
 *
 * - `response`: the client receives an authorization response at `redirect_uri`, a success or an error.
 * - `front-page`: the browser opens the client's front page at `redirect_uri` without parameters, because the client
 *   requested nothing. Other errors are displayed on a page.
 * - `device`: the user's decision is stored for the device in `device`, whose client polls for it. The browser opens a
 *   page that reports it, at `redirect_uri`. Other errors are displayed on a page.
 * - `account-page`: the browser opens the account page at `redirect_uri`, a URL of this service. All errors are
 *   displayed on a page.
 * - `connected-account`: the client that connects an account receives a code for it at `redirect_uri`, or an error. The
 *   interaction signs no user in and has no pages.
 */
const endings = ["response", "front-page", "device", "account-page", "connected-account"] as const;

/**
 * An authorization request whose parameters are all validated. This is a schema, because the request is stored in the
 * login session as JSON. `scope` contains the requested scopes; the granted scopes are decided for the user when the
 * response is issued.
 */
export const authorizationRequestSchema = z.object({
  ending: z.enum(endings).default("response"),
  client_id: z.string(),
  redirect_uri: z.string(),
  /** Whether the request contained `redirect_uri`. If so, the token request must repeat it. */
  redirect_uri_given: z.boolean(),
  response_type: z.array(z.enum(responseTypes)),
  response_mode: z.enum(responseModes),
  scope: namesSchema,
  state: z.string().exactOptional(),
  nonce: z.string().exactOptional(),
  code_challenge: z.string().exactOptional(),
  /** The thumbprint of the key that the exchange of the code must prove (RFC 9449 section 10). */
  dpop_jkt: z.string().exactOptional(),
  prompt: z.array(z.enum(["none", "login", "consent", "select_account"])),
  /** Seconds. */
  max_age: z.int().exactOptional(),
  login_hint: z.string().exactOptional(),
  /** `upstream_params` of the connection can forward `acr_values` and `display` to the identity provider. */
  acr_values: z.string().exactOptional(),
  /** The supported `acr` values of which the session must satisfy one, in the client's order. */
  required_acrs: z.array(z.enum(supportedAcrs)).readonly().exactOptional(),
  /** Whether `required_acrs` is a voluntary claim: a login that cannot satisfy it succeeds. */
  acr_voluntary: z.literal(true).exactOptional(),
  display: z.string().exactOptional(),
  id_token_hint: z.string().exactOptional(),
  /** The subject of a verified `id_token_hint`. */
  hinted_user_id: z.string().exactOptional(),
  ui_locales: z.string().exactOptional(),
  screen_hint: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  connection: z.string().exactOptional(),
  /** `connection_scope` and `access_type` are for the identity provider of the connection. */
  connection_scope: z.string().exactOptional(),
  access_type: z.string().exactOptional(),
  /** The organization that the user must be a member of. */
  organization: z.object({ id: z.string(), by_name: z.boolean() }).exactOptional(),
  /** The invitation to that organization that the request names, and the email address that was invited. */
  invitation: z.object({ id: z.string(), email: z.string() }).exactOptional(),
  /** The user must be a member of an organization, and chooses one during the login. */
  choose_organization: z.boolean().exactOptional(),
  claims: requestedClaimsSchema,
  /** The pushed request that the parameters come from: the hash of its request URI. */
  pushed_request: z.string().exactOptional(),
  /** The device that the user signs in on (RFC 8628). Its user code is encrypted, and displayed for comparison. */
  device: z.object({ code_hash: z.string(), sealed_user_code: z.string() }).exactOptional(),
});

export type AuthorizationRequest = z.infer<typeof authorizationRequestSchema>;
export type ResponseMode = AuthorizationRequest["response_mode"];

/**
 * Whether the response is itself a page. Such a response is issued when the page is loaded, so that reloading the page
 * does not repeat a POST.
 */
export function respondsWithPage({ response_mode: mode }: Pick<AuthorizationRequest, "response_mode">): boolean {
  return mode === "form_post" || mode === "web_message";
}
