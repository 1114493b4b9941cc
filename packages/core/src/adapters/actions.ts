import type { Json, JsonObject } from "../store/value.ts";
import type { PostalAddress } from "./postal-address.ts";
import type { ProfileClaims } from "./profile-claims.ts";

/**
 * Code of the host application that runs when users sign in, sign up or change their password, and when clients get
 * tokens. Actions correspond to Auth0's Actions and are called in the Postern process. An action is an object, or a
 * module, with any of the functions below. The actions in a list run in order, and each action sees the changes that
 * earlier actions made.
 *
 * A function fails if it throws or exceeds its timeout. A failure is written to the operator's log (event
 * `action_failed`) and to the audit log (`actions_execution_failed`, `fpurh` or `fcph`). The user and the client
 * receive an error without the reason.
 *
 * @example
 * const roles: Action = {
 *   name: "roles",
 *   onExecutePostLogin: (event, api) => {
 *     api.accessToken.setCustomClaim("https://acme.example/roles", [...(event.authorization?.roles ?? [])]);
 *   },
 * };
 */
export interface Action {
  /**
   * The name in logs. It also identifies the action that redirected a user, so that the login can continue at that
   * action even if the list has changed. Default: the position in the list, such as `action 1`.
   */
  readonly name?: string;
  /** The values of `event.secrets`. Default: none. */
  readonly secrets?: { readonly [name: string]: string };
  /** Timeout of each call, in seconds: more than 0 and at most 60. Default: 10. */
  readonly timeoutSeconds?: number;
  /**
   * Runs before tokens are issued for a user: at a login, when an SSO session continues without a login, at a refresh,
   * at the password and one-time-code grants, and at a token exchange. `event.transaction.protocol` names the case. If
   * the function fails, the client receives `temporarily_unavailable` and no tokens; a refresh token stays valid.
   */
  onExecutePostLogin?(event: PostLoginEvent, api: PostLoginApi): void | Promise<void>;
  /**
   * Runs when the user returns from the page to which this action redirected with `api.redirect.sendUserTo`. The
   * actions before this one in the list do not run again; the claims, scopes and metadata that they set are restored.
   */
  onContinuePostLogin?(event: PostLoginEvent, api: PostLoginApi): void | Promise<void>;
  /**
   * Runs before a user signs up: with a password, through an invitation, or with a first one-time code. If the function
   * fails, no account is created.
   */
  onExecutePreUserRegistration?(event: PreUserRegistrationEvent, api: PreUserRegistrationApi): void | Promise<void>;
  /** Runs after a sign-up, without delaying the response. A failure has no effect on the account. */
  onExecutePostUserRegistration?(event: PostUserRegistrationEvent): void | Promise<void>;
  /**
   * Runs before a client gets a token for itself (`client_credentials` grant). If the function fails, the client
   * receives `temporarily_unavailable`.
   */
  onExecuteCredentialsExchange?(event: CredentialsExchangeEvent, api: CredentialsExchangeApi): void | Promise<void>;
  /**
   * Runs in a password reset, after the user proved that they can read the account's mail and before they set a new
   * password. It runs for each request of the reset, also after each factor, so it must not change anything. If the
   * function fails, the password stays.
   */
  onExecutePostChallenge?(event: PostChallengeEvent, api: PostChallengeApi): void | Promise<void>;
  /**
   * Runs before users change their own profile, metadata, language, username, email address or phone number, on the account
   * page or with the My Account API. Postern's own function: Auth0 has none. If the function fails, nothing changes.
   */
  onExecutePreUserUpdate?(event: PreUserUpdateEvent, api: PreUserUpdateApi): void | Promise<void>;
  /**
   * Runs after the password of an existing account was set, by the user or by an administrator, without delaying the
   * response. A failure has no effect on the password.
   */
  onExecutePostChangePassword?(event: PostChangePasswordEvent): void | Promise<void>;
  /**
   * Sends a text message instead of `messages.sms`. After a failure, the message counts as undelivered (`fn` in the
   * audit log).
   */
  onExecuteSendPhoneMessage?(event: SendPhoneMessageEvent): void | Promise<void>;
}

/** The members that every event has. */
export interface ActionEvent {
  /** The `secrets` of the action. */
  readonly secrets: { readonly [name: string]: string };
  /** The tenant of the request. */
  readonly tenant: { readonly id: string };
}

