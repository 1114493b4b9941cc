import type { JsonObject } from "../store/value.ts";

/** A sign-in of a user at an identity provider with a {@link ConnectionStrategy}. */
export interface StrategyAttempt {
  /** The connection with its options. The options that Postern stores as secrets are in `secrets`. */
  readonly connection: { readonly id: string; readonly name: string; readonly options: JsonObject };
  /** The secret options of the connection, by name, such as `client_secret`. */
  readonly secrets: JsonObject;
  /** The URL to which the provider sends its response, as a form (`POST`). */
  readonly callbackUrl: string;
  /** The text that the provider must return unchanged in the field `RelayState`, the name in SAML, or `state`. */
  readonly state: string;
  /**
   * An unguessable text that only this sign-in has, of 22 characters from `A-Z a-z 0-9 - _`. Let the provider sign it, for
   * example as the id of a SAML request, so that the response to another sign-in is rejected.
   */
  readonly nonce: string;
}

/** The requirements of the client for a sign-in at the provider. */
export interface StrategyRequest {
  /** The identifier that the user entered. Undefined if it is not known. */
  readonly loginHint: string | undefined;
  /**
   * Whether the user must authenticate at the provider even if a session exists there (`prompt=login`; in SAML,
   * `ForceAuthn`). The claims must then contain `auth_time`.
   */
  readonly requiresNewAuthentication: boolean;
  /** The maximum number of seconds since the user authenticated (`max_age`). The claims must then contain `auth_time`. */
  readonly maxAge: number | undefined;
}

/** The response of an identity provider. */
export interface StrategyResponse extends StrategyAttempt {
  /** The fields of the form. A field that the form contains twice has been rejected. */
  readonly fields: { readonly [name: string]: string };
  /** The time, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * A protocol with which enterprise connections sign users in, for the strategies of Auth0 that Postern only stores, such
 * as `samlp` and `adfs`. The provider must answer with a form that the browser posts to the callback. Postern binds the
 * response to the login and the browser; the strategy proves that the response is from the provider and belongs to this
 * sign-in.
 */
export interface ConnectionStrategy {
  /** The name of the provider on buttons. The connection's `display_name` overrides it. */
  readonly label: string;
  /**
   * Whether the options of a connection are complete, so that the login pages offer it.
   * @param options the options of the connection, without its secrets.
   */
  isSetUp(options: JsonObject): boolean;
  /**
   * Returns the URL at the provider to which the browser is redirected: `http:` or `https:`.
   * @throws any error: the sign-in fails, and the tenant's log contains the error's message.
   */
  authorizationUrl(attempt: StrategyAttempt, request: StrategyRequest): string | Promise<string>;
  /**
   * Verifies the response. Called once for each form that is posted, before Postern knows that the form is from the
   * user's browser; limited to five seconds.
   * @returns the claims about the user by their names in OpenID Connect Core section 5.1: at least `sub`, which the
   * provider never changes and never assigns to another user. Further `email`, `email_verified`, `name` and so on, and
   * `auth_time`, when the user authenticated at the provider, in seconds since 1970. `"declined"`: the user cancelled.
   * @throws any error: the sign-in fails, and the tenant's log contains the error's message. It must not contain secrets.
   */
  readResponse(response: StrategyResponse): JsonObject | "declined" | Promise<JsonObject | "declined">;
}
