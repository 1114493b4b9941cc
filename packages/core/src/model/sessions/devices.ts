import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";

/** Where a session or a refresh token was first and last used, as the Management API returns it. */
export const deviceSchema = z
  .strictObject({
    initial_ip: z.string().nullable(),
    initial_user_agent: z.string(),
    last_ip: z.string().nullable(),
    last_user_agent: z.string(),
  })
  .exactPartial()
  .meta({ id: "Device" });

const seen = z.object({ ip: z.string().nullable(), user_agent: z.string() });
const storedDeviceSchema = z.object({ initial: seen, last: seen }).exactPartial();

/** Converts the `device` column of a row to the Management API format. */
export function toDevice(column: JsonObject): z.infer<typeof deviceSchema> {
  const { initial, last } = storedDeviceSchema.parse(column);
  return {
    ...(initial && { initial_ip: initial.ip, initial_user_agent: initial.user_agent }),
    ...(last && { last_ip: last.ip, last_user_agent: last.user_agent }),
  };
}
