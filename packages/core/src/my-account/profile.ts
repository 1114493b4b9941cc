import * as z from "zod";
import { changeProfile, isProfileOfProvider } from "../identity/users/change-profile.ts";
import { readMetadataChange, visibleMetadata } from "../identity/users/own-metadata.ts";
import { PosternError } from "../errors.ts";
import { metadataSchema } from "../model/fields.ts";
import { changedClaimMembers, claimMembers, standardClaimMembers } from "../model/users/standard-claims.ts";
import { updateUserSchema } from "../model/users/users.ts";
import type { Row } from "../store/schema.ts";
import { metadataFields } from "../tenants/account-sections.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { meRoute } from "./me-route.ts";
import { requireChange } from "./require-change.ts";
import { requireSection } from "./require-section.ts";

const { name, given_name, family_name, nickname } = updateUserSchema.shape;

const profileSchema = z
  .strictObject({
    user_id: z.string(),
    name: z.string().exactOptional(),
    given_name: z.string().exactOptional(),
    family_name: z.string().exactOptional(),
    nickname: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    email: z.string().exactOptional(),
    email_verified: z.boolean().exactOptional(),
    username: z.string().exactOptional(),
    phone_number: z.string().exactOptional(),
    phone_number_verified: z.boolean().exactOptional(),
    ...standardClaimMembers,
    user_metadata: metadataSchema.exactOptional().meta({
      description: "The `metadata_fields` of the tenant's `account_page` that are set. Omitted if the tenant has no such field",
    }),
  })
  .meta({ id: "MyProfile" });

const path = "/me/v1/profile";
const rejected = {
  401: { error: "invalid_token" },
  403: { error: "insufficient_scope, forbidden; access_denied: an action denied the change" },
} as const;

/** The routes for the user's profile, an addition of Postern. */
export const myProfile = [
  meRoute({
    method: "GET",
    path,
    summary: "Get the profile of the user",
    scopes: ["read:me:profile"],
    responses: { 200: profileSchema, ...rejected },
  })(async (_, { tenant, mfaToken: { user } }) => toProfile(tenant, user)),
  meRoute({
    method: "PATCH",
    path,
    summary: "Change the profile of the user",
    description:
      "`null` removes a field. `user_metadata` changes only the fields that it contains, which must be `metadata_fields` of the tenant's `account_page`. Requires that the user authenticated within the last 15 minutes, and that the tenant shows the section `profile` of the account page, or `language` for `locale` and `zoneinfo`.",
    scopes: ["update:me:profile"],
    hasEmptyMembers: true,
    body: z
      .strictObject({ name, given_name, family_name, nickname, ...changedClaimMembers, user_metadata: metadataSchema.exactOptional() })
      .meta({ id: "UpdateMyProfile" }),
    responses: { 200: profileSchema, ...rejected, 409: { error: "conflict: the profile comes from an identity provider" } },
  })(async ({ body }, context) => {
    const { tenant, client, mfaToken } = context;
    await requireChange(context);
    const { user } = mfaToken;
    const { locale, zoneinfo, user_metadata: metadata, ...names } = body;
    const namesProfile = Object.keys(names).length > 0;
    if (namesProfile || metadata !== undefined) requireSection(tenant, "profile");
    if (locale !== undefined || zoneinfo !== undefined) requireSection(tenant, "language");
    const connection = user.subject_key === null ? undefined : await tenant.connections.named(user.connection);
    // The language, the time zone and the metadata are the choice of the user.
    if (namesProfile && isProfileOfProvider(user, connection))
      throw new PosternError("conflict", "the profile comes from an identity provider: change it there");
    const change = {
      ...names,
      ...(locale !== undefined && { locale }),
      ...(zoneinfo !== undefined && { zoneinfo }),
      ...(metadata !== undefined && { user_metadata: readMetadataChange(metadataFields(tenant), metadata) }),
    };
    return toProfile(tenant, await changeProfile(tenant, { user, client }, change));
  }),
];

function toProfile(tenant: RequestTenant, user: Row<"users">): z.infer<typeof profileSchema> {
  const fields = metadataFields(tenant);
  return {
    user_id: user.user_id,
    ...(user.name !== "" && { name: user.name }),
    ...(user.given_name !== null && { given_name: user.given_name }),
    ...(user.family_name !== null && { family_name: user.family_name }),
    ...(user.nickname !== "" && { nickname: user.nickname }),
    ...(user.picture !== null && { picture: user.picture }),
    ...(user.email !== "" && { email: user.email, email_verified: user.email_verified }),
    ...(user.username !== null && { username: user.username }),
    ...(user.phone_number !== null && { phone_number: user.phone_number, phone_number_verified: user.phone_verified }),
    ...claimMembers(user),
    ...(fields.length > 0 && { user_metadata: visibleMetadata(fields, user.user_metadata) }),
  };
}
