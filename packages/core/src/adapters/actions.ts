import type { Json, JsonObject } from "../store/value.ts";

/**
 * Code of the host's that runs when people sign in, sign up and change passwords, and when clients get tokens: the vendor's Actions, in process. An object with any of the functions below; a module that
 * exports them is one. Several are asked in the order of their list, and each sees what those before it changed.
 *
 * A function that throws, or takes longer than its time, has failed. The operator is told in the log (event `action_failed`) and in the audit log (`actions_execution_failed`, `fpurh`, `fcph`);
 * the person and the client are told that it did not work, and never why.
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
  /** Names it in logs, and finds it again where it led a person elsewhere and the list changed meanwhile. Default: its place in the list, such as `action 1`. */
  readonly name?: string;
  /** What its functions find in `event.secrets`. */
  readonly secrets?: { readonly [name: string]: string };
  /** Seconds that each call of a function may take: more than 0 and at most 60. Default 10. */
  readonly timeoutSeconds?: number;
  /**
   * Before a client is answered for a person: at a login, where a session goes on without one, at a refresh, at the password and one-time-code grants, and at a token exchange; `event.transaction.protocol` says which.
   * A failure answers `temporarily_unavailable`, and nothing is issued: a refresh token stays good.
   */
  onExecutePostLogin?(event: PostLoginEvent, api: PostLoginApi): void | Promise<void>;
  /** When a person comes back from where `api.redirect.sendUserTo` of this action led. Those before it in the list are not asked again, and what they set stands. */
  onContinuePostLogin?(event: PostLoginEvent, api: PostLoginApi): void | Promise<void>;
  /** Before a person makes an account by themselves: with a password, by an invitation, or by the first one-time code. A failure makes none. */
  onExecutePreUserRegistration?(event: PreUserRegistrationEvent, api: PreUserRegistrationApi): void | Promise<void>;
  /** After such an account was made, when the answer is on its way. A failure changes nothing. */
  onExecutePostUserRegistration?(event: PostUserRegistrationEvent): void | Promise<void>;
  /** Before a client gets a token for itself (the grant `client_credentials`). A failure answers `temporarily_unavailable`. */
  onExecuteCredentialsExchange?(event: CredentialsExchangeEvent, api: CredentialsExchangeApi): void | Promise<void>;
  /** After a password of an account that exists was set, by whomever, when the answer is on its way. A failure changes nothing. */
  onExecutePostChangePassword?(event: PostChangePasswordEvent): void | Promise<void>;
  /** Sends a text message, in place of `messages.sms`. A failure is an undelivered message (`fn` in the audit log). */
  onExecuteSendPhoneMessage?(event: SendPhoneMessageEvent): void | Promise<void>;
}

/** What each function is told. */
export interface ActionEvent {
  readonly secrets: { readonly [name: string]: string };
  readonly tenant: { readonly id: string };
}

/** The request that an action is called for. */
export interface ActionRequest {
  /** The person's address, where the host tells it. */
  readonly ip?: string;
  readonly user_agent?: string;
  readonly hostname: string;
  /** What the browser says of its languages (`Accept-Language`). */
  readonly language?: string;
  /** Parameters of the query: of `/authorize`, as far as Postern keeps them; of `/continue`. */
  readonly query: { readonly [name: string]: string };
  /** Parameters of a form that was posted to `/continue`. */
  readonly body: { readonly [name: string]: string };
}

/** The client that is asked for. */
export interface ActionClient {
  readonly client_id: string;
  readonly name: string;
  readonly metadata: JsonObject;
}

/** The connection that somebody signed in or signs up by. */
export interface ActionConnection {
  readonly id: string;
  readonly name: string;
  readonly strategy: string;
  readonly metadata: JsonObject;
}

/** One account of a person. */
export interface ActionIdentity {
  readonly connection: string;
  readonly provider: string;
  readonly user_id: string;
  readonly isSocial: boolean;
}

/** A person. What is not known is left out. Instants are ISO 8601. */
export interface ActionUser {
  readonly user_id: string;
  readonly email?: string;
  readonly email_verified: boolean;
  readonly username?: string;
  readonly phone_number?: string;
  readonly phone_verified?: boolean;
  readonly name?: string;
  readonly nickname?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly picture?: string;
  readonly app_metadata: JsonObject;
  readonly user_metadata: JsonObject;
  readonly identities: readonly ActionIdentity[];
  readonly last_password_reset?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** How a client asks, by the vendor's names. */
export type ActionProtocol =
  | "oidc-basic-profile"
  | "oidc-implicit-profile"
  | "oidc-hybrid-profile"
  | "oauth2-password"
  | "oauth2-refresh-token"
  | "oauth2-token-exchange"
  | "redirect-callback";

/** What a person's client asked for. */
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

/** What `onExecutePostLogin` and `onContinuePostLogin` are told. */
export interface PostLoginEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client: ActionClient;
  /** The connection of the session; left out where the session is gone or the connection is. */
  readonly connection?: ActionConnection;
  readonly user: ActionUser;
  /** How the person proved who they are. Instants are ISO 8601. */
  readonly authentication: { readonly methods: readonly { readonly name: string; readonly timestamp: string }[] };
  /** The roles that the person has, by name. */
  readonly authorization: { readonly roles: readonly string[] };
  readonly organization?: {
    readonly id: string;
    readonly name: string;
    readonly display_name: string;
    readonly metadata: JsonObject;
  };
  /** The API that the access token is for; left out where none was named. */
  readonly resource_server?: { readonly identifier: string };
  readonly session?: { readonly id: string; readonly created_at: string; readonly authenticated_at: string };
  /** At a refresh. */
  readonly refresh_token?: { readonly id: string; readonly client_id: string; readonly session_id?: string };
  /** How often the person signed in, this time included. */
  readonly stats: { readonly logins_count: number };
  readonly transaction: ActionTransaction;
}

