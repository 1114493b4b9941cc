import * as z from "zod";
import { RequestedClaims } from "./requested-claims.ts";

const Names = z.array(z.string());

/** What `response_type` may hold (OAuth 2.0 Multiple Response Types). */
export const responseTypes = ["code", "id_token", "token"] as const;
/** How the answer reaches the client. */
export const responseModes = ["query", "fragment", "form_post", "web_message"] as const;

/**
 * A request to `/authorize` whose every part was checked. It is kept in the login session as JSON, so it is a schema.
 * Scopes are what was asked for; what is granted is decided when the answer is made, for the person it is made for.
 */
export const AuthorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  /** Whether the request named it: then the exchange must name it again. */
  redirect_uri_given: z.boolean(),
  response_type: z.array(z.enum(responseTypes)),
  response_mode: z.enum(responseModes),
  scope: Names,
  state: z.string().exactOptional(),
  nonce: z.string().exactOptional(),
  code_challenge: z.string().exactOptional(),
  prompt: z.array(z.enum(["none", "login", "consent", "select_account"])),
  /** Seconds. */
  max_age: z.int().exactOptional(),
  login_hint: z.string().exactOptional(),
  /** For the identity provider of the connection: `upstream_params` can forward it. */
  acr_values: z.string().exactOptional(),
  display: z.string().exactOptional(),
  id_token_hint: z.string().exactOptional(),
  /** The subject of a verified `id_token_hint`. */
  hinted_user_id: z.string().exactOptional(),
  ui_locales: z.string().exactOptional(),
  screen_hint: z.string().exactOptional(),
  audience: z.string().exactOptional(),
  connection: z.string().exactOptional(),
  /** For the identity provider of the connection. */
  connection_scope: z.string().exactOptional(),
  access_type: z.string().exactOptional(),
  /** The organization that it must be a member of. */
  organization: z.object({ id: z.string(), by_name: z.boolean() }).exactOptional(),
  /** It came with an invitation into that organization, for this address. */
  invitation: z.object({ id: z.string(), email: z.string() }).exactOptional(),
  /** It must be a member of some organization, and says which. */
  choose_organization: z.boolean().exactOptional(),
  claims: RequestedClaims,
});

export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;
export type ResponseMode = AuthorizationRequest["response_mode"];

/** Whether the answer is itself a page: then it is made when that page is looked at, so that no post has to be repeated for it. */
export function respondsWithPage({ response_mode: mode }: Pick<AuthorizationRequest, "response_mode">): boolean {
  return mode === "form_post" || mode === "web_message";
}
