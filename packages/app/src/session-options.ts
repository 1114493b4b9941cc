import type { AccountPage } from "./account-url.ts";
import type { AcrValue, AuthenticationRequirements } from "./requirements.ts";
import type { ServiceSource } from "./service-source.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session-store.ts";
import type { SignInError } from "./sign-in-error.ts";

/** Options of `createSessions`. */
export interface SessionOptions {
  /** The service that the app embeds, a promise of one, or a function that opens one. */
  readonly postern: ServiceSource;
  /** The tenant whose users sign in. */
  readonly tenantId: string;
  /** The id of the app's client. Its `callbacks` must contain the app's URL with the path of `paths.callback`. */
  readonly clientId: string;
  /** The secret of the client. Omit it for a public client. */
  readonly clientSecret?: string;
  /** The app's public URL; it may have a path. Cookies are `Secure` if it is https. */
  readonly appUrl: string;
  /**
   * Encrypts the app's cookies and the sessions in the store: 32 characters or more. In a list, the first secret
   * encrypts and all of them decrypt, so that you can replace a secret.
   */
  readonly secret: string | readonly string[];
  /**
   * Stores the sessions on the server, and only a random id in the browser's cookie. Necessary for access tokens with
   * many scopes, because cookies are limited to a few kilobytes, and for access tokens for several organizations.
   * `appSessions` creates a store in Postern's database. Default: the cookies contain the encrypted sessions.
   */
  readonly store?: SessionStore;
  /** The requested scopes. Default: `openid profile email offline_access`. */
  readonly scope?: string;
  /** The API that access tokens are for. */
  readonly audience?: string;
  /** The organization that users sign in to, by id or name. */
  readonly organization?: string;
  /** Maximum lifetime of an app session, in seconds. Default: 7 days. */
  readonly lifetimeSeconds?: number;
  /** The paths of the app's own routes, below `appUrl`. */
  readonly paths?: SessionPaths;
  /** The name of the cookies, without its prefix. Default: `app_session`. */
  readonly cookieName?: string;
  /**
   * Returns the response to a failed sign-in, or to a page that a sign-in cannot open. Default: a page that explains
   * the error, with a link to try again. The error is logged before, as `sign_in_failed`.
   */
  readonly onError?: (error: SignInError, request: Request) => Response | Promise<Response>;
  /** Returns the time, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/** Paths below the app's URL. */
export interface SessionPaths {
  /** Default: `login`. With `?returnTo=/path`, the browser is redirected to `/path` after the sign-in. */
  readonly login?: string;
  /** Default: `callback`. */
  readonly callback?: string;
  /** Default: `logout`. Pages of the app link to it or submit a form to it. */
  readonly logout?: string;
  /**
   * Receives logout tokens (OpenID Connect Back-Channel Logout). The route exists only with the option `store`. Add its URL
   * to `oidc_logout.backchannel_logout_urls` of the client. Default: `backchannel-logout`.
   */
  readonly backchannelLogout?: string;
}

/**
 * The parameters of one sign-in, in addition to the {@link SessionOptions}. The callback rejects a response that does
 * not match them, because a user can change the authorization request in the browser.
 */
export interface SignInOptions {
  /**
   * The path below `appUrl` to which the browser is redirected after the sign-in. A path or URL that is not below
   * `appUrl`, or that is longer than 1,500 characters, is replaced by the path of `appUrl`.
   */
  readonly returnTo?: string | null;
  /**
   * The organization to sign in to, by id or name. Default: the option `organization` of `createSessions`. The callback
   * compares it with `org_id` or `org_name` in the ID token.
   */
  readonly organization?: string;
  /**
   * The name of the connection to sign in with. The callback compares it with the connection of the user's session at
   * the tenant.
   */
  readonly connection?: string;
  /**
   * OpenID Connect's `prompt`: `login`, `select_account`, `none`, `consent`. With `login`, `auth_time` in the ID token
   * must not be earlier than the start of this sign-in.
   */
  readonly prompt?: string;
  /**
   * OpenID Connect's `max_age`: the maximum number of seconds since the user authenticated. The callback compares it
   * with `auth_time` in the ID token. 0 requires a new authentication.
   */
  readonly maxAgeSeconds?: number;
  /**
   * OpenID Connect's `acr_values`, preferred first: the user must authenticate in one of these ways, for example with a
   * second factor. The callback compares them with `acr` in the ID token.
   */
  readonly acrValues?: readonly AcrValue[];
  /**
   * The ticket of an invitation to an organization. Postern asks the user to join the organization, and then signs the
   * user in to it. The route `/login` reads `invitation` and `organization` from its query, as in Auth0's invitation
   * links.
   */
  readonly invitation?: string;
  readonly loginHint?: string;
  /** `signup` opens the sign-up page. */
  readonly screenHint?: string;
  readonly uiLocales?: string;
}

/** A request, and a function that adds cookies to its response. Pass a `Request` if no cookies have to be written. */
export interface Exchange {
  /** Absolute. */
  readonly url: string;
  readonly headers: Headers;
  /** Adds a `Set-Cookie` line to the response. */
  readonly setCookie?: (line: string) => void;
}

/** The API and the organization of an access token. Requires the option `store`. */
export interface AccessTokenOptions {
  /**
   * The API's identifier. Default: the option `audience` of `createSessions`. Postern's refresh tokens are for one API:
   * another identifier is rejected with `invalid_target`.
   */
  readonly audience?: string;
  /**
   * The organization, by id or name. The user must be a member. Default: the organization that the user signed in to.
   */
  readonly organization?: string;
}

/** The sessions of an app. Created by `createSessions`. */
export interface Sessions {
  /**
   * Handles the sign-in and sign-out routes, with or without a final slash, and with the option `store` the route for
   * logout tokens, whose body it reads. Returns undefined for every other request.
   */
  handle(request: Request): Promise<Response | undefined>;
  /**
   * Returns the session, or undefined if no user is signed in. Each call checks that the user, the user's session at
   * the tenant, the client, the connection that the user signed in with and, for a session in an organization, the
   * membership are still valid.
   */
  getSession(exchange: Exchange): Promise<Session | undefined>;
  /**
   * Returns the session. If no user is signed in, returns the response to send: for a page request, a redirect to the
   * sign-in, after which the browser returns to the page; for any other request, 401.
   *
   * With requirements, a session that does not satisfy them is treated in the same way: the sign-in asks for what is
   * missing, such as a second factor. If the user cannot satisfy the requirements, the response is 403 with the reason.
   * If a process with another secret has just created the session, the response is the error `secret_mismatch`, because
   * a sign-in would redirect the browser forever.
   * @throws {TypeError} if a requirement is invalid.
   */
  requireSession(exchange: Exchange, required?: AuthenticationRequirements): Promise<Session | Response>;
  /**
   * Returns the user's access token, or undefined if there is no valid one. A token that expires within a minute is
   * refreshed first. Concurrent calls in any number of processes keep the session, and a sign-out during the call ends
   * it.
   *
   * Without a store, a token is not refreshed if the exchange cannot set cookies, because the new token would be lost.
   * If the new token is too large for cookies, the session ends, and the reason is logged.
   *
   * With a store, the session contains a token for each requested pair of API and organization, so that several tabs
   * can use different organizations. It contains at most ten tokens besides that of the sign-in. The oldest is then
   * removed, and requested again when it is needed. Each call checks that the user is still a member of the
   * organization.
   * @throws {TypeError} if `options` names an API or an organization and `createSessions` has no store.
   * @throws {AccessTokenError} if the service issues no token for the API or the organization.
   */
  getAccessToken(exchange: Exchange, options?: AccessTokenOptions): Promise<string | undefined>;
  /**
   * Starts a sign-in. @returns the URL to which the app must redirect the browser.
   * @throws {TypeError} if `maxAgeSeconds` is not a whole number of seconds.
   */
  signIn(exchange: Exchange, options?: SignInOptions): Promise<URL>;
  /**
   * Ends the app's session and the user's session at the tenant, and revokes the refresh tokens from that session.
   * @returns the app's URL.
   */
  signOut(exchange: Exchange): Promise<URL>;
  /** The page on which users see and change their account. */
  readonly account: AccountPage;
}
