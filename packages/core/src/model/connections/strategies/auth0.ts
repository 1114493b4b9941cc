import * as z from "zod";
import { metadataSchema } from "../../fields.ts";
import { storedOnlyFields } from "../../settings.ts";
import { supportedDatabaseOptions } from "./database-options.ts";
import { flagKind, profileUpdateKind, stringMap } from "./kinds.ts";
import type { Inheritance } from "./inheritance.ts";
import type { LocalStrategy } from "./strategy.ts";

const script = z.string().min(1);

const storedOnlyDatabaseOptions = storedOnlyFields({
  configuration: stringMap,
  customScripts: z
    .strictObject({
      login: script,
      get_user: script,
      delete: script,
      change_password: script,
      verify: script,
      create: script,
      change_username: script,
      change_email: script,
      change_phone_number: script,
    })
    .exactPartial(),
  enable_script_context: flagKind,
  enabledDatabaseCustomization: flagKind,
  mfa: z.strictObject({ active: flagKind, return_enroll_settings: flagKind }).exactPartial(),
  non_persistent_attrs: z.array(z.string()),
  precedence: z
    .array(z.enum(["email", "phone_number", "username"]))
    .length(3)
    .refine((order) => new Set(order).size === order.length, "must contain each identifier once"),
  realm_fallback: flagKind,
  set_user_root_attributes: profileUpdateKind,
  strategy_version: z.int(),
  upstream_params: metadataSchema,
});

/** The rules for passwords. */
const preferences = [
  "passwordPolicy",
  "password_complexity_options",
  "password_dictionary",
  "password_history",
  "password_no_personal_info",
  "password_options",
];

/** The options of an external database. Its scripts use the passwords in `configuration`. */
const externalDatabase = ["configuration", "customScripts"];

/** The rules for passwords are inherited. The sign-up policy and the identifiers of users are not inherited. */
const inheritanceRules: Inheritance = {
  preferences,
  neverInherited: Object.keys({ ...supportedDatabaseOptions, ...storedOnlyDatabaseOptions }).filter(
    (name) => ![...preferences, ...externalDatabase].includes(name),
  ),
};

/** Unknown options are rejected, so that typos are detected. */
const body = z
  .strictObject({ ...supportedDatabaseOptions, ...storedOnlyDatabaseOptions })
  .exactPartial()
  .superRefine((options, context) => {
    if (options.password_options?.complexity?.max_length_exceeded === "truncate") {
      const path = ["password_options", "complexity", "max_length_exceeded"];
      context.addIssue({ code: "custom", path, message: "must be error: Postern never truncates a password" });
    }
    for (const name of ["requires_username", "validation"] as const) {
      if (options.attributes === undefined || options[name] === undefined) continue;
      context.addIssue({ code: "custom", path: [name], message: "must not be combined with attributes" });
    }
  });

/** A password database of the tenant. */
export const auth0: LocalStrategy = {
  kind: "database",
  title: "a password database",
  options: body,
  defaults: {
    strategy_version: 2,
    brute_force_protection: true,
    passwordPolicy: "good",
    authentication_methods: { password: { enabled: true }, passkey: { enabled: false } },
  },
  inheritance: inheritanceRules,
};
