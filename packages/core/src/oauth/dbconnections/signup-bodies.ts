import * as z from "zod";
import { databaseFields } from "./database.ts";
import { newPasswordRuleSchema } from "../../login/new-password.ts";
import { metadataSchema, timestampSchema, webUrl } from "../../model/fields.ts";
import { createUserSchema } from "../../model/users/users.ts";

const identifier = z.string().max(1000).exactOptional();
const { given_name, family_name, name, nickname } = createUserSchema.shape;

/** The identifiers and the profile of a user who signs up. */
export const signUpProfileFields = {
  email: identifier,
  username: identifier,
  phone_number: identifier.meta({ description: "In international form, such as `+4915112345678`" }),
  given_name,
  family_name,
  name,
  nickname,
  // Limited to http and https, because any caller can send a picture URL and applications display it.
  picture: webUrl("web", 2048).exactOptional(),
};

/** The body of a sign-up request. Unknown members are ignored. */
export const signUpRequestSchema = z
  .object({
    ...databaseFields,
    ...signUpProfileFields,
    password: z.string().max(10_000),
    user_metadata: metadataSchema.exactOptional(),
  })
  .meta({ id: "SignUpRequest" });

/**
 * The response, with the members that Auth0 returns and the whole profile. `id` is the user's ID; `_id` is the part of
 * that ID after the `|`.
 */
export const signUpReplySchema = z
  .strictObject({
    id: z.string(),
    _id: z.string(),
    email: z.string().exactOptional(),
    email_verified: z.boolean(),
    username: z.string().exactOptional(),
    phone_number: z.string().exactOptional(),
    phone_verified: z.boolean().exactOptional(),
    given_name: z.string().exactOptional(),
    family_name: z.string().exactOptional(),
    name: z.string().exactOptional(),
    nickname: z.string().exactOptional(),
    picture: z.string().exactOptional(),
    user_metadata: metadataSchema.exactOptional(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  })
  .meta({ id: "SignUpReply" });

/**
 * The error response to a rejected sign-up. It is a flat object, like every error, with the members by which Auth0's
 * SDKs distinguish the reasons.
 */
export const signUpRefusalSchema = z
  .strictObject({
    error: z
      .string()
      .meta({ description: "`invalid_signup`, `invalid_password`, `password_leaked`, `invalid_request` or `access_denied`" }),
    error_description: z
      .string()
      .exactOptional()
      .meta({ description: "Omitted for a weak password: `description` and `policy` contain the rules" }),
    name: z.string().exactOptional().meta({ description: "The kind of the error, which Auth0's clients read" }),
    code: z.string().exactOptional().meta({ description: "`invalid_signup`, `invalid_password` or `password_leaked`" }),
    description: z
      .union([z.string(), z.strictObject({ rules: z.array(newPasswordRuleSchema).readonly(), verified: z.literal(false) })])
      .exactOptional()
      .meta({
        description: "A text. For a weak password: the rules, and whether the password satisfies each",
      }),
    policy: z.string().exactOptional().meta({ description: "The rules as text, for a weak password" }),
    statusCode: z.literal(400).exactOptional(),
  })
  .meta({
    id: "SignUpRefusal",
    description:
      "`invalid_signup`: the account cannot be created, for example because it exists. `invalid_password`: the connection's policy does not allow the password. `password_leaked`: the password is known from a data breach. " +
      "`access_denied`: sign-up is not allowed. `invalid_request`: a field is invalid",
  });

export type SignUpReply = z.input<typeof signUpReplySchema>;
export type SignUpRefusal = z.input<typeof signUpRefusalSchema>;