/** The request that an action is called for. */
export interface ActionRequest {
  /** The client IP address, if the host application provides it. */
  readonly ip?: string;
  /** The `User-Agent` header. */
  readonly user_agent?: string;
  /** The host name that the client requested. */
  readonly hostname: string;
  /** The languages that the browser prefers (`Accept-Language` header). */
  readonly language?: string;
  /**
   * Query parameters of the request to `/continue`; otherwise those of the request to `/authorize` that Postern stores.
   */
  readonly query: { readonly [name: string]: string };
  /** Parameters of a form that was posted to `/continue`; otherwise empty. */
  readonly body: { readonly [name: string]: string };
}

/** The client that the user signs in to, or that requests a token. */
export interface ActionClient {
  readonly client_id: string;
  readonly name: string;
  readonly metadata: JsonObject;
}

/** The connection that a user signs in or signs up with. */
export interface ActionConnection {
  readonly id: string;
  readonly name: string;
  readonly strategy: string;
  readonly metadata: JsonObject;
}

/** An identity of a user: one of the linked accounts. */
export interface ActionIdentity {
  readonly connection: string;
  readonly provider: string;
  readonly user_id: string;
  readonly isSocial: boolean;
}

/** A user. Unknown members are omitted. Instants are ISO 8601 strings. */
export interface ActionUser extends ProfileClaims {
  readonly user_id: string;
  readonly email?: string;
  readonly email_verified: boolean;
  readonly username?: string;
  readonly phone_number?: string;
  readonly phone_verified?: boolean;
  readonly app_metadata: JsonObject;
  readonly user_metadata: JsonObject;
  readonly identities: readonly ActionIdentity[];
  readonly last_password_reset?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A type of second factor, with Auth0's names. `passkey` is an addition of Postern. */
export type ActionFactorType =
  | "otp"
  | "phone"
  | "email"
  | "push-notification"
  | "recovery-code"
  | "webauthn-roaming"
  | "webauthn-platform"
  | "passkey";

/** A second factor that an action requires. */
export interface ActionFactor {
  /** Postern does not support `push-notification`: it counts as a factor that the tenant has not enabled. */
  readonly type: ActionFactorType;
  /** Auth0's options, such as `preferredMethod`. Accepted for compatibility with Auth0; they have no effect in Postern. */
  readonly options?: JsonObject;
}

/** The flow or grant of a request, with Auth0's names. */
export type ActionProtocol =
  | "oidc-basic-profile"
  | "oidc-implicit-profile"
  | "oidc-hybrid-profile"
  | "oauth2-password"
  | "oauth2-webauthn"
  | "oauth2-device-code"
  | "oauth2-refresh-token"
  | "oauth2-token-exchange"
  | "redirect-callback";

/** The parameters of the client's authorization or token request. */
export interface ActionTransaction {
  readonly protocol: ActionProtocol;
  readonly requested_scopes: readonly string[];
  readonly acr_values: readonly string[];
  readonly ui_locales: readonly string[];
  readonly prompt?: readonly string[];
  readonly redirect_uri?: string;
  readonly response_mode?: string;
  readonly response_type?: readonly string[];
  readonly state?: string;
  readonly login_hint?: string;
}

/** The event of `onExecutePostLogin` and `onContinuePostLogin`. */
export interface PostLoginEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client: ActionClient;
  /** The connection that the session started with. Omitted if the session has ended or the connection was deleted. */
  readonly connection?: ActionConnection;
  /** The user who signs in. The metadata include the changes that previous actions made. */
  readonly user: ActionUser & {
    /** The types of the second factors that the user has enrolled. */
    readonly enrolledFactors: readonly { readonly type: ActionFactorType }[];
    /** `["guardian"]` if the user has enrolled a second factor, otherwise empty. */
    readonly multifactor: readonly string[];
  };
  /**
   * The authentication methods that the user completed, including the second factors that earlier actions required.
   * Instants are ISO 8601 strings.
   */
  readonly authentication: {
    readonly methods: readonly {
      /** For example `pwd`, `federated`, `passkey`, `mfa` for a second factor, or a URL of `recordMethod`. */
      readonly name: string;
      readonly timestamp: string;
      /** The type of the second factor. Only for `mfa`. */
      readonly type?: ActionFactorType;
    }[];
  };
  /** The names of the user's roles. */
  readonly authorization: { readonly roles: readonly string[] };
  /** The organization that the user signs in to; omitted if there is none. */
  readonly organization?: {
    readonly id: string;
    readonly name: string;
    readonly display_name: string;
    readonly metadata: JsonObject;
  };
  /** The API that the access token is for. Omitted if the client requested no audience. */
  readonly resource_server?: { readonly identifier: string };
  /** The SSO session. Instants are ISO 8601 strings. */
  readonly session?: { readonly id: string; readonly created_at: string; readonly authenticated_at: string };
  /** Present only when a refresh token is redeemed. */
  readonly refresh_token?: { readonly id: string; readonly client_id: string; readonly session_id?: string };
  /** The number of the user's logins, including this one. */
  readonly stats: { readonly logins_count: number };
  /** The parameters of the client's request. */
  readonly transaction: ActionTransaction;
}

