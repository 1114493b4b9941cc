import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { FactorType } from "../factors/factor-types.ts";
import { isUpstream, upstreamStrategy } from "../connections/upstream.ts";
import { emailSchema } from "../email-address.ts";
import { metadataSchema, timestampSchema, toTimestamp } from "../fields.ts";
import { phoneNumberSchema } from "../phone-number.ts";
import { changedClaimMembers, claimMembers, standardClaimMembers } from "./standard-claims.ts";

const name = z.string().min(1).max(300);
const shortName = z.string().min(1).max(150);
const username = z.string().min(1).max(128);
const picture = z.url().max(2048);
const password = z.string().min(1).max(1024);

/** The profile of a linked account (Auth0's field `profileData`). */
const profileDataSchema = z.strictObject({
  email: z.string().exactOptional(),
  email_verified: z.boolean().exactOptional(),
  name: z.string().exactOptional(),
  username: z.string().exactOptional(),
  given_name: z.string().exactOptional(),
  family_name: z.string().exactOptional(),
  phone_number: z.string().exactOptional(),
  phone_verified: z.boolean().exactOptional(),
  nickname: z.string().exactOptional(),
  picture: z.string().exactOptional(),
  ...standardClaimMembers,
});

/**
 * One account of a user. The primary account comes first, then the linked accounts. `user_id` is the part of the user
 * ID after the pipe.
 */
export const identitySchema = z
  .strictObject({
    connection: z.string(),
    user_id: z.string(),
    provider: z.string(),
    isSocial: z.boolean(),
    access_token: z
      .string()
      .exactOptional()
      .meta({ description: "The provider's access token. Requires the scope `read:user_idp_tokens`" }),
    refresh_token: z
      .string()
      .exactOptional()
      .meta({ description: "The provider's refresh token. Requires the scope `read:user_idp_tokens`" }),
    profileData: profileDataSchema.exactOptional(),
  })
  .meta({ id: "Identity" });

