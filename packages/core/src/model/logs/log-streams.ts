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
const filters = z.array(Filter).max(50).meta({ description: "Categories of events that are delivered. Default: all" });
const isPriority = storedOnly(z.boolean());
const startFrom = z.iso.datetime({ offset: true }).meta({ description: "The first event that is delivered. Default: those from now on" });

/** Headers that say how a request is made, or that a delivery has itself. */
const ownHeaders =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-(length|type|encoding)|authorization|webhook-.*)$/i;

const printable = z.string().regex(/^[\x20-\x7e]*$/, "must be printable ASCII");

const Header = z.strictObject({
  header: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, "must be the name of a header")
    .refine((header) => !ownHeaders.test(header), "is a header that deliveries have themselves"),
  value: printable.max(2048).exactOptional().meta({ description: "In a change, left out: the one that is stored" }),
});

/** Where events are posted to. */
const httpFields = {
  httpEndpoint: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .refine((url) => !namesUser(url), mustNotNameUser)
    .meta({ description: "Must be https, but for addresses that `network.allowedPrivateAddresses` allows" }),
  httpContentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/, "must be a media type")
    .max(100),
  httpContentFormat: z
    .enum(["JSONARRAY", "JSONLINES", "JSONOBJECT"])
    .meta({ description: "Default `JSONARRAY`. `JSONOBJECT` is a request an event" }),
  httpAuthorization: printable.max(4096).meta({ description: "The header `Authorization`. Never shown" }),
  httpCustomHeaders: z.array(Header).max(20).meta({ description: "Further headers. Their values are never shown" }),
};
const { httpEndpoint, ...httpOptions } = httpFields;

/** Where events go. Of type `http` with these fields; of another type what its sink takes. */
export const HttpSink = z.strictObject({ httpEndpoint, ...z.object(httpOptions).exactPartial().shape });

/** The settings of a sink of the host's: values of JSON. */
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

/** What replies show besides: the vendor's tools write back whatever they read. */
const shownBesides = { delivered_until: z.string(), failures: z.int(), last_error: z.string() };

const common = z.object({ name, filters, isPriority, startFrom, ...shownBesides }).exactPartial().shape;

/** The body of `POST /api/v2/log-streams`. */
export const CreateLogStream = z
  .union([
    z.strictObject({ type: z.literal("http"), sink: HttpSink, status: z.enum(statuses).exactOptional(), ...common }),
    z.strictObject({
      status: z.enum(statuses).exactOptional(),
      type: type.meta({ description: "A sink that this installation has" }),
      sink: HostSink,
      ...common,
    }),
  ])
  .meta({ id: "CreateLogStream" });

/** The body of `PATCH /api/v2/log-streams/{id}`. */
export const UpdateLogStream = z
  .strictObject({
    name,
    status: z.enum(statuses).meta({ description: "`active` goes on where it stopped" }),
    sink: z.union([HttpSink, HostSink]).meta({
      description:
        "Replaces all of it, but for secrets that are not sent. A change of `httpEndpoint`, or of any setting of another type, must bring the secrets again",
    }),
    filters,
    isPriority,
    ...shownBesides,
    startFrom: startFrom.meta({
      description: "Goes on at this time: earlier for what is to be delivered again, later to pass over what is never taken",
    }),
  })
  .exactPartial()
  .meta({ id: "UpdateLogStream" });

const ShownSink = z.record(z.string(), z.unknown());

const shown = {
  id: fact(z.string()),
  name: fact(z.string()),
  type: fact(z.string()),
  status: z.enum(statuses).meta({ description: "`suspended`: it failed for half a day, and waits for somebody to make it `active`" }),
  isPriority,
  filters: z.array(Filter),
  sink: ShownSink.meta({ description: "Without its secrets" }),
};

/** A log stream as lists show it: what it is set to, and nothing that changes by itself. Tools keep lists in files. */
export const LogStream = z.strictObject(shown).meta({ id: "LogStream" });

/** A log stream by itself, with how far it came. */
export const LogStreamState = z
  .strictObject({
    ...shown,
    delivered_until: Timestamp.meta({ description: "Events up to then are delivered" }),
    failures: z.int().meta({ description: "Deliveries that failed since the last that did not" }),
    last_error: z.string().exactOptional().meta({ description: "Why the last one failed" }),
    signing_secret: z.string().exactOptional().meta({
      description: "In the reply to the creation of an `http` stream alone: what its deliveries are signed with (Standard Webhooks)",
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

/** What a stream keeps that is no secret. */
export function streamSettings({ settings }: Pick<Row<"log_streams">, "settings">): z.infer<typeof Settings> {
  return readStored(Settings, settings);
}

/** A record as lists show it. */
export function toLogStream(row: Row<"log_streams">): LogStream {
  const { sink, filters: categories, is_priority: priority } = streamSettings(row);
  const { id, name: label, type: kind, status } = row;
  return { id, name: label, type: kind, status: z.enum(statuses).parse(status), isPriority: priority, filters: categories, sink };
}

/** A record by itself. */
export function toLogStreamState(row: Row<"log_streams">): LogStreamState {
  const { cursor_date: until, failures, last_error: error } = row;
  return { ...toLogStream(row), delivered_until: toTimestamp(until), failures, ...(failures > 0 && { last_error: error }) };
}

/**
 * Where the secrets of an `http` stream are sent. Of a sink of the host's nobody here knows which setting says where,
 * so each of them counts.
 */
const httpDestination = ["httpEndpoint"] as const;

/** A sink in two parts. */
interface SplitSink {
  readonly shown: JsonObject;
  readonly secrets: JsonObject;
}

/**
 * Requires the stored secrets of a stream again when a change of its sink sends them elsewhere. The value of each
 * custom header is one.
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

/** The member of the sealed secrets that signs deliveries. It is never sent. */
export const signingSecret = "signing";

function hasHeaderWithoutValue(sent: Json | undefined): boolean {
  return Array.isArray(sent) && sent.some((header: Json) => typeof header === "object" && header !== null && !("value" in header));
}