/**
 * The methods that `onExecutePostLogin` and `onContinuePostLogin` can call. Each method throws a `TypeError` for an
 * invalid argument.
 */
export interface PostLoginApi {
  readonly access: {
    /**
     * Ends the login with `access_denied`. `reason` becomes the `error_description`. The actions after this one do not
     * run.
     */
    deny(reason: string): void;
  };
  readonly idToken: {
    /**
     * Sets a claim in the ID token, with or without a namespace. Throws for claims that Postern or OpenID Connect
     * defines.
     */
    setCustomClaim(name: string, value: Json): void;
  };
  readonly accessToken: {
    /** Sets a claim in the access token. Throws for claims that Postern or an RFC defines. */
    setCustomClaim(name: string, value: Json): void;
    /** Removes a granted scope. Has no effect if the scope is not granted. Throws for `openid`. */
    removeScope(scope: string): void;
    /** Restores a scope that an action removed. Throws for a scope that is not granted: actions cannot grant scopes. */
    addScope(scope: string): void;
  };
  readonly user: {
    /** Sets a key of the user's `app_metadata`; null removes the key. Stored after all actions have run. */
    setAppMetadata(key: string, value: Json): void;
    /** Sets a key of the user's `user_metadata`; null removes the key. Stored after all actions have run. */
    setUserMetadata(key: string, value: Json): void;
  };
  readonly redirect: {
    /**
     * Whether the user can be redirected: the request comes from a browser, and the client did not send `prompt=none`.
     */
    canRedirect(): boolean;
    /**
     * Redirects the user to a page of the host application, with `state` in the query. The page must send the user back
     * to `/continue` at the issuer with the same `state`, by a GET request or a form. Then `onContinuePostLogin` runs.
     * If the user cannot be redirected, the client receives `interaction_required`.
     *
     * @param url an absolute `https:` or `http:` URL.
     */
    sendUserTo(url: string, options?: { readonly query?: { readonly [name: string]: string } }): void;
    /**
     * Returns a signed JWT (HS256) for the page: `payload` with `iss`, `sub`, `iat` and `exp`. Its lifetime is
     * `expiresInSeconds`, by default 900. `secret` must have at least 32 characters.
     */
    encodeToken(token: { readonly secret: string; readonly payload: JsonObject; readonly expiresInSeconds?: number }): Promise<string>;
    /**
     * Returns the payload of a JWT (HS256) that the page sent back in a query or form parameter, by default
     * `session_token`. Its `exp` must be in the future and its `state` must be the one that `sendUserTo` sent. Its
     * `sub`, if present, must be the user's id.
     * @throws {TypeError} if the token is missing or invalid.
     */
    validateToken(token: { readonly secret: string; readonly tokenParameterName?: string }): Promise<JsonObject>;
  };
  readonly multifactor: {
    /**
     * Requires a second factor after all actions have run. A user without a factor adds one. Has no effect if an action
     * also requires factors with `authentication`, or if the user passed a factor in this login. A factor of an earlier
     * login in the same session does not count: to ask once in a session, check `event.authentication.methods`.
     *
     * @param provider `any` or `guardian`: every enabled factor. `google-authenticator`: an authenticator app. Postern
     * does not support `duo`.
     * @param options `allowRememberBrowser`: a browser that the user trusts is sufficient; default false.
     * `providerOptions` has no effect.
     */
    enable(
      provider: "any" | "guardian" | "google-authenticator" | "duo",
      options?: { readonly allowRememberBrowser?: boolean; readonly providerOptions?: JsonObject },
    ): void;
  };
  /**
   * Requires second factors before the next action runs. All actions of a login can require four times in total. Without
   * a browser, the client receives `mfa_required` with an `mfa_token`; with `prompt=none`, `login_required`. If the
   * tenant has not enabled a factor, or the user has not enrolled it, it is ignored, with an audit event `w`. If no
   * factor remains, the login fails with `access_denied`. An action cannot require a factor and redirect in one call.
   */
  readonly authentication: {
    /**
     * Requires that the user passes an enrolled factor. If the user passed it in this login, they are not asked again.
     * @param factor the factor that is asked for first.
     * @param options `additionalFactors`: the factors that the user can use instead.
     */
    challengeWith(factor: ActionFactor, options?: { readonly additionalFactors?: readonly ActionFactor[] }): void;
    /** Requires that the user passes one of these enrolled factors. */
    challengeWithAny(factors: readonly ActionFactor[]): void;
    /**
     * Requires that the user adds a factor. A user who has a factor passes it first. Has no effect if the user has
     * enrolled all factors. `email` cannot be added.
     */
    enrollWith(factor: ActionFactor, options?: { readonly additionalFactors?: readonly ActionFactor[] }): void;
    /** Requires that the user adds one of these factors, like `enrollWith`. */
    enrollWithAny(factors: readonly ActionFactor[]): void;
    /**
     * Stores a custom authentication method in the user's session, when all actions have run. Later actions and logins
     * in the session see it in `event.authentication.methods`. No token contains it.
     * Throws outside `onContinuePostLogin`.
     * @param url an `https:` or `http:` URL of at most 300 characters that identifies the method.
     */
    recordMethod(url: string): void;
  };
}

