import { findOne } from "../../store/find-one.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import { readAll } from "../../store/read-all.ts";
import type { Row } from "../../store/schema.ts";
import { isObject, type Json, type JsonObject } from "../../store/value.ts";
import { makeWebhookSecret } from "../../logs/webhook-signature.ts";
import { openStreamCredentials, sealStreamCredentials } from "../../logs/stream-credentials.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema } from "../../http/pagination.ts";
import { parseInput } from "../../http/validation.ts";
import { isSecret } from "../../model/connections/secrets.ts";
import {
  checkSinkSecretsStay,
  createLogStreamSchema,
  httpSinkSchema,
  logStreamSchema,
  logStreamStateSchema,
  streamSettings,
  toLogStream,
  toLogStreamState,
  updateLogStreamSchema,
} from "../../model/logs/log-streams.ts";
import { isReceiverType, receiverSinkSchemas } from "../../model/logs/receivers.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { createWindow, storeWindow } from "../../tenants/log-streams/late-events.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import * as z from "zod";

const path = "/api/v2/log-streams";
const missing = { 404: { error: "not_found" } } as const;

/** The maximum number of log streams per tenant. Each event is delivered to each stream. */
const maximumStreams = 10;

/** The routes for log streams, which deliver a tenant's audit events. */
export const logStreamRoutes = [
  route({
    method: "GET",
    path,
    summary: "List log streams",
    scopes: ["read:log_streams"],
    responses: { 200: z.array(logStreamSchema) },
  })(async (_, { tenant }) => (await readAll(tenant.data.log_streams, ["created_at", "id"], {})).map(toLogStream)),
  route({
    method: "POST",
    path,
    summary: "Create a log stream",
    description:
      "Events are delivered at least once, in the order of the log, a few seconds after they occurred. Deliveries to `http` sinks are signed according to Standard Webhooks. The key is the `signing_secret` in this response.",
    scopes: ["create:log_streams"],
    body: createLogStreamSchema,
    responses: { 201: logStreamStateSchema, 409: { error: "conflict" } },
  })(async ({ body }, { tenant }) => {
    const { data } = tenant;
    const { type, sink, name = type, status = "active", filters = [], isPriority = false, startFrom } = body;
    await checkType(tenant, type, sink);
    if ((await data.log_streams.count({})) >= maximumStreams)
      throw new PosternError("conflict", `a tenant has at most ${maximumStreams} log streams`);
    const [id, now] = [tenant.random.record("lst_"), tenant.now()];
    const { shown, secrets } = splitSink(sink, {});
    const signing = type === "http" ? makeWebhookSecret(tenant.random) : undefined;
    const cursor = { cursor_date: startFrom === undefined ? now : Math.min(Date.parse(startFrom), now), cursor_id: "" };
    // A stream with `startFrom` delivers all stored events since that time. A stream that starts now needs a window,
    // which records the events that are already stored.
    const window =
      startFrom === undefined
        ? await createWindow(data, { streamId: id, now, length: tenant.config.lateEventWindow, makeId: () => tenant.random.record() })
        : undefined;
    const row: Row<"log_streams"> = {
      id,
      name,
      type,
      status,
      settings: { sink: shown, filters, is_priority: isPriority },
      ...(await sealStreamCredentials(tenant, id, { ...secrets, ...(signing !== undefined && { signing }) })),
      ...cursor,
      failures: 0,
      last_error: "",
      next_at: 0,
      leased_until: 0,
      served_at: 0,
      window_state: window === undefined ? null : storeWindow(window, cursor),
      revision: 0,
      created_at: now,
      updated_at: now,
    };
    await data.log_streams.insert([row]);
    return { ...toLogStreamState(row), ...(signing !== undefined && { signing_secret: signing }) };
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    summary: "Get a log stream",
    scopes: ["read:log_streams"],
    query: listFieldSelectionSchema,
    responses: { 200: logStreamStateSchema, ...missing },
  })(async ({ params }, { tenant }) => {
    const row = await findOne(tenant.data.log_streams, { id: params.id });
    if (row === undefined) throw unknown();
    return toLogStreamState(row);
  }),
  route({
    method: "PATCH",
    path: `${path}/:id`,
    summary: "Update a log stream",
    description: "A stream that becomes `active` again continues where it stopped, without losing events.",
    scopes: ["update:log_streams"],
    body: updateLogStreamSchema,
    responses: { 200: logStreamStateSchema, ...missing, 409: { error: "conflict" } },
  })(async ({ params, body }, { tenant }) => {
    const changed = await changeRow(tenant.data.log_streams, { id: params.id }, (row) => toChange(tenant, row, body));
    return toLogStreamState(requireRow(changed, "log stream", unknown));
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    summary: "Delete a log stream",
    description: "Returns 204 even if the stream does not exist, so that a call can be retried.",
    scopes: ["delete:log_streams"],
    responses: { 204: null },
  })(async ({ params }, { tenant }) => {
    await tenant.data.log_streams.delete({ id: params.id });
    await tenant.data.log_stream_deliveries.delete({ stream_id: params.id });
  }),
];

