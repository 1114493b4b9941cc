import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { webUrl } from "../fields.ts";

const url = webUrl("web", 2048);

/**
 * The standard claims about a user that only applications read (OpenID Connect Core section 5.1). They are stored
 * together in the column `standard_claims` of a user.
 */
const shape = {
  middle_name: z.string().min(1).max(150),
  profile: url.meta({ description: "The URL of the user's profile page" }),
  website: url.meta({ description: "The URL of the user's web site" }),
  gender: z.string().min(1).max(64),
  birthdate: z
    .string()
    .regex(/^\d{4}(-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))?$/, "must be a date such as 1815-12-10, or a year")
    .meta({ description: "`YYYY-MM-DD`, `0000-MM-DD` without the year, or `YYYY`" }),
  zoneinfo: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/, "must be a time zone such as Europe/Paris")
    .meta({ description: "A time zone of the IANA database" }),
  locale: z
    .string()
    .max(35)
    .regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, "must be a language tag such as en-US")
    .meta({ description: "A language tag (BCP 47)" }),
};

/** The schema of the claims of a user. Claims without a value are omitted. */
export const standardClaimsSchema = z.object(shape).exactPartial();

/** The members of bodies and responses that contain the claims. */
export const standardClaimMembers = standardClaimsSchema.shape;

/** The members of a body that changes the claims. `null` removes a claim. */
export const changedClaimMembers = z
  .object({
    middle_name: shape.middle_name.nullable(),
    profile: shape.profile.nullable(),
    website: shape.website.nullable(),
    gender: shape.gender.nullable(),
    birthdate: shape.birthdate.nullable(),
    zoneinfo: shape.zoneinfo.nullable(),
    locale: shape.locale.nullable(),
  })
  .exactPartial().shape;

/** The standard claims that are stored in `standard_claims`. */
export type StandardClaims = z.infer<typeof standardClaimsSchema>;

/** The name of one of these claims. */
export type StandardClaim = keyof StandardClaims;

/** The names of the claims. */
export const standardClaims: readonly StandardClaim[] = standardClaimsSchema.keyof().options;

/** A change of claims: `null` removes a claim, and absent claims stay. */
export type ClaimsChange = { readonly [Name in StandardClaim]?: string | null | undefined };

/** Returns the claims in an object that have a valid value. Ignores all other members. */
export function validClaims(values: JsonObject): StandardClaims {
  const entries = standardClaims.flatMap((name) => {
    const { data } = shape[name].safeParse(Object.hasOwn(values, name) ? values[name] : undefined);
    return data === undefined ? [] : [[name, data]];
  });
  return standardClaimsSchema.parse(Object.fromEntries(entries));
}

/** Returns the column `standard_claims` after a change. `null` if no claim is left. */
export function changeClaims(stored: JsonObject | null, change: ClaimsChange): JsonObject | null {
  const merged = { ...stored };
  for (const name of standardClaims) {
    const value = change[name];
    if (value === null) delete merged[name];
    else if (value !== undefined) merged[name] = value;
  }
  return Object.keys(merged).length === 0 ? null : merged;
}

/** Whether a change contains a claim, so that the column must be written. */
export function namesClaim(change: ClaimsChange): boolean {
  return standardClaims.some((name) => change[name] !== undefined);
}

/** Returns the members of a response that contain the claims of a user. */
export function claimMembers({ standard_claims: stored }: { readonly standard_claims: JsonObject | null }): StandardClaims {
  return stored === null ? {} : validClaims(stored);
}
