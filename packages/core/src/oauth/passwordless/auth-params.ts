import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";

/** Bytes of the parameters that are kept with a code, as JSON. */
const most = 8192;

const text = z.string().max(most).exactOptional();

/**
 * The parameters of an authorization request that a code or link can begin with. Those that would have a person sign in again are not among them: they are about to.
 * Any other is ignored, as `/authorize` does.
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

/** What a client sends to be kept for the login. */
export const AuthParams = z
  .object(authParams)
  .refine((sent) => new TextEncoder().encode(JSON.stringify(sent)).length <= most, `must have at most ${most} bytes`)
  .meta({
    description:
      "Parameters as of `/authorize`. The grant falls back on `scope`, `audience` and `organization`; a link leads on with all of them",
  });

export type AuthParams = z.infer<typeof AuthParams>;

/** Parameters as a code keeps them. */
export function keepAuthParams(sent: AuthParams): JsonObject {
  return { auth_params: sent };
}

const Kept = z.object({ auth_params: AuthParams }).exactPartial();

/** What a code keeps; nothing where it was asked for without any. */
export function keptAuthParams(request: JsonObject): AuthParams {
  return Kept.parse(request).auth_params ?? {};
}

/** Parameters that were sent, out of all that came with them. Empty ones are as good as none (RFC 6749 section 3.1). */
export function pickAuthParams(sent: { readonly [name: string]: unknown }): AuthParams {
  const named = Object.keys(authParams).flatMap((name) => (sent[name] === undefined || sent[name] === "" ? [] : [[name, sent[name]]]));
  return AuthParams.parse(Object.fromEntries(named));
}
