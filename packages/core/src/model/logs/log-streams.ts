import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { timestampSchema, toTimestamp, webUrl } from "../fields.ts";
import { changedDestination, mustNotNameUser, requireSecretsAgain, withoutUser } from "../secret-destinations.ts";
import { fact, readStored, storedOnly } from "../settings.ts";
import { isSecret } from "../connections/secrets.ts";
import { logCategories } from "./categories.ts";

const name = z.string().min(1).max(255);
const filterSchema = z.strictObject({ type: z.literal("category"), name: z.enum(logCategories) });
const filters = z.array(filterSchema).max(50).meta({ description: "The categories of events that are delivered. Default: all" });
const isPriority = storedOnly(z.boolean());
const startFrom = z.iso.datetime({ offset: true }).meta({ description: "The time of the first event that is delivered. Default: now" });

/** Reserved headers: headers that control the HTTP request, and headers that every delivery sets. */
const ownHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-(length|type|encoding)|authorization|webhook-.*)$/i;

const printable = z.string().regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const headerSchema = z.strictObject({
  header: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "must be a valid header name")
    .refine((header) => !ownHeaders.test(header), "is a reserved header"),
  value: printable.max(2048).exactOptional().meta({ description: "If an update omits the value, the stored value is used" }),
});

/** The fields of a sink that receives events by HTTP. */
const httpFields = {
  httpEndpoint: webUrl("web", 2048)
    .regex(withoutUser, mustNotNameUser)
    .meta({ description: "Must be an https URL, unless `network.allowedPrivateAddresses` allows its IP address" }),
  httpContentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/, "must be a media type")
    .max(100),
  httpContentFormat: z
    .enum(["JSONARRAY", "JSONLINES", "JSONOBJECT"])
    .meta({ description: "Default `JSONARRAY`. `JSONOBJECT` sends one request per event" }),
  httpAuthorization: printable.max(4096).meta({ description: "The value of the `Authorization` header. Never returned" }),
  httpCustomHeaders: z.array(headerSchema).max(20).meta({ description: "Additional headers. Their values are never returned" }),
};
const { httpEndpoint, ...httpOptions } = httpFields;

/**
 * The settings that determine where events are delivered. A sink of type `http` has these fields. The host application
 * defines the settings of other types.
 */
export const httpSinkSchema = z.strictObject({ httpEndpoint, ...z.object(httpOptions).exactPartial().shape });

/** The settings of a sink that the host application provides. */
const hostSinkSchema = z
  .record(z.string().min(1).max(100), z.union([z.string().max(2048), z.number(), z.boolean()]))
  .superRefine((sink, context) => {
    for (const [member, value] of Object.entries(sink)) {
      const isShownUrl = typeof value === "string" && !isSecret(member, value) && value.includes("://");
      if (isShownUrl && !withoutUser.test(value)) context.addIssue({ code: "custom", path: [member], message: mustNotNameUser });
    }
  });

const type = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be the type of a sink");

const statuses = ["active", "paused", "suspended"] as const;

/**
 * Read-only fields in responses. Request bodies may contain them, because Auth0's tools write back everything that they
 * read.
 */
const readOnlyFields = { delivered_until: z.string(), failures: z.int(), last_error: z.string() };

const common = z.object({ name, filters, isPriority, startFrom, ...readOnlyFields }).exactPartial().shape;

/** The body of `POST /api/v2/log-streams`. */
export const createLogStreamSchema = z
  .union([
    z.strictObject({ type: z.literal("http"), sink: httpSinkSchema, status: z.enum(statuses).exactOptional(), ...common }),
    z.strictObject({
      status: z.enum(statuses).exactOptional(),
      type: type.meta({ description: "A type of sink that the host application provides" }),
      sink: hostSinkSchema,
      ...common,
    }),
  ])
  .meta({ id: "CreateLogStream" });

/** The body of `PATCH /api/v2/log-streams/{id}`. */
export const updateLogStreamSchema = z
  .strictObject({
    name,
    status: z.enum(statuses).meta({ description: "`active` resumes the delivery where it stopped" }),
    sink: z.union([httpSinkSchema, hostSinkSchema]).meta({
      description:
        "Replaces the whole sink, except for omitted secrets. A request that changes `httpEndpoint`, or any setting of a sink that is not `http`, must contain the secrets",
    }),
    filters,
    isPriority,
    ...readOnlyFields,
    startFrom: startFrom.meta({
      description: "The delivery continues at this time. An earlier time delivers events again; a later time skips events",
    }),
  })
  .exactPartial()
  .meta({ id: "UpdateLogStream" });