/** A user as the Management API returns it. */
export const userSchema = z
  .strictObject({
    user_id: z.string(),
    connection: z.string(),
    provider: z.string(),
    email: z.string().exactOptional(),
    email_verified: z.boolean(),
    username: z.string().exactOptional(),
    phone_number: z.string().exactOptional(),
    phone_verified: z.boolean().exactOptional(),
    name: z.string().exactOptional(),
    nickname: z.string().exactOptional(),
    given_name: z.string().exactOptional(),
    family_name: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    ...standardClaimMembers,
    blocked: z.boolean().exactOptional(),
    user_metadata: metadataSchema,
    app_metadata: metadataSchema,
    identities: z.array(identitySchema),
    linked_to: z.string().exactOptional(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    last_login: timestampSchema.exactOptional(),
    last_ip: z.string().exactOptional(),
    last_password_reset: timestampSchema.exactOptional(),
    logins_count: z.int().exactOptional(),
    multifactor: z
      .array(z.literal("guardian"))
      .exactOptional()
      .meta({ description: "Contains `guardian` if the user has a second factor. A passkey alone does not count" }),
    multifactor_last_modified: timestampSchema
      .exactOptional()
      .meta({ description: "When a second factor or passkey was last added or removed" }),
    deletes_at: timestampSchema.exactOptional().meta({
      description: "When the account will be deleted, because its user asked for it on the account page. Auth0 has no such member",
    }),
  })
  .meta({ id: "User" });

const profile = {
  email: emailSchema,
  email_verified: z.boolean(),
  phone_number: phoneNumberSchema,
  phone_verified: z.boolean(),
  given_name: shortName,
  family_name: shortName,
  name,
  nickname: name,
  picture,
  username,
  ...standardClaimMembers,
};

/** The body of `POST /api/v2/users`. */
export const createUserSchema = z
  .strictObject({
    connection: z.string().min(1).max(128),
    // A subject has at most 255 ASCII characters (OpenID Connect Core section 2). A pipe separates the name of the
    // connection from the local ID.
    user_id: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 ASCII characters without spaces")
      .exactOptional(),
    password: password.exactOptional(),
    blocked: z.boolean().exactOptional(),
    verify_email: z.boolean().exactOptional(),
    user_metadata: metadataSchema.exactOptional(),
    app_metadata: metadataSchema.exactOptional(),
    ...z.object(profile).exactPartial().shape,
  })
  .meta({ id: "CreateUser" });

/**
 * The body of `PATCH /api/v2/users/{id}`, as in Auth0. `null` removes a profile field. Metadata is merged at its first
 * level, where `null` removes a key.
 */
export const updateUserSchema = z
  .strictObject({
    connection: z.string().min(1).exactOptional(),
    client_id: z.string().min(1).exactOptional(),
    password: password.exactOptional(),
    email: emailSchema.nullable().exactOptional(),
    email_verified: z.boolean().exactOptional(),
    phone_number: phoneNumberSchema.nullable().exactOptional(),
    phone_verified: z.boolean().exactOptional(),
    username: username.nullable().exactOptional(),
    name: name.nullable().exactOptional(),
    nickname: name.nullable().exactOptional(),
    given_name: shortName.nullable().exactOptional(),
    family_name: shortName.nullable().exactOptional(),
    picture: picture.nullable().exactOptional(),
    ...changedClaimMembers,
    blocked: z.boolean().exactOptional(),
    verify_email: z.boolean().exactOptional(),
    verify_phone_number: z.boolean().exactOptional(),
    user_metadata: metadataSchema.exactOptional(),
    app_metadata: metadataSchema.exactOptional(),
    deletes_at: z.null().exactOptional().meta({ description: "`null` keeps an account that its user asked to delete" }),
  })
  .meta({ id: "UpdateUser" });

/**
 * The body of `POST /api/v2/users/{id}/identities`, in one of Auth0's two formats: the provider and the ID of the
 * account (the whole ID, or the part after the pipe), or an ID token for the account.
 */
export const linkUserSchema = z
  .union([
    z.strictObject({
      provider: z.string().min(1).max(64),
      // Some providers use numeric user IDs.
      user_id: z.union([z.string().min(1).max(255), z.int().min(0).transform(String)]),
      connection_id: z.string().min(1).max(64).exactOptional(),
    }),
    z.strictObject({ link_with: z.string().min(1).max(16_384) }),
  ])
  .meta({ id: "LinkUser" });

/** Returns the part of a user ID after its first pipe. */
export function localUserId(userId: string): string {
  return userId.slice(userId.indexOf("|") + 1);
}

/** The tokens from the identity provider that an identity contains. */
export type ShownTokens = Pick<z.infer<typeof identitySchema>, "access_token" | "refresh_token">;

/** Returns `true` if an account belongs to an identity provider. */
export function isUpstreamAccount({ provider }: Pick<Row<"users">, "provider">): boolean {
  return isUpstream({ strategy: provider });
}

/**
 * Converts the row of a user and the rows of the linked accounts to the Management API format.
 * @param tokens the providers' tokens by account ID, for callers who may see them.
 */
export function toUser(
  row: Row<"users">,
  linked: readonly Row<"users">[],
  tokens: ReadonlyMap<string, ShownTokens> = new Map(),
): z.infer<typeof userSchema> {
  const identity = (account: Row<"users">): z.infer<typeof identitySchema> => ({ ...toIdentity(account), ...tokens.get(account.user_id) });
  return {
    user_id: row.user_id,
    connection: row.connection,
    provider: row.provider,
    ...profileOf(row),
    email_verified: row.email_verified,
    ...(row.blocked && { blocked: true }),
    user_metadata: row.user_metadata,
    app_metadata: row.app_metadata,
    identities: [identity(row), ...inOrder(linked).map((account) => ({ ...identity(account), profileData: profileOf(account) }))],
    ...(row.linked_to !== "" && { linked_to: row.linked_to }),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    ...(row.last_login > 0 && { last_login: toTimestamp(row.last_login) }),
    ...(row.last_ip !== null && { last_ip: row.last_ip }),
    ...(row.last_password_reset !== null && { last_password_reset: toTimestamp(row.last_password_reset) }),
    ...(row.logins_count > 0 && { logins_count: row.logins_count }),
    ...(row.enrolled_factors?.some((type) => type !== ("passkey" satisfies FactorType)) && { multifactor: ["guardian"] }),
    ...(row.factors_changed_at !== null && { multifactor_last_modified: toTimestamp(row.factors_changed_at) }),
    ...(row.deletes_at !== null && { deletes_at: toTimestamp(row.deletes_at) }),
  };
}

/**
 * Returns the accounts of a user after an account was linked or unlinked. The primary account comes first. Each account
 * has its profile.
 */
export function toLinkedIdentities(row: Row<"users">, linked: readonly Row<"users">[]): z.infer<typeof identitySchema>[] {
  return [row, ...inOrder(linked)].map((account) => ({ ...toIdentity(account), profileData: profileOf(account) }));
}

/** Sorts linked accounts by their creation time, so that the order does not depend on the database. */
function inOrder(linked: readonly Row<"users">[]): readonly Row<"users">[] {
  return linked.toSorted((a, b) => a.created_at - b.created_at || (a.user_id < b.user_id ? -1 : 1));
}

function toIdentity(row: Row<"users">): z.infer<typeof identitySchema> {
  return {
    connection: row.connection,
    user_id: localUserId(row.user_id),
    provider: row.provider,
    isSocial: upstreamStrategy({ strategy: row.provider })?.kind === "social",
  };
}

/** Returns the profile of an account. Fields without a value are omitted, as in Auth0. */
function profileOf(row: Row<"users">): z.infer<typeof profileDataSchema> {
  return {
    ...(row.email !== "" && { email: row.email, email_verified: row.email_verified }),
    ...(row.username !== null && { username: row.username }),
    ...(row.phone_number !== null && { phone_number: row.phone_number, phone_verified: row.phone_verified }),
    ...(row.name !== "" && { name: row.name }),
    ...(row.nickname !== "" && { nickname: row.nickname }),
    ...(row.given_name !== null && { given_name: row.given_name }),
    ...(row.family_name !== null && { family_name: row.family_name }),
    ...(row.picture !== null && { picture: row.picture }),
    ...claimMembers(row),
  };
}
