import type { JsonObject } from "../store/value.ts";

/** A user of the source database. Omit unknown members. */
export interface SourceUser {
  /**
   * The user id. An id with a pipe is stored unchanged; otherwise the name of the connection and a pipe are put before
   * it. Default: a new id.
   */
  readonly user_id?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly username?: string;
  /** In E.164 format. */
  readonly phone_number?: string;
  readonly phone_verified?: boolean;
  readonly name?: string;
  readonly nickname?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The URL of a picture. */
  readonly picture?: string;
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
 * `import_mode`. After its import, a user signs in without the source. A rejection, or no result within 5 seconds, is a
 * temporary failure: the user can try again, the attempt does not count as a failed login, and the operator's log has
 * the event `user_source_failed`.
 */
export interface UserSource {
  /**
   * Returns the user if the password is correct. Called if no account has the identifier, or if the account has no
   * password yet. The returned user must have `identifier` as email address, username or phone number. The duration
   * must not reveal whether the user exists.
   */
  login(question: UserSourceQuery & { readonly password: string }): Promise<SourceUser | "wrong-password" | "unknown">;
  /**
   * Returns the user with the identifier, for a password reset. The returned user must have `identifier`, too. Called
   * at each reset, so that response times do not reveal which accounts exist. Without this method, users can reset
   * their password only after their first login to Postern.
   */
  getUser?(question: UserSourceQuery): Promise<SourceUser | undefined>;
}
