import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { factorTypeSchema, type FactorType } from "../factors/factor-types.ts";
import { messageTypeSchema } from "../factors/multifactor.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";
import { toAuthenticationMethod } from "../users/authentication-methods.ts";

const usageSchema = z.array(z.enum(["primary", "secondary"]));

/** The type of an authentication method. `password` is the password of the account. */
const methodTypeSchema = z.enum([...factorTypeSchema.options, "password"]);

/** An authentication method, in the shape of Auth0's My Account API. */
export const myAuthenticationMethodSchema = z
  .strictObject({
    id: z.string(),
    type: methodTypeSchema,
    usage: usageSchema,
    created_at: timestampSchema,
    confirmed: z.boolean().exactOptional(),
    name: z.string().exactOptional(),
    last_auth_at: timestampSchema.exactOptional(),
    phone_number: z.string().exactOptional(),
    preferred_authentication_method: messageTypeSchema.exactOptional(),
    email: z.string().exactOptional(),
    key_id: z.string().exactOptional(),
    public_key: z.string().exactOptional().meta({ description: "The COSE public key in base64" }),
    credential_device_type: z.enum(["single_device", "multi_device"]).exactOptional(),
    credential_backed_up: z.boolean().exactOptional(),
    identity_user_id: z.string().exactOptional(),
    user_handle: z.string().exactOptional(),
    transports: z.array(z.string()).exactOptional(),
    aaguid: z.string().exactOptional(),
    relying_party_id: z.string().exactOptional(),
    last_password_reset: timestampSchema.exactOptional(),
  })
  .meta({ id: "MyAuthenticationMethod" });

/** The list of a user's authentication methods. */
export const myAuthenticationMethodsSchema = z.strictObject({ authentication_methods: z.array(myAuthenticationMethodSchema) });

/** The factors that the tenant offers. */
export const myFactorsSchema = z.strictObject({ factors: z.array(z.strictObject({ type: methodTypeSchema, usage: usageSchema })) });

/** Returns how a type of method is used: a passkey signs the user in, and another factor follows a first one. */
export function usageOf(type: FactorType): ("primary" | "secondary")[] {
  return type === "passkey" ? ["primary"] : ["secondary"];
}

/** Converts the row of a factor to the shape of the My Account API. The result contains no secret. */
export function toMyMethod(row: Row<"factors">): z.infer<typeof myAuthenticationMethodSchema> {
  const { authentication_methods: _, relying_party_identifier: rpId, enrolled_at: __, ...method } = toAuthenticationMethod(row);
  return {
    ...method,
    usage: usageOf(method.type),
    ...(method.type === "passkey" && { identity_user_id: row.user_id }),
    ...(rpId !== undefined && { relying_party_id: rpId }),
  };
}

/** Returns the password of an account as an authentication method. Undefined if the account has none. */
export function passwordMethod(account: Row<"users">): z.infer<typeof myAuthenticationMethodSchema> | undefined {
  if (account.password_id === null) return undefined;
  return {
    id: `password|${account.password_id.replaceAll(/[^A-Za-z0-9]/g, "").slice(-16)}`,
    type: "password",
    usage: ["primary"],
    identity_user_id: account.user_id,
    created_at: toTimestamp(account.created_at),
    ...(account.last_password_reset !== null && { last_password_reset: toTimestamp(account.last_password_reset) }),
  };
}
