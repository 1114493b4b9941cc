import type { PostalAddress } from "./postal-address.ts";

/** The standard claims of a user's profile (OpenID Connect Core section 5.1), without addresses that messages are sent to. */
export interface ProfileClaims {
  readonly name?: string;
  readonly nickname?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The URL of a picture. */
  readonly picture?: string;
  readonly middle_name?: string;
  /** The URL of the user's profile page. */
  readonly profile?: string;
  /** The URL of the user's web site. */
  readonly website?: string;
  readonly gender?: string;
  /** `YYYY-MM-DD`, `0000-MM-DD` without the year, or `YYYY`. */
  readonly birthdate?: string;
  /** A time zone such as `Europe/Paris`. */
  readonly zoneinfo?: string;
  /** A language tag such as `en-US`. */
  readonly locale?: string;
  readonly address?: PostalAddress;
}