/** What `onExecutePostLogin` and `onContinuePostLogin` can do. Each method throws for what it does not take. */
export interface PostLoginApi {
  readonly access: {
    /** Ends the login: the client is told `access_denied`, with these words. Those after this action are not asked. */
    deny(reason: string): void;
  };
  readonly idToken: {
    /** Sets a claim of the ID token, with or without a namespace. Claims that Postern or OpenID Connect give a meaning cannot be set. */
    setCustomClaim(name: string, value: Json): void;
  };
  readonly accessToken: {
    /** Sets a claim of the access token. Claims that Postern or an RFC give a meaning cannot be set. */
    setCustomClaim(name: string, value: Json): void;
    /** Takes a scope out of what is granted. One that is not granted is nothing to do. */
    removeScope(scope: string): void;
    /** Puts a scope back that an action took out. Nobody is granted more than they and the client may have: any other scope throws. */
    addScope(scope: string): void;
  };
  readonly user: {
    /** Sets a key of the person's `app_metadata`; null removes the key. Written when all actions were asked. */
    setAppMetadata(key: string, value: Json): void;
    /** Sets a key of the person's `user_metadata`; null removes the key. Written when all actions were asked. */
    setUserMetadata(key: string, value: Json): void;
  };
  readonly redirect: {
    /** Whether the person can be led elsewhere: they are at a browser, and the client did not ask for `prompt=none`. */
    canRedirect(): boolean;
    /**
     * Leads the person to a page of the host's, with `state` in the query. That page leads them back to `/continue` of the issuer with the same `state`, by GET or by a form, and
     * `onContinuePostLogin` is called. Where nobody can be led elsewhere the client is told `interaction_required`.
     */
    sendUserTo(url: string, options?: { readonly query?: { readonly [name: string]: string } }): void;
    /** A JWT (HS256) for the page: `payload`, with `iss`, `sub`, `iat` and `exp`. Valid for `expiresInSeconds`, 900 by default. `secret` has at least 32 characters. */
    encodeToken(token: { readonly secret: string; readonly payload: JsonObject; readonly expiresInSeconds?: number }): Promise<string>;
    /**
     * The payload of a JWT (HS256) that the page sent back, in the parameter `session_token` by default: of the query or the form. Its `state` must be that of this login and its `sub`, where there is one, the person.
     * @throws where it is not.
     */
    validateToken(token: { readonly secret: string; readonly tokenParameterName?: string }): Promise<JsonObject>;
  };
  readonly multifactor: {
    /** Throws: there are no further factors yet. A login that must have one is refused by it. */
    enable(provider: string): void;
  };
}

/** What `onExecutePreUserRegistration` is told. */
export interface PreUserRegistrationEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client?: ActionClient;
  readonly connection: ActionConnection;
  /** Who is to have an account. Nothing of that is proved but what a one-time code proved. */
  readonly user: NewActionUser;
}

/** A person who has no account yet. */
export type NewActionUser = Pick<
  ActionUser,
  "email" | "username" | "phone_number" | "name" | "nickname" | "given_name" | "family_name" | "picture" | "app_metadata" | "user_metadata"
>;

/** What `onExecutePreUserRegistration` can do. */
export interface PreUserRegistrationApi {
  readonly access: {
    /**
     * Makes no account. Those after this action are not asked.
     * @param reason for the audit log.
     * @param userMessage for programs: the description of the refusal. Pages say that the account cannot be made. Default: that it cannot.
     */
    deny(reason: string, userMessage?: string): void;
  };
  readonly validation: {
    /** Makes no account, because of what was typed. As {@link PreUserRegistrationApi.access}. */
    error(code: string, message: string): void;
  };
  readonly user: {
    /** Sets a key of the new account's `app_metadata`. */
    setAppMetadata(key: string, value: Json): void;
    /** Sets a key of the new account's `user_metadata`. */
    setUserMetadata(key: string, value: Json): void;
  };
}

/** What `onExecutePostUserRegistration` is told. */
export interface PostUserRegistrationEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client?: ActionClient;
  readonly connection: ActionConnection;
  readonly user: ActionUser;
}

/** What `onExecutePostChangePassword` is told. */
export interface PostChangePasswordEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly connection: ActionConnection;
  /** The account whose password it is. */
  readonly user: ActionUser;
}

/** What `onExecuteCredentialsExchange` is told. */
export interface CredentialsExchangeEvent extends ActionEvent {
  readonly request: ActionRequest;
  readonly client: ActionClient;
  readonly accessToken: { readonly scope: readonly string[]; readonly customClaims: JsonObject };
  readonly resource_server: { readonly identifier: string };
  readonly organization?: { readonly id: string; readonly name: string };
  readonly transaction: { readonly requested_scopes: readonly string[] };
}

/** What `onExecuteCredentialsExchange` can do. */
export interface CredentialsExchangeApi {
  readonly access: {
    /** Issues nothing: the client is told the code, with these words. */
    deny(code: "invalid_scope" | "invalid_request" | "access_denied", reason: string): void;
  };
  readonly accessToken: {
    /** As {@link PostLoginApi.accessToken}. */
    setCustomClaim(name: string, value: Json): void;
    removeScope(scope: string): void;
  };
}

/** What `onExecuteSendPhoneMessage` is told. */
export interface SendPhoneMessageEvent extends ActionEvent {
  readonly message_options: {
    /** What the message is for: its template, such as `one-time-code`. */
    readonly action: string;
    readonly message_type: "sms";
    /** The phone number, in its international form. */
    readonly recipient: string;
    readonly text: string;
    /** The code that is in the text, where there is one. */
    readonly code?: string;
  };
}
