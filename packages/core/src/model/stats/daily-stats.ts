import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { timestampSchema, toTimestamp } from "../fields.ts";

/** A day of the range, as Auth0 writes it. */
const daySchema = z
  .string()
  .regex(/^\d{8}$/, "must be a day in the form YYYYMMDD")
  .transform((text) => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)
  // The date is parsed and written again, so that the 31st of June is rejected.
  .refine((day) => new Date(Date.parse(day) || 0).toISOString().startsWith(day), "must be an existing day")
  .meta({ description: "A day (UTC) in the form YYYYMMDD" });

/** The query of `GET /api/v2/stats/daily`. Both days are included. */
export const dailyStatsQuerySchema = z.strictObject({
  from: daySchema.exactOptional().meta({ description: "The first day (UTC), in the form YYYYMMDD. Default: 29 days before `to`" }),
  to: daySchema.exactOptional().meta({ description: "The last day (UTC), in the form YYYYMMDD. Default: today" }),
});

/** The numbers of one day. */
export const dailyStatsSchema = z
  .strictObject({
    date: timestampSchema,
    logins: z.int(),
    signups: z.int(),
    leaked_passwords: z.int(),
    failures: z.int().meta({ description: "Failed sign-ins" }),
    failures_by_type: z.record(z.string(), z.int()).meta({ description: "Failed sign-ins, by the code of the log event" }),
    active_users: z.int().nullable().meta({
      description: "The users who signed in within the 30 days before they were counted on this day; null if they were not counted",
    }),
    updated_at: timestampSchema.meta({ description: "When the day was last counted" }),
    created_at: timestampSchema,
  })
  .meta({ id: "DailyStats" });

/** Converts a row to the Management API format. */
export function toDailyStats(row: Row<"daily_statistics">): z.infer<typeof dailyStatsSchema> {
  return {
    date: toTimestamp(Date.parse(row.date)),
    logins: row.logins,
    signups: row.signups,
    leaked_passwords: row.leaked_passwords,
    failures: row.failures,
    failures_by_type: Object.fromEntries(Object.entries(row.failures_by_type).map(([type, count]) => [type, Number(count)])),
    active_users: row.active_users,
    updated_at: toTimestamp(row.updated_at),
    created_at: toTimestamp(row.created_at),
  };
}
