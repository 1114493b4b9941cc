import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { ApiFactorType } from "../factors/factor-types.ts";

/** An authentication method with which the user of a session authenticated. */
export const AuthenticationMethod = z.object({
  /** The name of the method: `pwd` or `otp` (RFC 8176), `federated`, `passkey`, or `mfa` for a second factor. */
  name: z.string(),
  /** The type of the factor. Only for `mfa`. */
  type: ApiFactorType.exactOptional(),
  /** Whether a passkey verified the user. Only for `passkey`. */
  user_verified: z.boolean().exactOptional(),
  /** When the method was used, in milliseconds since 1970. */
  timestamp: z.number(),
});

export type AuthenticationMethod = z.output<typeof AuthenticationMethod>;

/** How and when the user of a session authenticated. */
export const Authentication = z.object({
  /** Each method once, with the time of its most recent use, in the order of these times. */
  methods: z.array(AuthenticationMethod),
  /**
   * Set if the identity provider did not return when the user authenticated. `authenticated_at` is then the time when
   * the user returned from the provider.
   */
  auth_time_unknown: z.literal(true).exactOptional(),
});

export type Authentication = z.output<typeof Authentication>;

/** Maximum number of methods that a session stores. The least recently used methods are dropped. */
const maxMethods = 10;

/** Adds a method to those of a session. If the session already has the method, only its new time is stored. */
export function addMethod(methods: readonly AuthenticationMethod[], method: AuthenticationMethod): AuthenticationMethod[] {
  return [...methods.filter(({ name, type }) => name !== method.name || type !== method.type), method].slice(-maxMethods);
}

/** The name of the authentication methods that are second factors. */
export const factorMethod = "mfa";

/**
 * Returns the most recent first factor of a session, and all second factors that the user passed in it. Tokens, Actions
 * and Management API responses contain these methods.
 */
export function newestMethods({ authentication }: Pick<Row<"sessions">, "authentication">): readonly AuthenticationMethod[] {
  const { methods } = Authentication.parse(authentication);
  const first = methods.filter(({ name }) => name !== factorMethod).slice(-1);
  return [...first, ...methods.filter(({ name }) => name === factorMethod)];
}
