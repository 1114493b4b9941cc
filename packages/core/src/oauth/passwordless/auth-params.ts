import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";

/** The maximum size of the parameters that are stored with a code, in bytes of JSON. */
const maximumBytes = 8192;

const text = z.string().max(maximumBytes).exactOptional();

/**
 * The parameters of an authorization request that can be sent with a request for a code or link. Parameters that force
 * a new login are omitted, because the user is about to sign in. Other parameters are ignored, as at `/authorize`.
 */
export const authParams = {
  redirect_uri: text,
  response_type: text,
  response_mode: text,
  scope: text,
  audience: text,
  resource: text,
  state: text,
  nonce: text,
  code_challenge: text,
  code_challenge_method: text,
  organization: text,
  invitation: text,
  claims: text,
  ui_locales: text,
};

/** The parameters that a client sends for the login that follows. */
export const authParamsSchema = z
  .object(authParams)
  .refine((sent) => new TextEncoder().encode(JSON.stringify(sent)).length <= maximumBytes, `must have at most ${maximumBytes} bytes`)
  .meta({
    description: "Parameters of `/authorize`. The grant uses `scope`, `audience` and `organization` as defaults; a link passes all of them",
  });

export type AuthParams = z.infer<typeof authParamsSchema>;

/** Returns parameters in the form in which a code stores them. */
export function toStoredAuthParams(sent: AuthParams): JsonObject {
  return { auth_params: sent };
}

const storedAuthParamsSchema = z.object({ auth_params: authParamsSchema }).exactPartial();

/** Returns the parameters that are stored with a code; an empty object if the code was requested without parameters. */
export function fromStoredAuthParams(request: JsonObject): AuthParams {
  return storedAuthParamsSchema.parse(request).auth_params ?? {};
}

/** Picks the supported parameters. An empty parameter counts as omitted (RFC 6749 section 3.1). */
export function pickAuthParams(sent: { readonly [name: string]: unknown }): AuthParams {
  const named = Object.keys(authParams).flatMap((name) => (sent[name] === undefined || sent[name] === "" ? [] : [[name, sent[name]]]));
  return authParamsSchema.parse(Object.fromEntries(named));
}
