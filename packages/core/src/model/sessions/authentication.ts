import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { apiFactorTypeSchema } from "../factors/factor-types.ts";

/** An authentication method with which the user of a session authenticated. */
export const authenticationMethodSchema = z.object({
  /**
   * The name of the method: `pwd` or `otp` (RFC 8176), `federated`, `passkey`, `mfa` for a second factor, or a URL that
   * an Action recorded.
   */
  name: z.string(),
  /** The type of the factor. Only for `mfa`. */
  type: apiFactorTypeSchema.exactOptional(),
  /** Whether a passkey verified the user. Only for `passkey`. */
  user_verified: z.boolean().exactOptional(),
  /** The email addresses and phone numbers through which a first factor went. Only for first factors. */
  channels: z.array(z.string()).exactOptional(),
  /** When the method was used, in milliseconds since 1970. */
  timestamp: z.number(),
});

/** How and when the user of a session authenticated. */
export const authenticationSchema = z.object({
  /** Each method once, with the time of its most recent use, in the order of these times. */
  methods: z.array(authenticationMethodSchema),
  /**
   * Set if the identity provider did not return when the user authenticated. `authenticated_at` is then the time when
   * the user returned from the provider.
   */
  auth_time_unknown: z.literal(true).exactOptional(),
});

/** Maximum number of methods that a session stores. The least recently used methods are dropped. */
const maxMethods = 10;

/** Maximum number of methods of Actions that a session stores, in addition to {@link maxMethods}. */
const maxCustomMethods = 5;

/** Adds a method to those of a session. If the session already has the method, only its new time is stored. */
export function addMethod(
  methods: readonly z.infer<typeof authenticationMethodSchema>[],
  method: z.infer<typeof authenticationMethodSchema>,
): z.infer<typeof authenticationMethodSchema>[] {
  const all = [...methods.filter(({ name, type }) => name !== method.name || type !== method.type), method];
  const stored = [
    ...all.filter(({ name }) => !isCustomMethod(name)).slice(-maxMethods),
    ...all.filter(({ name }) => isCustomMethod(name)).slice(-maxCustomMethods),
  ];
  return all.filter((one) => stored.includes(one));
}

/** The name of the authentication methods that are second factors. */
export const factorMethod = "mfa";

/**
 * Returns the most recent first factor of a session, and all second factors that the user passed in it. Tokens, Actions
 * and Management API responses contain these methods.
 */
export function newestMethods({
  authentication,
}: Pick<Row<"sessions">, "authentication">): readonly z.infer<typeof authenticationMethodSchema>[] {
  const { methods } = authenticationSchema.parse(authentication);
  const first = methods.filter(({ name }) => name !== factorMethod && !isCustomMethod(name)).slice(-1);
  return [...first, ...methods.filter(({ name }) => name === factorMethod)];
}

/**
 * Returns the most recent first factor of a session, and the second factors that the user passed since then. Only these
 * count for an `acr`: a user who signs in again, as `max_age` or `prompt=login` requires, passes a second factor again.
 * Otherwise a password alone would renew the time of an `acr` that requires two factors.
 */
export function methodsSinceSignIn(session: Pick<Row<"sessions">, "authentication">): ReturnType<typeof newestMethods> {
  const { methods } = authenticationSchema.parse(session.authentication);
  const first = methods.findLastIndex(({ name }) => name !== factorMethod && !isCustomMethod(name));
  return methods.slice(Math.max(first, 0)).filter(({ name }) => !isCustomMethod(name));
}

/** Returns whether an Action recorded the method: its name is a URL. */
export function isCustomMethod(name: string): boolean {
  return name.startsWith("https:") || name.startsWith("http:");
}

/** Returns the methods of a session that Actions recorded. No token contains them. */
export function customMethods({
  authentication,
}: Pick<Row<"sessions">, "authentication">): readonly z.infer<typeof authenticationMethodSchema>[] {
  return authenticationSchema.parse(authentication).methods.filter(({ name }) => isCustomMethod(name));
}
