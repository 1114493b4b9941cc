import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { emailSchema } from "../email-address.ts";
import { e164Fault, phoneNumberTextSchema } from "../phone-number.ts";
import { createUserSchema, localUserId } from "./users.ts";

const encoding = z.enum(["base64", "hex"]).default("base64");
const textEncoding = z.enum(["base64", "hex", "utf8"]).exactOptional();
const value = z.string().min(1).max(1024);
const utf8Password = z.strictObject({ encoding: z.enum(["ascii", "utf8"]).exactOptional() }).exactOptional();
const salt = z.strictObject({ value: z.string().max(1024), encoding: textEncoding });

/** A password hash from another system, in Auth0's format. Postern cannot verify `md4` and `ldap` hashes. */
const customPasswordHashSchema = z.discriminatedUnion("algorithm", [
  z.strictObject({
    algorithm: z.enum(["argon2", "bcrypt", "pbkdf2"]),
    hash: z.strictObject({ value, encoding: z.literal("utf8").exactOptional() }),
    password: utf8Password,
  }),
  z.strictObject({
    algorithm: z.literal("scrypt"),
    hash: z.strictObject({ value, encoding }),
    salt: salt.exactOptional(),
    cost: z.int().positive().exactOptional(),
    blockSize: z.int().positive().exactOptional(),
    parallelization: z.int().positive().exactOptional(),
    keylen: z.int().positive().exactOptional(),
    password: utf8Password,
  }),
  z.strictObject({
    algorithm: z.literal("hmac"),
    hash: z.strictObject({
      value,
      encoding,
      digest: z.enum(["md5", "sha1", "sha256", "sha512"]),
      key: z.strictObject({ value, encoding: textEncoding }),
    }),
    password: utf8Password,
  }),
  z.strictObject({
    algorithm: z.enum(["md5", "sha1", "sha256", "sha512"]),
    hash: z.strictObject({ value, encoding }),
    salt: z.strictObject({ ...salt.shape, position: z.enum(["prefix", "suffix"]).exactOptional() }).exactOptional(),
    password: utf8Password,
  }),
]);

/** A second factor of an imported user, in Auth0's format. */
const importedFactorSchema = z
  .union(
    [
      z.strictObject({
        totp: z.strictObject({
          secret: z
            .string()
            .regex(/^[A-Z2-7]{16,205}$/)
            .meta({ description: "The key of the authenticator app in base32, with 80 to 1024 bits" }),
        }),
      }),
      z.strictObject({ phone: z.strictObject({ value: phoneNumberTextSchema }) }),
      z.strictObject({ email: z.strictObject({ value: emailSchema }) }),
    ],
    {
      error:
        "must have exactly one of 'totp' with a 'secret' of 80 to 1024 bits in base32, 'phone' with a number as 'value', and 'email' with an address as 'value'",
    },
  )
  // Checked here, because an issue inside the union would be reported as the issue of the union.
  .superRefine(async (factor, context) => {
    const fault = "phone" in factor ? await e164Fault(factor.phone.value) : undefined;
    if (fault !== undefined) context.addIssue({ code: "custom", path: ["phone", "value"], message: fault });
  })
  .meta({ id: "ImportedFactor" });

export type ImportedFactor = z.infer<typeof importedFactorSchema>;

const { connection: _connection, password: _password, verify_email: _verify, ...fields } = createUserSchema.shape;

/** A user that a user source of the host application returns. */
export const importedSourceUserSchema = z.strictObject(fields);

/** The history of a user. Exports contain these fields, and imports ignore them. */
const history = {
  created_at: z.unknown(),
  updated_at: z.unknown(),
  last_login: z.unknown(),
  last_ip: z.unknown(),
  last_password_reset: z.unknown(),
  logins_count: z.unknown(),
  multifactor_last_modified: z.unknown(),
};

/**
 * Members of an exported user that determine how the user signs in. {@link accessFault} compares them with the
 * connection that the user is imported into.
 */
const access = {
  connection: z.string(),
  provider: z.string(),
  identities: z.array(z.object({ connection: z.string(), provider: z.string(), user_id: z.union([z.string(), z.number()]) })).min(1),
  linked_to: z.string(),
  multifactor: z.array(z.unknown()),
};

/**
 * One user in an import. The format is that of Auth0's imports, or of an export from Auth0 or Postern. A user must not
 * have both kinds of hashes.
 */
export const importedUserFieldsSchema = z
  .strictObject({
    ...fields,
    ...z.object({ ...history, ...access }).exactPartial().shape,
    password_hash: z
      .string()
      .min(1)
      .max(1024)
      .exactOptional()
      .meta({ description: "A bcrypt hash, or a hash of another algorithm as a PHC string" }),
    custom_password_hash: customPasswordHashSchema.exactOptional(),
    mfa_factors: z
      .array(importedFactorSchema)
      .min(1)
      .max(10)
      .exactOptional()
      .meta({ description: "The second factors of the user. They are confirmed at once" }),
  })
  .refine((user) => user.password_hash === undefined || user.custom_password_hash === undefined, {
    error: "must have at most one password hash",
    path: ["custom_password_hash"],
  })
  .meta({ id: "ImportedUser" });

export type ImportedUserFields = z.infer<typeof importedUserFieldsSchema>;

/** Returns the number of members in an imported user that the import ignores. */
export function ignoredMembers(user: ImportedUserFields): number {
  return Object.keys(user).filter((name) => Object.hasOwn(history, name)).length;
}

/** The reason why an exported user cannot be imported. */
interface AccessFault {
  readonly path: keyof typeof access;
  readonly message: string;
}

/**
 * Checks whether an exported user can be imported as one account in `connection`. The members that determine how the
 * user signs in must match that account.
 * @returns why the user cannot be imported, or undefined if the user can be imported.
 */
export function accessFault(user: ImportedUserFields, connection: Pick<Row<"connections">, "name" | "strategy">): AccessFault | undefined {
  const { identities: [own, ...linked] = [], user_id: userId } = user;
  if (user.linked_to !== undefined)
    return { path: "linked_to", message: "The account is linked to another user. Import it alone, or link it after the import." };
  if ((user.connection ?? connection.name) !== connection.name)
    return { path: "connection", message: `The user belongs to the connection '${user.connection}', not to '${connection.name}'.` };
  if ((user.provider ?? connection.strategy) !== connection.strategy)
    return { path: "provider", message: `The user signs in with '${user.provider}', not with '${connection.strategy}'.` };
  if (own !== undefined && (own.connection !== connection.name || own.provider !== connection.strategy))
    return { path: "identities", message: `The first identity belongs to connection '${own.connection}', not to '${connection.name}'.` };
  if (own !== undefined && userId !== undefined && String(own.user_id) !== localUserId(userId))
    return { path: "identities", message: "The first identity is not the account with the id in 'user_id'." };
  if (linked.length > 0)
    return {
      path: "identities",
      message: "An import creates no linked accounts. Import the first identity alone, and link the other accounts afterwards.",
    };
  if ((user.multifactor ?? []).length > 0 && user.mfa_factors === undefined)
    return {
      path: "multifactor",
      message: "The user has a second factor. Add it as 'mfa_factors', or remove this member to import the user without it.",
    };
  return undefined;
}
