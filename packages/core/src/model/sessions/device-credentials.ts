import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { toDevice } from "./devices.ts";
import { clientIdSchema } from "../clients/client-id.ts";

/** The types of device credentials. */
export const deviceCredentialTypeSchema = z.enum(["public_key", "refresh_token", "rotating_refresh_token"]);

/** A credential of an app on a device: a refresh token that is still valid, or a public key, which has no effect. */
export const deviceCredentialSchema = z
  .strictObject({
    id: z.string().meta({ description: "The id of the refresh token or the public key" }),
    device_name: z.string().exactOptional().meta({ description: "The user agent that got the refresh token, or the name of the device" }),
    device_id: z.string().exactOptional().meta({ description: "Only for a public key" }),
    type: deviceCredentialTypeSchema,
    user_id: z.string(),
    client_id: z.string(),
  })
  .meta({ id: "DeviceCredential" });

/** The body of `POST /api/v2/device-credentials`. */
export const createDeviceCredentialSchema = z
  .strictObject({
    device_name: z.string().min(1).max(255),
    type: z.literal("public_key"),
    value: z.string().min(1).max(16_384).meta({ description: "The public key. Its format is not checked" }),
    device_id: z
      .string()
      .max(36)
      .regex(/^[-A-Fa-f0-9]+$/, "must be hexadecimal digits and hyphens"),
    client_id: clientIdSchema.exactOptional().meta({ description: "Default: the client of the access token" }),
  })
  .meta({ id: "CreateDeviceCredential" });

/** The fields of a public key that responses contain. */
export const publicKeyFields = ["id", "device_name", "device_id", "user_id", "client_id"] as const;

/** Converts a public key to a device credential. */
export function publicKeyToDeviceCredential({
  id,
  device_name,
  device_id,
  user_id,
  client_id,
}: Pick<Row<"device_credentials">, (typeof publicKeyFields)[number]>): z.infer<typeof deviceCredentialSchema> {
  return { id, device_name, device_id, type: "public_key", user_id, client_id };
}

/** Converts a refresh token to a device credential. @param rotating whether the client rotates refresh tokens. */
export function toDeviceCredential(row: Row<"refresh_tokens">, rotating: boolean): z.infer<typeof deviceCredentialSchema> {
  const { initial_user_agent: name } = toDevice(row.device);
  return {
    id: row.id,
    ...(name !== undefined && { device_name: name }),
    type: rotating ? "rotating_refresh_token" : "refresh_token",
    user_id: row.user_id,
    client_id: row.client_id,
  };
}
