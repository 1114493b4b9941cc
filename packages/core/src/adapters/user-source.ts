import type { JsonObject } from "../store/value.ts";
import type { ProfileClaims } from "./profile-claims.ts";

/** A user in the source database. Omit unknown members. */
export interface SourceUser extends ProfileClaims {
  /**
   * The user id. An id that contains a pipe is stored unchanged. Any other id is stored with the name of the connection
   * and a pipe before it. Default: a new id.
   */
  readonly user_id?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly username?: string;
  /** In E.164 format. */
  readonly phone_number?: string;
  readonly phone_verified?: boolean;
  readonly blocked?: boolean;
  readonly app_metadata?: JsonObject;
  readonly user_metadata?: JsonObject;
}

/** The user to look up. */
export interface UserSourceQuery {
  /** The tenant of the login. */
  readonly tenantId: string;
  /** The name of the connection. */
  readonly connection: string;
  /** The identifier that the user entered, in lower case: an email address, username or phone number. */
  readonly identifier: string;
}

/**
 * A source database from which users are imported when they sign in, at database connections with the option
 * `import_mode`. An imported user signs in without the source. A rejection, or no result within 5 seconds, is a
 * temporary failure: the user can try again, the attempt does not count as a failed login, and the event
 * `user_source_failed` is written to the operator's log.
 */
export interface UserSource {
  /**
   * Returns the user if the password is correct. Called if no account has the identifier, or if the account has no
   * password yet. The email address, username or phone number of the returned user must be `identifier`. The duration
   * of the call must not reveal whether the user exists.
   */
  login(question: UserSourceQuery & { readonly password: string }): Promise<SourceUser | "wrong-password" | "unknown">;
  /**
   * Returns the user with the identifier, for a password reset. As in `login`, the returned user must have
   * `identifier`. Called for each request to reset a password, so that response times do not reveal which accounts
   * exist. Without this method, users can reset their password only after they have signed in to Postern once.
   */
  getUser?(question: UserSourceQuery): Promise<SourceUser | undefined>;
}
