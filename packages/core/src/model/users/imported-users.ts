import * as z from "zod";
import { CreateUser } from "./users.ts";

const encoding = z.enum(["base64", "hex"]).default("base64");
const textEncoding = z.enum(["base64", "hex", "utf8"]).exactOptional();
const value = z.string().min(1).max(1024);
const utf8Password = z.strictObject({ encoding: z.enum(["ascii", "utf8"]).exactOptional() }).exactOptional();
const salt = z.strictObject({ value: z.string().max(1024), encoding: textEncoding });

/** A password hash of another system, in the vendor's form of it. `md4` and `ldap` are not verified here. */
const CustomPasswordHash = z.discriminatedUnion("algorithm", [
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

const { connection: _connection, password: _password, verify_email: _verify, ...fields } = CreateUser.shape;

/** A user of another database. */
export const SourceUser = z.strictObject(fields);

/** One user of an import, in the vendor's shape. Not more than one of the two hashes. */
export const ImportedUser = z
  .strictObject({
    ...fields,
    password_hash: z
      .string()
      .min(1)
      .max(1024)
      .exactOptional()
      .meta({ description: "A bcrypt hash, or a hash of another algorithm as a PHC string" }),
    custom_password_hash: CustomPasswordHash.exactOptional(),
  })
  .refine((user) => user.password_hash === undefined || user.custom_password_hash === undefined, {
    error: "must have one hash of a password at most",
    path: ["custom_password_hash"],
  })
  .meta({ id: "ImportedUser" });