const shownSinkSchema = z.record(z.string(), z.unknown());

const shown = {
  id: fact(z.string()),
  name: fact(z.string()),
  type: fact(z.string()),
  status: z.enum(statuses).meta({ description: "`suspended`: deliveries failed for half a day. Set the status to `active` to resume" }),
  isPriority,
  filters: z.array(filterSchema),
  sink: shownSinkSchema.meta({ description: "The sink without its secrets" }),
};

/** A log stream in a list: its settings, without the delivery state, because tools store lists in files. */
export const logStreamSchema = z.strictObject(shown).meta({ id: "LogStream" });

/** A single log stream with its delivery state. */
export const logStreamStateSchema = z
  .strictObject({
    ...shown,
    delivered_until: timestampSchema.meta({ description: "Events up to this time are delivered" }),
    failures: z.int().meta({ description: "The number of failed deliveries since the last successful delivery" }),
    last_error: z.string().exactOptional().meta({ description: "Why the last delivery failed" }),
    signing_secret: z.string().exactOptional().meta({
      description: "The key that signs deliveries (Standard Webhooks). Returned only when an `http` stream is created",
    }),
  })
  .meta({ id: "LogStreamState" });

const settingsSchema = z.object({
  sink: z.record(z.string(), z.unknown()),
  filters: z.array(filterSchema),
  is_priority: z.boolean(),
});

/** Reads the stored settings of a stream, without its secrets. */
export function streamSettings({ settings }: Pick<Row<"log_streams">, "settings">): z.infer<typeof settingsSchema> {
  return readStored(settingsSchema, settings);
}

/** Converts a row to an entry in a list. */
export function toLogStream(row: Row<"log_streams">): z.infer<typeof logStreamSchema> {
  const { sink, filters: categories, is_priority: priority } = streamSettings(row);
  const { id, name: label, type: kind, status } = row;
  return { id, name: label, type: kind, status: z.enum(statuses).parse(status), isPriority: priority, filters: categories, sink };
}

/** Converts a row to a log stream with its delivery state. */
export function toLogStreamState(row: Row<"log_streams">): z.infer<typeof logStreamStateSchema> {
  const { cursor_date: until, failures, last_error: error } = row;
  return { ...toLogStream(row), delivered_until: toTimestamp(until), failures, ...(failures > 0 && { last_error: error }) };
}

/**
 * The setting that determines where the secrets of an `http` stream are sent. For other sinks, any setting could
 * determine it, so all settings count.
 */
const httpDestination = ["httpEndpoint"] as const;

/** The settings of a sink, separated into those that responses contain and the secrets. */
interface SplitSink {
  readonly shown: JsonObject;
  readonly secrets: JsonObject;
}

/**
 * Requires that the stored secrets of a stream are sent again if a change to its sink changes where they are sent. The
 * values of custom headers are such secrets.
 * @param sink the sink in the body.
 * @throws {PosternError} `invalid_request` that names the secrets.
 */
export function checkSinkSecretsStay(type: string, stored: SplitSink, shown: JsonObject, sink: JsonObject): void {
  const destination = type === "http" ? httpDestination : [...new Set([...Object.keys(stored.shown), ...Object.keys(shown)])];
  const changed = changedDestination(destination, stored.shown, shown);
  const missing = Object.entries(stored.secrets).filter(([name, value]) => {
    if (name === signingSecret || value === "" || (Array.isArray(value) && value.length === 0)) return false;
    return !Object.hasOwn(sink, name) || hasHeaderWithoutValue(sink[name]);
  });
  requireSecretsAgain(
    changed.map((name) => `sink.${name}`),
    missing.map(([name]) => `sink.${name}`),
  );
}

/** The name of the stored secret that signs deliveries. It is never sent to the sink. */
const signingSecret = "signing";

function hasHeaderWithoutValue(sent: Json | undefined): boolean {
  return Array.isArray(sent) && sent.some((header: Json) => typeof header === "object" && header !== null && !("value" in header));
}
