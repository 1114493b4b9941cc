import * as z from "zod";
import type { Row } from "../../../store/schema.ts";
import { readStored, storedOnly, storedReader } from "../../settings.ts";

const flag = z.boolean();
const active = z.strictObject({ active: flag }).exactPartial();
const enabled = z.strictObject({ enabled: flag }).exactPartial();

const status = z.enum(["required", "optional", "inactive"]);
const signup = z.strictObject({ status, verification: active }).exactPartial();

function identifier<const Method extends string>(...methods: readonly Method[]) {
  return z.strictObject({ active: flag, default_method: storedOnly(z.enum(methods)) }).exactPartial();
}

/** The identifiers with which users of a password database sign in. */
const attributesSchema = z
  .strictObject({
    email: z
      .strictObject({
        identifier: identifier("password", "email_otp"),
        unique: storedOnly(flag),
        profile_required: flag,
        verification_method: storedOnly(z.enum(["link", "otp"])),
        signup,
      })
      .exactPartial(),
    phone_number: z
      .strictObject({
        identifier: identifier("password", "phone_otp"),
        profile_required: flag,
        signup: signup.extend({ verification: storedOnly(active) }).exactPartial(),
      })
      .exactPartial(),
    username: z
      .strictObject({
        identifier: active,
        profile_required: flag,
        signup: z.strictObject({ status }).exactPartial(),
        validation: z
          .strictObject({
            min_length: z.number().min(1).max(128),
            max_length: z.number().min(1).max(128),
            allowed_types: z.strictObject({ email: flag, phone_number: flag }).exactPartial(),
          })
          .exactPartial(),
      })
      .exactPartial(),
  })
  .exactPartial()
  .refine(
    ({ email, phone_number, username }) => [email, phone_number, username].some((attribute) => attribute?.identifier?.active === true),
    "must have at least one active identifier",
  );

/** The password rules in Auth0's newer format. If a connection has rules in both formats, all of them apply. */
const passwordOptionsSchema = z
  .strictObject({
    complexity: z
      .strictObject({
        min_length: z.int().min(1).max(72),
        character_types: z.array(z.enum(["uppercase", "lowercase", "number", "special"])),
        character_type_rule: z.enum(["all", "three_of_four"]),
        identical_characters: z.enum(["allow", "block"]),
        sequential_characters: z.enum(["allow", "block"]),
        max_length_exceeded: storedOnly(z.enum(["truncate", "error"])),
      })
      .exactPartial(),
    dictionary: z
      .strictObject({
        active: flag,
        custom: z.array(z.string().max(50)),
        default: z.enum(["en_10k", "en_100k"]).meta({
          description:
            "`en_10k` rejects the ten thousand most common passwords. `en_100k`, the default, rejects the whole list of about 49,000",
        }),
      })
      .exactPartial(),
    history: z.strictObject({ active: flag, size: z.int().min(1).max(24) }).exactPartial(),
    profile_data: z.strictObject({ active: flag, blocked_fields: z.array(z.string().max(100)) }).exactPartial(),
  })
  .exactPartial();

/** The supported options of a password database. */
export const supportedDatabaseOptions = {
  attributes: attributesSchema,
  authentication_methods: z
    .strictObject({
      password: z
        .strictObject({
          enabled: flag,
          api_behavior: storedOnly(z.enum(["required", "optional"])),
          signup_behavior: z.enum(["allow", "block"]),
        })
        .exactPartial(),
      passkey: enabled,
      email_otp: enabled,
      phone_otp: enabled,
    })
    .exactPartial(),
  brute_force_protection: flag,
  disable_self_service_change_password: flag,
  disable_signup: flag,
  import_mode: flag,
  passkey_options: z
    .strictObject({
      challenge_ui: z.enum(["both", "autofill", "button"]).meta({ description: "How the sign-in page offers passkeys. Default: `both`" }),
      progressive_enrollment_enabled: flag.meta({
        description: "Whether users are offered a passkey after they sign in with a password. Default: true",
      }),
      local_enrollment_enabled: flag.meta({
        description:
          "Whether users are offered a passkey for this device after they sign in with a passkey of another device. Default: true",
      }),
    })
    .exactPartial(),
  passwordPolicy: z.enum(["none", "low", "fair", "good", "excellent"]),
  password_complexity_options: z.strictObject({ min_length: z.int().min(1).max(128) }).exactPartial(),
  password_dictionary: z.strictObject({ enable: flag, dictionary: z.array(z.string().max(50)).max(200).exactOptional() }),
  password_history: z.strictObject({ enable: flag, size: z.int().min(0).max(24).exactOptional() }),
  password_no_personal_info: z.strictObject({ enable: flag }),
  password_options: passwordOptionsSchema,
  requires_username: flag,
  validation: z.strictObject({
    username: z.strictObject({ min: z.int().min(1), max: z.int().max(128) }).exactOptional(),
  }),
};

/** The options of a password database (strategy `auth0`) that Postern reads. */
export const databaseOptionsSchema = z.object(supportedDatabaseOptions).exactPartial();

export type DatabaseOptions = z.infer<typeof databaseOptionsSchema>;

const readDatabaseOptions = storedReader((stored) => readStored(databaseOptionsSchema, stored));

/** Reads the options of a password database. Options without an effect are omitted. */
export function databaseOptions(row: Row<"connections">): DatabaseOptions {
  return readDatabaseOptions(row.options);
}
