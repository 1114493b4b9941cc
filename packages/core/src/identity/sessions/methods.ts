import type * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { multifactorAcr, phishingResistantAcr, type Acr } from "../../model/factors/acr.ts";
import { factorKind, fromApiFactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { type FirstFactor, type PassedFactor } from "../factors/factor-uses.ts";
import {
  authenticationSchema,
  factorMethod,
  methodsSinceSignIn,
  newestMethods,
  type authenticationMethodSchema,
} from "../../model/sessions/authentication.ts";

/** When the user of a session authenticated. */
export interface AuthTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /**
   * `false` if an identity provider did not report when the user authenticated. In this case `at` is the time at which
   * the user returned from the provider, and the session satisfies no `max_age`.
   */
  readonly isKnown: boolean;
}

/**
 * Returns whether the authentication time of a session is known. `true` without a session, because grants without a
 * session authenticate the user themselves.
 */
export function isAuthTimeKnown(session: Pick<Row<"sessions">, "authentication"> | undefined): boolean {
  return session === undefined || authenticationSchema.parse(session.authentication).auth_time_unknown !== true;
}

/** Returns the authentication time of a session, in milliseconds since 1970; undefined if it is not known. */
export function authTimeOf(session: Pick<Row<"sessions">, "authentication" | "authenticated_at">): number | undefined {
  return isAuthTimeKnown(session) ? session.authenticated_at : undefined;
}

/**
 * The value that codes and refresh tokens store for an unknown authentication time. They store the authentication time
 * of their grant, which does not change when the user authenticates again in the session.
 */
const unknownAuthTime = 0;

/** Converts an authentication time to the value that codes and refresh tokens store. */
export function toStoredAuthTime(authTime: number | undefined): number {
  return authTime ?? unknownAuthTime;
}

/**
 * Converts the authentication time that a code or a refresh token stores. Returns undefined if the time is not known.
 */
export function fromStoredAuthTime(stored: number): number | undefined {
  return stored === unknownAuthTime ? undefined : stored;
}

type SessionMethods = Pick<Row<"sessions">, "authentication">;

/**
 * Returns the value of the `amr` claim (RFC 8176): the latest first factor of a session, and its second factors. Empty
 * without a session, and if an identity provider authenticated the user without a second factor.
 * @param acr the `acr` of the login that the token results from. Undefined: the values of second factors are omitted,
 * because a later step-up in the same session does not change an earlier grant.
 */
export function methodsOf(session: SessionMethods | undefined, acr: string | undefined): readonly string[] {
  const methods = session === undefined ? [] : newestMethods(session);
  const values = methods.flatMap((method) => amrOf(method, acr));
  return [...new Set(acr === undefined ? values : [...values, "mfa"])];
}

function amrOf({ name, type }: z.infer<typeof authenticationMethodSchema>, acr: string | undefined): readonly string[] {
  if (name === "federated") return [];
  if (name === "passkey") return ["pop", "user"];
  if (name !== factorMethod) return [name];
  const factor = type && fromApiFactorType(type);
  return acr === undefined || factor === undefined ? [] : factorKind(factor).amr;
}

/** Returns the second factors that the user passed since the last sign-in in a session. */
export function factorsSinceSignIn(session: SessionMethods): readonly PassedFactor[] {
  return toPassedFactors(methodsSinceSignIn(session));
}

/** Returns all second factors that the user passed in a session, also those before the last sign-in in it. */
export function passedFactorsOf(session: SessionMethods): readonly PassedFactor[] {
  return toPassedFactors(authenticationSchema.parse(session.authentication).methods);
}

function toPassedFactors(methods: readonly z.infer<typeof authenticationMethodSchema>[]): readonly PassedFactor[] {
  return methods.flatMap(({ type, timestamp: at }) => {
    const stored = type === undefined ? undefined : fromApiFactorType(type);
    return stored === undefined ? [] : [{ type: stored, at }];
  });
}

/** Returns the first factor of a session. */
export function firstFactorOf(session: Pick<Row<"sessions">, "authentication" | "authenticated_at">): FirstFactor {
  const [method] = newestMethods(session);
  const { name, user_verified: userVerified, channels } = method ?? {};
  return {
    method: name === "otp" || name === "federated" || name === "passkey" ? name : "pwd",
    at: authTimeOf(session),
    ...(userVerified !== undefined && { userVerified }),
    ...(channels !== undefined && { channels }),
  };
}

/**
 * Returns the value of the `acr` claim (OpenID Connect Core section 2): the first requested value that the session
 * satisfies, otherwise the value for two factors if the user passed two at the last sign-in or since then.
 * @param settings the tenant's settings, which decide whether a passkey alone counts as two factors.
 * @param requested the values that the client requested, in its order.
 */
export function acrOf(
  session: SessionMethods,
  settings: Pick<MultifactorSettings, "passkey_counts_as_factor">,
  requested: readonly Acr[] = [],
): Acr | undefined {
  const methods = methodsSinceSignIn(session);
  const isVerifiedPasskey = methods.some(({ name, user_verified: verified }) => name === "passkey" && verified === true);
  const passed = toPassedFactors(methods);
  const isTwoFactors = passed.length > 0 || (isVerifiedPasskey && settings.passkey_counts_as_factor);
  const resistsPhishing = isVerifiedPasskey || passed.some(({ type }) => factorKind(type).uses.resistsPhishing);
  const isSatisfied = (acr: Acr): boolean => (acr === phishingResistantAcr ? resistsPhishing : isTwoFactors);
  return requested.find(isSatisfied) ?? (isTwoFactors ? multifactorAcr : undefined);
}
