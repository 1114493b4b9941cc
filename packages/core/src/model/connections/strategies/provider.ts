import { isObject, type JsonObject } from "../../../store/value.ts";
import { validClaims, type StandardClaims } from "../../users/standard-claims.ts";

/** The profile of a user, as an identity provider returns it. */
export interface UpstreamProfile {
  /** The identifier of the user at the provider. It never changes and is never reused for another user. */
  readonly subject: string;
  /** After a sign-in in the spelling of `emailSchema`. */
  readonly email?: string;
  /** Whether the provider has verified that the user receives email at the address. */
  readonly emailVerified: boolean;
  /** Whether the provider is authoritative for the address: `isAuthoritativeFor` (email-authority.ts). */
  readonly emailOwned: boolean;
  readonly name?: string;
  readonly nickname?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  /** An http or https URL. */
  readonly picture?: string;
  /** The further standard claims with a valid value. */
  readonly claims?: StandardClaims;
}

/**
 * Returns an option or a secret of the connection. Throws if the connection does not have it, so that the sign-in
 * fails.
 */
export type RequireValue = (from: "options" | "secrets", name: string) => string;

/** A JWT that a client sends as its secret. It is signed with a key that the provider issued. */
export interface ClientSecretJwt {
  readonly algorithm: "ES256";
  readonly issuer: string;
  readonly audience: string;
  readonly keyId: string;
  /** The private key as PKCS #8 in PEM format. */
  readonly privateKey: string;
}

/**
 * How a client authenticates at a token endpoint. If this is a function, the client authenticates with the JWT that the
 * function describes.
 */
export type ProviderAuthentication =
  | "client_secret_basic"
  | "client_secret_post"
  | "private_key_jwt"
  | "none"
  | ((require: RequireValue) => ClientSecretJwt);

/** Where to reach a provider: its issuer, for OpenID Connect Discovery, or its endpoints. */
export type ProviderPlace =
  | { readonly discover: string }
  | {
      readonly issuer: string;
      readonly authorizationEndpoint: string;
      readonly tokenEndpoint: string;
      readonly jwksUri?: string;
      readonly userinfoEndpoint?: string;
    };

/** How to send requests to the provider of a connection, and how to read its responses. */
export interface ProviderDescription {
  /** Undefined if the options do not identify a provider. */
  readonly place: ProviderPlace | undefined;
  /** The scopes, separated by spaces. If they contain `openid`, an ID token is expected; see {@link idToken}. */
  readonly scope: string;
  /**
   * Whether an ID token identifies the user. Default: `true` if the scope contains `openid`. With `false`, for plain
   * OAuth 2.0 without a configured issuer, an ID token is ignored, and `iss` in the authorization response is not
   * compared (RFC 9207 section 2.4).
   */
  readonly idToken?: boolean;
  /** The algorithms with which ID tokens may be signed. Default: the algorithms in the provider's metadata. */
  readonly idTokenAlgorithms?: readonly string[];
  /**
   * Default: `none` without a secret. With a secret, `client_secret_post`, or `client_secret_basic` if the provider's
   * metadata does not contain `client_secret_post`.
   */
  readonly authentication?: ProviderAuthentication;
  /** Whether requests use PKCE. Default: `true`. */
  readonly pkce?: boolean;
  /**
   * Whether the request contains a nonce, which the ID token must then contain. Default: `true` if an ID token is
   * expected.
   */
  readonly nonce?: boolean;
  /** Additional parameters for the authorization request. */
  readonly parameters?: { readonly [name: string]: string };
  /**
   * Returns the issuer of an ID token from its claims, which are not verified yet. Only for a provider with several
   * issuers.
   */
  readonly issuerOf?: (claims: JsonObject) => string;
  /** Whether the profile is fetched from `/userinfo`. Default: `true` if no ID token is expected. */
  readonly fetchesUserinfo?: boolean;
  /**
   * Further URLs that are fetched with the access token. Each key is the name under which `read` receives the response.
   */
  readonly furtherUrls?: { readonly [name: string]: string };
  /**
   * The name of a callback parameter that contains a JSON object. `read` receives the object under this name. It is not
   * signed.
   */
  readonly callbackObject?: string;
  /**
   * Reads the profile from the claims and all further responses.
   * @returns undefined if they do not identify the user.
   */
  read(claims: JsonObject): UpstreamProfile | undefined;
}

/** Returns `true` if an ID token from the provider identifies the user. */
export function expectsIdToken({ idToken, scope }: Pick<ProviderDescription, "idToken" | "scope">): boolean {
  return idToken ?? scope.split(" ").includes("openid");
}

/**
 * Returns a string from a JSON object, or undefined if the value is not a string or is empty. Also returns undefined
 * for a string with NUL or an unpaired surrogate, because PostgreSQL rejects such a string and the login would fail
 * with a 500.
 */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" && !value.includes("\0") && value.isWellFormed() ? value : undefined;
}

/** Returns an object from a JSON object, or an empty object if the value is not an object. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isObject(value) ? value : {};
}

/** Returns the scopes in the options (a string or a list) and the required scopes. */
export function scopeOf(options: JsonObject, needed: readonly string[], usual: readonly string[] = []): string {
  const { scope, freeform_scopes: free } = options;
  const asked = typeof scope === "string" ? scope.split(/[\s,]+/) : isTexts(scope) ? scope : usual;
  return [...new Set([...needed, ...asked, ...(isTexts(free) ? free : [])])].filter((value) => value !== "").join(" ");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Reads the standard claims (OpenID Connect Core section 5.1).
 * @param owns whether the provider is authoritative for an address: `isAuthoritativeFor`.
 */
export function readClaims(claims: JsonObject, owns: (email: string) => boolean = () => false): UpstreamProfile | undefined {
  const subject = textIn(claims, "sub");
  if (subject === undefined) return undefined;
  const email = textIn(claims, "email");
  return withTexts(
    {
      subject,
      // Some providers send the boolean as a string.
      emailVerified: email !== undefined && (claims["email_verified"] === true || claims["email_verified"] === "true"),
      emailOwned: email !== undefined && owns(email),
    },
    {
      email,
      name: textIn(claims, "name"),
      nickname: textIn(claims, "nickname") ?? textIn(claims, "preferred_username"),
      givenName: textIn(claims, "given_name"),
      familyName: textIn(claims, "family_name"),
      picture: textIn(claims, "picture"),
    },
    validClaims(claims),
  );
}

/** Returns the beginning of a string, at most `length` UTF-16 code units, without splitting a character. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Adds the strings that are defined, and the standard claims, to a profile. */
export function withTexts(
  profile: Pick<UpstreamProfile, "subject" | "emailVerified" | "emailOwned">,
  texts: { readonly [Name in "email" | "name" | "nickname" | "givenName" | "familyName" | "picture"]?: string | undefined },
  claims: StandardClaims = {},
): UpstreamProfile {
  return {
    ...profile,
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ...(Object.keys(claims).length > 0 && { claims }),
  };
}
