import * as z from "zod";
import type { Row } from "../../store/schema.ts";

/** An authentication method that the user of a session used. */
export const AuthenticationMethod = z.object({
  /** `pwd`, `otp` (RFC 8176) or `federated`. */
  name: z.string(),
  /** Milliseconds since 1970. */
  timestamp: z.number(),
});

export type AuthenticationMethod = z.output<typeof AuthenticationMethod>;

/** How and when the user of a session authenticated. */
export const Authentication = z.object({
  /** Each method once, with the time of its newest use. The method that was used last comes last. */
  methods: z.array(AuthenticationMethod),
  /**
   * The identity provider did not return when the user authenticated. `authenticated_at` is when the user returned from
   * the provider.
   */
  auth_time_unknown: z.literal(true).exactOptional(),
});

export type Authentication = z.output<typeof Authentication>;

/** Maximum number of methods that a session stores. The most recently used methods are stored. */
const maxMethods = 10;

/** Adds a method to those of a session. A method that was used before is stored with its new time only. */
export function addMethod(methods: readonly AuthenticationMethod[], method: AuthenticationMethod): AuthenticationMethod[] {
  return [...methods.filter(({ name }) => name !== method.name), method].slice(-maxMethods);
}

/** Returns the methods of the newest authentication of a session, which tokens, Actions and the Management API show. */
export function newestMethods({ authentication }: Pick<Row<"sessions">, "authentication">): readonly AuthenticationMethod[] {
  return Authentication.parse(authentication).methods.slice(-1);
}
