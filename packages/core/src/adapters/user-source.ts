import type { JsonObject } from "../store/value.ts";

/** Somebody as the database knows them that people come from. What is not known is left out. */
export interface SourceUser {
  /** Kept with the part before its pipe where it has one, else the connection's name comes before it. Default: a new one. */
  readonly user_id?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly username?: string;
  /** In its international form. */
  readonly phone_number?: string;
  readonly phone_verified?: boolean;
  readonly name?: string;
  readonly nickname?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** An address of a picture. */
  readonly picture?: string;
  readonly blocked?: boolean;
  readonly app_metadata?: JsonObject;
  readonly user_metadata?: JsonObject;
}

/** Whom it is asked about. */
export interface SourceQuestion {
  readonly tenantId: string;
  /** The name of the connection. */
  readonly connection: string;
  /** What the person typed: an address, a name or a number, in lower case. */
  readonly identifier: string;
}

/**
 * The database that people come from, asked about those who are not here yet: at password databases whose option `import_mode` is on. Whoever it knows is made a user here by that, and not asked for again.
 * A throw, and no answer within 5 seconds, means that it cannot tell now: the person is asked to try again, and no try counts against them. It is told to the operator (event `user_source_failed`).
 */
export interface UserSource {
  /** Who has this password. Must not tell by its time whether somebody is unknown. The user that it gives must be known by what was typed. */
  login(question: SourceQuestion & { readonly password: string }): Promise<SourceUser | "wrong-password" | "unknown">;
  /** Who is known by what was typed, for somebody who forgot their password. Left out: a password is reset here after the first login alone. */
  getUser?(question: SourceQuestion): Promise<SourceUser | undefined>;
}
