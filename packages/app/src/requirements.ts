/** The `acr` values of Postern (OpenID Connect Core section 2): how the user authenticated. */
export const acrValues = {
  /** The user passed two factors. */
  multifactor: "http://schemas.openid.net/pape/policies/2007/06/multi-factor",
  /** The user passed a factor that a phishing site cannot relay: a security key or a passkey. */
  phishingResistant: "phr",
} as const;

/** One of {@link acrValues}. */
export type AcrValue = (typeof acrValues)[keyof typeof acrValues];

/** How a user must have authenticated (RFC 9470). */
export interface AuthenticationRequirements {
  /** The user must have authenticated in this way, or in one of these ways. A list has the preferred value first. */
  readonly acr?: AcrValue | readonly AcrValue[];
  /** The maximum number of seconds since the user authenticated: a whole number, 1 or more. */
  readonly maxAge?: number;
}

/** Validates requirements when an app starts. @throws {TypeError} if a value is invalid. */
export function checkSessionRequirements(required: AuthenticationRequirements): void {
  parseRequirements(required, "requireSession");
}

/** Authentication requirements in the form in which requests and challenges contain them. */
export interface ParsedRequirements {
  /** Empty: every `acr` value is sufficient. */
  readonly acrs: readonly AcrValue[];
  readonly maxAge: number | undefined;
}

/** How a user authenticated, according to a token. */
export interface AuthenticationClaims {
  readonly acr?: unknown;
  /** Seconds since 1970. */
  readonly authTime?: unknown;
}

/**
 * Parses requirements.
 * @param caller the name of the function that received them, for the error message.
 * @throws {TypeError} if a value is invalid.
 */
export function parseRequirements({ acr, maxAge }: AuthenticationRequirements, caller: string): ParsedRequirements {
  const acrs = acr === undefined ? [] : [acr].flat();
  const known: readonly string[] = Object.values(acrValues);
  if (acr !== undefined && (acrs.length === 0 || !acrs.every((value) => known.includes(value))))
    throw new TypeError(`${caller}: 'acr' is ${JSON.stringify(acr)}: pass values of 'acrValues'`);
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge > 0))
    throw new TypeError(`${caller}: 'maxAge' is ${maxAge}: pass a whole number of seconds, 1 or more`);
  return { acrs, maxAge };
}

/**
 * Returns why an authentication does not satisfy the requirements, as a sentence; undefined if it satisfies them.
 * Without an authentication time, it satisfies no `maxAge`.
 * @param now seconds since 1970.
 * @param tolerance the seconds by which the authentication may be older than `maxAge`.
 */
export function unmetRequirement(
  { acrs, maxAge }: ParsedRequirements,
  { acr, authTime }: AuthenticationClaims,
  now: number,
  tolerance: number,
): string | undefined {
  if (acrs.length > 0 && !acrs.some((required) => satisfiesAcr(acr, required)))
    return acrs.includes(acrValues.multifactor) ? "a second factor is required" : "a security key or a passkey is required";
  if (maxAge === undefined || (typeof authTime === "number" && now - authTime <= maxAge + tolerance)) return undefined;
  return typeof authTime === "number" ? "the user must authenticate again" : "the time at which the user authenticated is unknown";
}

/** Whether an `acr` value satisfies a required one. A phishing-resistant authentication has two factors. */
export function satisfiesAcr(acr: unknown, required: AcrValue): boolean {
  return acr === required || (required === acrValues.multifactor && acr === acrValues.phishingResistant);
}
