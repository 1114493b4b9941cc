import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../../store/value.ts";
import { webUrl } from "../fields.ts";
import { notEmpty } from "../member-count.ts";

const url = webUrl("web", 2048);

/** Text that every database can store. */
const text = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .refine((value) => !value.includes("\0") && value.isWellFormed(), "must not contain NUL or half a surrogate pair");

/** The members of an address (OpenID Connect Core section 5.1.1). */
const addressShape = {
  formatted: text(1000).meta({ description: "The full address for display or a label. It can have several lines" }),
  street_address: text(500).meta({ description: "The street, the house number and similar. It can have several lines" }),
  locality: text(150).meta({ description: "The city" }),
  region: text(150).meta({ description: "The state, province or region" }),
  postal_code: text(32),
  country: text(150),
};

/**
 * The standard claims about a user that only applications read (OpenID Connect Core section 5.1). They are stored
 * together in the column `standard_claims` of a user.
 */
const shape = {
  middle_name: text(150),
  profile: url.meta({ description: "The URL of the user's profile page" }),
  website: url.meta({ description: "The URL of the user's web site" }),
  gender: text(64),
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
  address: notEmpty(z.strictObject(addressShape).exactPartial()).meta({
    id: "UserAddress",
    description: "The postal address, which tokens contain with the scope `address`. A change replaces all of it",
  }),
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
    address: shape.address.nullable(),
  })
  .exactPartial().shape;

/** The standard claims that are stored in `standard_claims`. */
export type StandardClaims = z.infer<typeof standardClaimsSchema>;

/** The name of one of these claims. */
export type StandardClaim = keyof StandardClaims;

/** The names of the claims. */
export const standardClaims: readonly StandardClaim[] = standardClaimsSchema.keyof().options;

/** The names of the claims of the scope `profile`. Their values are text. */
export const profileClaims: readonly Exclude<StandardClaim, "address">[] = standardClaimsSchema.omit({ address: true }).keyof().options;

/** A change of claims: `null` removes a claim, and absent claims stay. */
export type ClaimsChange = { readonly [Name in StandardClaim]?: StandardClaims[Name] | null | undefined };

/** Returns the claims in an object that have a valid value. Ignores all other members. */
export function validClaims(values: JsonObject): StandardClaims {
  const entries = standardClaims.flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const { data } = shape[name].safeParse(name === "address" ? validAddress(value) : value);
    return data === undefined ? [] : [[name, data]];
  });
  return standardClaimsSchema.parse(Object.fromEntries(entries));
}

/** Returns the members of an address that have a valid value. */
function validAddress(value: Json | undefined): object | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.entries(addressShape).flatMap(([name, schema]) => {
    const { data } = schema.safeParse(Object.hasOwn(value, name) ? value[name] : undefined);
    return data === undefined ? [] : [[name, data]];
  });
  return Object.fromEntries(members);
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