/** The event of `onExecutePostChallenge`. */
export interface PostChallengeEvent extends ActionEvent {
  readonly request: ActionRequest;
  /** The client that the user came from. Omitted if it is not known. */
  readonly client?: ActionClient;
  /** The connection of the account whose password is reset. */
  readonly connection: ActionConnection;
  /** The primary account. */
  readonly user: ActionUser & {
    /** The types of the user's confirmed factors. */
    readonly enrolledFactors: readonly { readonly type: ActionFactorType }[];
  };
  readonly authentication: {
    /** `email`: the user opened the link or entered the code. `mfa`: a factor that the user passed for this reset. */
    readonly methods: readonly { readonly name: "email" | "mfa"; readonly timestamp: string; readonly type?: ActionFactorType }[];
  };
}

/** The methods that `onExecutePostChallenge` can call. */
export interface PostChallengeApi {
  readonly access: {
    /** Ends the reset. The user or the client receives `access_denied`, with `reason` as the description. */
    deny(reason: string): void;
  };
  /**
   * Requires second factors before the new password, in the order of the calls. A factor that the user passed for this
   * reset is sufficient. A factor that the tenant has not enabled or the user cannot use is ignored, with an audit event
   * `w`. If no factor remains, the reset fails with `access_denied`. A code by email is never sufficient. Without these
   * calls, a user with a factor passes any of them.
   */
  readonly authentication: {
    /** Requires that the user passes an enrolled factor. @param options `additionalFactors`: may be used instead. */
    challengeWith(factor: ActionFactor, options?: { readonly additionalFactors?: readonly ActionFactor[] }): void;
    /** Requires that the user passes one of these enrolled factors. */
    challengeWithAny(factors: readonly ActionFactor[]): void;
  };
}

/** The event of `onExecutePreUserRegistration`. */
export interface PreUserRegistrationEvent extends ActionEvent {
  readonly request: ActionRequest;
  /** The client that the user signs up at; omitted if it is unknown. */
  readonly client?: ActionClient;
  readonly connection: ActionConnection;
  /**
   * The account to be created. Its values are unverified, except an email address or phone number that a one-time code
   * verified.
   */
  readonly user: NewActionUser;
}

/** A user whose account does not exist yet. */
export type NewActionUser = Pick<
  ActionUser,
  "email" | "username" | "phone_number" | "name" | "nickname" | "given_name" | "family_name" | "picture" | "app_metadata" | "user_metadata"
>;

