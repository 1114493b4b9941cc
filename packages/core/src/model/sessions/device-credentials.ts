import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { toDevice } from "./devices.ts";

/** The types of device credentials in Auth0. Postern has no `public_key`. */
export const deviceCredentialTypeSchema = z.enum(["public_key", "refresh_token", "rotating_refresh_token"]);

/** A credential with which an app on a device gets tokens for a user: a refresh token that is still valid. */
export const deviceCredentialSchema = z
  .strictObject({
    id: z.string().meta({ description: "The id of the refresh token" }),
    device_name: z.string().exactOptional().meta({ description: "The user agent that got the refresh token" }),
    type: deviceCredentialTypeSchema,
    user_id: z.string(),
    client_id: z.string(),
  })
  .meta({ id: "DeviceCredential" });

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
