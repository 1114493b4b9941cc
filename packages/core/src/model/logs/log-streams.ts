import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { Timestamp, toTimestamp } from "../fields.ts";
import { changedDestination, mustNotNameUser, namesUser, requireSecretsAgain } from "../secret-destinations.ts";
import { fact, readStored, storedOnly } from "../settings.ts";
import { isSecret } from "../connections/secrets.ts";
import { logCategories } from "./categories.ts";

const name = z.string().min(1).max(255);
const Filter = z.strictObject({ type: z.literal("category"), name: z.enum(logCategories) });
const filters = z.array(Filter).max(50).meta({ description: "The categories of events that are delivered. Default: all" });
const isPriority = storedOnly(z.boolean());
const startFrom = z.iso.datetime({ offset: true }).meta({ description: "The time of the first event that is delivered. Default: now" });

/** Headers that control the HTTP request, or that every delivery sets. */
const ownHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-(length|type|encoding)|authorization|webhook-.*)$/i;

const printable = z.string().regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const Header = z.strictObject({
  header: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "must be the name of a header")
    .refine((header) => !ownHeaders.test(header), "is a header that every delivery sets"),
  value: printable.max(2048).exactOptional().meta({ description: "If an update omits the value, the stored value is used" }),
});

/** The fields of a sink that receives events by HTTP. */
const httpFields = {
  httpEndpoint: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .refine((url) => !namesUser(url), mustNotNameUser)
    .meta({ description: "Must be an https URL, except for addresses that `network.allowedPrivateAddresses` allows" }),
  httpContentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/, "must be a media type")
    .max(100),
  httpContentFormat: z
    .enum(["JSONARRAY", "JSONLINES", "JSONOBJECT"])
    .meta({ description: "Default `JSONARRAY`. `JSONOBJECT` sends one request per event" }),
  httpAuthorization: printable.max(4096).meta({ description: "The header `Authorization`. Never returned" }),
  httpCustomHeaders: z.array(Header).max(20).meta({ description: "Further headers. Their values are never returned" }),
};
const { httpEndpoint, ...httpOptions } = httpFields;

/**
 * Where events are delivered: these fields for the type `http`, the settings of the host application's sink for another
 * type.
 */
export const HttpSink = z.strictObject({ httpEndpoint, ...z.object(httpOptions).exactPartial().shape });

/** The settings of a sink of the host application: JSON values. */
const HostSink = z
  .record(z.string().min(1).max(100), z.union([z.string().max(2048), z.number(), z.boolean()]))
  .superRefine((sink, context) => {
    for (const [member, value] of Object.entries(sink)) {
      const isShownUrl = typeof value === "string" && !isSecret(member, value) && value.includes("://");
      if (isShownUrl && namesUser(value)) context.addIssue({ code: "custom", path: [member], message: mustNotNameUser });
    }
  });

const type = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "must be the type of a sink");

const statuses = ["active", "paused", "suspended"] as const;

/** Read-only fields of replies that bodies may contain, because Auth0's tools write back everything that they read. */
const readOnlyFields = { delivered_until: z.string(), failures: z.int(), last_error: z.string() };

const common = z.object({ name, filters, isPriority, startFrom, ...readOnlyFields }).exactPartial().shape;

/** The body of `POST /api/v2/log-streams`. */
export const CreateLogStream = z
  .union([
    z.strictObject({ type: z.literal("http"), sink: HttpSink, status: z.enum(statuses).exactOptional(), ...common }),
    z.strictObject({
      status: z.enum(statuses).exactOptional(),
      type: type.meta({ description: "A type of sink that this installation has" }),
      sink: HostSink,
      ...common,
    }),
  ])
  .meta({ id: "CreateLogStream" });

/** The body of `PATCH /api/v2/log-streams/{id}`. */
export const UpdateLogStream = z
  .strictObject({
    name,
    status: z.enum(statuses).meta({ description: "`active` resumes delivery where it stopped" }),
    sink: z.union([HttpSink, HostSink]).meta({
      description:
        "Replaces the whole sink, except for omitted secrets. A change of `httpEndpoint`, or of any setting of a sink of another type, must contain the secrets",
    }),
    filters,
    isPriority,
    ...readOnlyFields,
    startFrom: startFrom.meta({
      description: "Delivery continues at this time. An earlier time delivers events again; a later time skips events",
    }),
  })
  .exactPartial()
  .meta({ id: "UpdateLogStream" });

const ShownSink = z.record(z.string(), z.unknown());

const shown = {
  id: fact(z.string()),
  name: fact(z.string()),
  type: fact(z.string()),
  status: z.enum(statuses).meta({ description: "`suspended`: deliveries failed for half a day. Set it to `active` to resume" }),
  isPriority,
  filters: z.array(Filter),
  sink: ShownSink.meta({ description: "Without its secrets" }),
};

/** A log stream in a list: its settings without the state of delivery, because tools store lists in files. */
export const LogStream = z.strictObject(shown).meta({ id: "LogStream" });

/** A single log stream with the state of delivery. */
export const LogStreamState = z
  .strictObject({
    ...shown,
    delivered_until: Timestamp.meta({ description: "Events up to this time are delivered" }),
    failures: z.int().meta({ description: "Failed deliveries since the last successful one" }),
    last_error: z.string().exactOptional().meta({ description: "Why the last delivery failed" }),
    signing_secret: z.string().exactOptional().meta({
      description: "The key that signs deliveries (Standard Webhooks). Returned only when an `http` stream is created",
    }),
  })
  .meta({ id: "LogStreamState" });

export type LogStream = z.infer<typeof LogStream>;
export type LogStreamState = z.infer<typeof LogStreamState>;
export type CreateLogStream = z.infer<typeof CreateLogStream>;

const Settings = z.object({
  sink: z.record(z.string(), z.unknown()),
  filters: z.array(Filter),
  is_priority: z.boolean(),
});

/** Reads the stored settings of a stream, without its secrets. */
export function streamSettings({ settings }: Pick<Row<"log_streams">, "settings">): z.infer<typeof Settings> {
  return readStored(Settings, settings);
}

/** A record as lists show it. */
export function toLogStream(row: Row<"log_streams">): LogStream {
  const { sink, filters: categories, is_priority: priority } = streamSettings(row);
  const { id, name: label, type: kind, status } = row;
  return { id, name: label, type: kind, status: z.enum(statuses).parse(status), isPriority: priority, filters: categories, sink };
}

/** A record with the state of delivery. */
export function toLogStreamState(row: Row<"log_streams">): LogStreamState {
  const { cursor_date: until, failures, last_error: error } = row;
  return { ...toLogStream(row), delivered_until: toTimestamp(until), failures, ...(failures > 0 && { last_error: error }) };
}

/**
 * The setting that decides where the secrets of an `http` stream are sent. For a sink of the host application, any
 * setting could decide it, so all of them count.
 */
const httpDestination = ["httpEndpoint"] as const;

/** The settings of a sink, separated into those that replies show and secrets. */
interface SplitSink {
  readonly shown: JsonObject;
  readonly secrets: JsonObject;
}

/**
 * Requires that the stored secrets of a stream are sent again if a change of its sink sends them elsewhere. The value
 * of each custom header is such a secret.
 * @param sink the sink of the body.
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

/** The name of the sealed secret that signs deliveries. It is never sent to the sink. */
const signingSecret = "signing";

function hasHeaderWithoutValue(sent: Json | undefined): boolean {
  return Array.isArray(sent) && sent.some((header: Json) => typeof header === "object" && header !== null && !("value" in header));
}