const unknown = (): PosternError => new PosternError("not_found", "there is no such log stream");

/** Requires that the type of a stream is built in, or the name of a sink that the host application provides. */
async function checkType(tenant: RequestTenant, type: string, sink: JsonObject): Promise<void> {
  const types = ["http", ...Object.keys(receiverSinkSchemas), ...Object.keys(tenant.host.logSinks)];
  if (!types.includes(type)) throw invalidBody(`'type' must be one of ${types.join(", ")}`);
  await checkSink(type, sink);
}

/**
 * Validates the settings of a built-in sink. Those of the host application have no schema, because the host application
 * defines their settings.
 */
async function checkSink(type: string, sink: JsonObject): Promise<void> {
  const schema = type === "http" ? httpSinkSchema : isReceiverType(type) ? receiverSinkSchemas[type] : undefined;
  if (schema !== undefined) await parseInput(z.object({ sink: schema }), { sink }, "body");
}

async function toChange(
  tenant: RequestTenant,
  row: Row<"log_streams">,
  body: z.output<typeof updateLogStreamSchema>,
): Promise<Partial<Row<"log_streams">>> {
  const { name = row.name, status, sink, filters, isPriority, startFrom } = body;
  const stored = streamSettings(row);
  const storedSecrets = sink === undefined ? {} : await openStreamCredentials(tenant, tenant.data, row);
  const { shown, secrets } = splitSink(sink ?? {}, storedSecrets);
  if (sink !== undefined) {
    await checkSink(row.type, isReceiverType(row.type) ? { ...storedSecrets, ...sink } : sink);
    checkSinkSecretsStay(row.type, { shown: stored.sink as JsonObject, secrets: storedSecrets }, shown, sink);
  }
  const settings = {
    sink: sink === undefined ? (stored.sink as JsonObject) : shown,
    filters: filters ?? stored.filters,
    is_priority: isPriority ?? stored.is_priority,
  };
  const resumed = status === "active" || sink !== undefined || startFrom !== undefined;
  return {
    name,
    settings,
    ...(status !== undefined && { status }),
    ...(resumed && { failures: 0, next_at: 0 }),
    ...(startFrom !== undefined && { cursor_date: Math.min(Date.parse(startFrom), tenant.now()), cursor_id: "" }),
    ...(Object.keys(secrets).length > 0 && (await sealStreamCredentials(tenant, row.id, { ...storedSecrets, ...secrets }))),
    updated_at: tenant.now(),
  };
}

/**
 * Separates the settings of a sink into those that responses contain and the secrets that authenticate the tenant to
 * the sink.
 * @param storedSecrets the stored secrets. A header without a value keeps its stored value.
 */
function splitSink(sink: JsonObject, storedSecrets: JsonObject): { readonly shown: JsonObject; readonly secrets: JsonObject } {
  const secret = (name: string, value: unknown): boolean =>
    name === "httpAuthorization" || name === "httpCustomHeaders" || isSecret(name, value);
  const entries = Object.entries(sink);
  const sent = headersIn(sink);
  const headers = "httpCustomHeaders" in sink ? { httpCustomHeaders: sent.map(({ header }) => ({ header })) } : {};
  const withValues = sent.map(({ header, value }) => {
    const found = value ?? headersIn(storedSecrets).find((stored) => stored.header === header)?.value;
    if (found === undefined) throw invalidBody(`'sink.httpCustomHeaders': the header '${header}' has no value`);
    return { header, value: found };
  });
  return {
    shown: { ...Object.fromEntries(entries.filter(([name, value]) => !secret(name, value))), ...headers },
    secrets: {
      ...Object.fromEntries(entries.filter(([name, value]) => secret(name, value))),
      ...("httpCustomHeaders" in sink && { httpCustomHeaders: withValues }),
    },
  };
}

function headersIn({ httpCustomHeaders: stored }: JsonObject): readonly { readonly header: string; readonly value: string | undefined }[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: Json) =>
    isObject(one) && typeof one["header"] === "string"
      ? [{ header: one["header"], value: typeof one["value"] === "string" ? one["value"] : undefined }]
      : [],
  );
}
