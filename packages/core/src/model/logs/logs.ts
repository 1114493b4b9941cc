import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { metadataSchema, timestampSchema, toTimestamp } from "../fields.ts";

/** An event as the Management API returns it. Every event has every key; unknown values are null or empty. */
export const logEventSchema = z
  .strictObject({
    _id: z.string(),
    log_id: z.string(),
    date: timestampSchema,
    // This is not an enum, because a log may contain events that a later version wrote.
    type: z.string(),
    description: z.string().nullable(),
    connection: z.string(),
    connection_id: z.string(),
    organization_id: z.string().nullable(),
    organization_name: z.string().nullable(),
    client_id: z.string(),
    client_name: z.string(),
    ip: z.string(),
    hostname: z.string(),
    details: metadataSchema,
    user_id: z.string(),
    user_name: z.string(),
    user_agent: z.string(),
    audience: z.string().nullable(),
    scope: z.string().nullable(),
    strategy: z.string(),
    strategy_type: z.enum(["database", "social", "enterprise", "passwordless", ""]),
    isMobile: z.boolean(),
    location_info: z.null().meta({ description: "Always null: Postern does not locate IP addresses" }),
  })
  .meta({ id: "LogEvent" });

/** The fields by which callers can sort events. The id of an event begins with its date, so an order by id is enough. */
export const sortNames = { date: "log_id" } as const;

const strategyType = logEventSchema.shape.strategy_type.catch("");

/** Converts a row to the Management API format. */
export function toLog(row: Row<"logs">): z.infer<typeof logEventSchema> {
  return {
    _id: row.log_id,
    log_id: row.log_id,
    date: toTimestamp(row.date),
    type: row.type,
    description: row.description || null,
    connection: row.connection,
    connection_id: row.connection_id,
    organization_id: row.organization_id || null,
    organization_name: row.organization_name || null,
    client_id: row.client_id,
    client_name: row.client_name,
    ip: row.ip,
    hostname: row.hostname,
    details: row.details,
    user_id: row.user_id,
    user_name: row.user_name,
    user_agent: row.user_agent,
    audience: row.audience || null,
    scope: row.scope || null,
    strategy: row.strategy,
    strategy_type: strategyType.parse(row.strategy_type),
    isMobile: row.is_mobile,
    location_info: null,
  };
}