/** The methods that `onExecutePreUserRegistration` can call. */
export interface PreUserRegistrationApi {
  readonly access: {
    /**
     * Denies the sign-up. The actions after this one do not run.
     * @param reason for the audit log.
     * @param userMessage the error description in API responses. Hosted pages show a generic message instead. Default:
     * "The account cannot be created."
     */
    deny(reason: string, userMessage?: string): void;
  };
  readonly validation: {
    /**
     * Denies the sign-up because of invalid input, like `access.deny`: `code` is for the audit log, `message` for API
     * responses.
     */
    error(code: string, message: string): void;
  };
  readonly user: {
    /** Sets a key of the new account's `app_metadata`. */
    setAppMetadata(key: string, value: Json): void;
    /** Sets a key of the new account's `user_metadata`. */
    setUserMetadata(key: string, value: Json): void;
  };
}

/** The event of `onExecutePostUserRegistration`. */
export interface PostUserRegistrationEvent extends ActionEvent {
  readonly request: ActionRequest;
  /** The client that the user signs up at; omitted if it is unknown. */
  readonly client?: ActionClient;
  readonly connection: ActionConnection;
  /** The new user. */
  readonly user: ActionUser;
}

/** The event of `onExecutePostChangePassword`. */
export interface PostChangePasswordEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly connection: ActionConnection;
  /** The account whose password was set. */
  readonly user: ActionUser;
}

/** The event of `onExecutePreUserUpdate`. */
export interface PreUserUpdateEvent extends ActionEvent {
  readonly request: ActionRequest;
  /** The client of the account page or of the access token. Omitted if the page belongs to no client. */
  readonly client?: ActionClient;
  /** The user before the change. */
  readonly user: ActionUser;
  /**
   * The new values, by the members of a user. `null` removes a value, and other members stay. `user_metadata` has only the
   * changed keys. An email address or phone number was proven with a code.
   */
  readonly changes: UserChanges;
}

/** The changes that a user makes to their own account. */
export interface UserChanges {
  readonly name?: string | null;
  readonly nickname?: string | null;
  readonly given_name?: string | null;
  readonly family_name?: string | null;
  readonly middle_name?: string | null;
  readonly profile?: string | null;
  readonly website?: string | null;
  readonly gender?: string | null;
  readonly birthdate?: string | null;
  readonly zoneinfo?: string | null;
  readonly locale?: string | null;
  readonly address?: PostalAddress | null;
  readonly user_metadata?: JsonObject;
  readonly email?: string;
  readonly phone_number?: string;
  readonly username?: string;
}

/** The methods that `onExecutePreUserUpdate` can call. */
export interface PreUserUpdateApi {
  readonly access: {
    /**
     * Denies the change. The actions after this one do not run.
     * @param reason for the audit log.
     * @param userMessage the error description in API responses. The account page shows a generic message instead. Default:
     * "The change is not allowed."
     */
    deny(reason: string, userMessage?: string): void;
  };
}

/** The event of `onExecuteCredentialsExchange`. */
export interface CredentialsExchangeEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client: ActionClient;
  /** The scopes and claims of the token, including the changes that previous actions made. */
  readonly accessToken: { readonly scope: readonly string[]; readonly customClaims: JsonObject };
  /** The API that the token is for. */
  readonly resource_server: { readonly identifier: string };
  /** The organization that the token is for; omitted if there is none. */
  readonly organization?: { readonly id: string; readonly name: string };
  /** The parameters of the client's request. */
  readonly transaction: { readonly requested_scopes: readonly string[] };
}

/** The methods that `onExecuteCredentialsExchange` can call. */
export interface CredentialsExchangeApi {
  readonly access: {
    /** Issues no token. The client receives the error `code`, with `reason` as the description. */
    deny(code: "invalid_scope" | "invalid_request" | "access_denied", reason: string): void;
  };
  readonly accessToken: {
    /** Sets a claim in the access token. The rules are those of {@link PostLoginApi.accessToken}. */
    setCustomClaim(name: string, value: Json): void;
    /** Removes a granted scope. Has no effect if the scope is not granted. */
    removeScope(scope: string): void;
  };
}

/** The event of `onExecuteSendPhoneMessage`. */
export interface SendPhoneMessageEvent extends ActionEvent {
  readonly message_options: {
    /** The template of the message, such as `one-time-code`. */
    readonly action: string;
    readonly message_type: "sms";
    /** The recipient's phone number in E.164 format. */
    readonly recipient: string;
    /** The text of the message. */
    readonly text: string;
    /** The code in the text, if there is one. */
    readonly code?: string;
  };
}
