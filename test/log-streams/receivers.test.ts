import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { expectError, jsonBody, managerOf } from "../support/api.ts";
import { createTestPostern } from "../support/postern.ts";

/** A request that a receiver got, with its body decompressed. */
interface Received {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
}

/** Opens a service with one stream, and a receiver that records the requests. Its responses are `responses`, then 200. */
async function open(type: string, sink: object) {
  const received: Received[] = [];
  const responses: Response[] = [];
  const entries: { readonly event: string }[] = [];
  const service = await createTestPostern({
    logger: { log: (entry) => void entries.push(entry) },
    network: {
      fetch: async (request) => {
        const body = new Uint8Array(await request.arrayBuffer());
        const isCompressed = request.headers.get("content-encoding") === "gzip";
        const text = new TextDecoder().decode(isCompressed ? gunzipSync(body) : body);
        received.push({ url: request.url, headers: Object.fromEntries(request.headers), text });
        return responses.shift() ?? new Response("{}");
      },
    },
  });
  const manage = await managerOf(service);
  const created = await manage("POST", "/api/v2/log-streams", { type, name: type, sink });
  service.clock.advance("10s");
  await service.postern.jobs.deliverEvents();
  received.length = 0;
  const roles = ["a", "b"];
  for (const name of roles) await service.postern.tenant("main").roles.create({ name });
  return {
    service,
    created,
    received,
    responses,
    entries,
    manage,
    /** Delivers what is due. */
    deliver: async () => {
      service.clock.advance("10s");
      return service.postern.jobs.deliverEvents();
    },
  };
}

/** The settings of each receiver, without and with its secrets, and the expected request. */
const receivers = {
  datadog: {
    shown: { datadogRegion: "eu" },
    secrets: { datadogApiKey: "dd-secret" },
    url: "https://http-intake.logs.datadoghq.eu/api/v2/logs",
    headers: { "dd-api-key": "dd-secret", "content-encoding": "gzip" },
    logIds: (text: string) =>
      (JSON.parse(text) as { message: string }[]).map(({ message }) => (JSON.parse(message) as { log_id: string }).log_id),
    invalid: { datadogRegion: "mars", datadogApiKey: "dd-secret" },
  },
  splunk: {
    shown: { splunkDomain: "splunk.example.test", splunkPort: "8088", splunkSecure: true },
    secrets: { splunkToken: "hec-secret" },
    url: "https://splunk.example.test:8088/services/collector/event",
    headers: { authorization: "Splunk hec-secret" },
    logIds: (text: string) => text.split("\n").map((line) => (JSON.parse(line) as { event: { log_id: string } }).event.log_id),
    invalid: { splunkDomain: "a/b", splunkPort: "8088", splunkSecure: true, splunkToken: "hec-secret" },
  },
  sumo: {
    shown: {},
    secrets: { sumoSourceAddress: "https://collectors.sumologic.test/receiver/v1/http/sumo-secret" },
    url: "https://collectors.sumologic.test/receiver/v1/http/sumo-secret",
    headers: { "content-encoding": "gzip" },
    logIds: (text: string) => text.split("\n").map((line) => (JSON.parse(line) as { log_id: string }).log_id),
    invalid: { sumoSourceAddress: "ftp://sumo.test" },
  },
  segment: {
    shown: {},
    secrets: { segmentWriteKey: "segment-secret" },
    url: "https://api.segment.io/v1/batch",
    headers: { authorization: `Basic ${btoa("segment-secret:")}` },
    logIds: (text: string) => (JSON.parse(text) as { batch: { messageId: string }[] }).batch.map(({ messageId }) => messageId),
    invalid: { segmentWriteKey: "" },
  },
  mixpanel: {
    shown: { mixpanelRegion: "eu", mixpanelProjectId: "123", mixpanelServiceAccountUsername: "account" },
    secrets: { mixpanelServiceAccountPassword: "mixpanel-secret" },
    url: "https://api-eu.mixpanel.com/import?strict=1&project_id=123",
    headers: { authorization: `Basic ${btoa("account:mixpanel-secret")}`, "content-encoding": "gzip" },
    logIds: (text: string) => (JSON.parse(text) as { properties: { $insert_id: string } }[]).map(({ properties }) => properties.$insert_id),
    invalid: { mixpanelRegion: "eu", mixpanelProjectId: "1&x=2", mixpanelServiceAccountUsername: "a", mixpanelServiceAccountPassword: "b" },
  },
} as const;

describe.each(Object.entries(receivers))("a log stream of type %s", (type, { shown, secrets, url, headers, logIds, invalid }) => {
  test("delivers the events of a batch in the receiver's format, and once", async () => {
    const { received, deliver, created, manage } = await open(type, { ...shown, ...secrets });
    expect(created.status).toBe(201);
    expect(await deliver()).toMatchObject({ delivered: 2, failed: 0 });
    const log = (await manage("GET", "/api/v2/logs?q=type:sapi&sort=date:-1&per_page=2")).body as { readonly log_id: string }[];
    expect(received).toEqual([
      { url, headers: expect.objectContaining({ ...headers, "content-type": "application/json" }), text: expect.any(String) },
    ]);
    expect(logIds(received[0]?.text ?? "")).toEqual(log.map((event) => event.log_id).toReversed());
    await deliver();
    expect(received).toHaveLength(1);
  });

  test("repeats a whole batch with the same ids after a failure", async () => {
    const { received, responses, deliver } = await open(type, { ...shown, ...secrets });
    responses.push(new Response("busy", { status: 503 }));
    expect(await deliver()).toMatchObject({ delivered: 0, failed: 1 });
    expect(await deliver()).toMatchObject({ delivered: 2, failed: 0 });
    const [first, second] = received.map(({ text }) => logIds(text));
    expect(second).toEqual(first);
  });

  test("follows no redirect", async () => {
    const { received, responses, deliver } = await open(type, { ...shown, ...secrets });
    responses.push(new Response(null, { status: 307, headers: { location: "https://elsewhere.example.test/" } }));
    expect(await deliver()).toMatchObject({ delivered: 0, failed: 1 });
    expect(received.map((request) => request.url)).toEqual([url]);
  });

  test("stores its secrets encrypted: no response and no audit event contains them", async () => {
    const { created, manage, service } = await open(type, { ...shown, ...secrets });
    const id = String(jsonBody(created, 201)["id"]);
    const changed = await manage("PATCH", `/api/v2/log-streams/${id}`, { sink: shown, name: "renamed" });
    expect(jsonBody(changed)).toMatchObject({ name: "renamed", sink: shown });
    const responses = [created, changed, await manage("GET", "/api/v2/log-streams"), await manage("GET", "/api/v2/logs?per_page=50")];
    const rows = await service.data.collections.log_streams.find({ where: { tenant_id: "main", id }, limit: 1 });
    const text = JSON.stringify([responses.map(({ body }) => body), rows]);
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });

  test("rejects invalid, missing and unknown settings", async () => {
    const { manage } = await open(type, { ...shown, ...secrets });
    const sinks: readonly object[] = [invalid, shown, { ...shown, ...secrets, other: "x" }];
    for (const sink of sinks) expectError(await manage("POST", "/api/v2/log-streams", { type, sink }), 400, "invalid_request");
  });
});

test("a change of a receiver's destination requires its secrets again", async () => {
  const { created, manage } = await open("datadog", { ...receivers.datadog.shown, ...receivers.datadog.secrets });
  const path = `/api/v2/log-streams/${String(jsonBody(created, 201)["id"])}`;
  expectError(await manage("PATCH", path, { sink: { datadogRegion: "us" } }), 400, "invalid_request", "datadogApiKey");
  expect((await manage("PATCH", path, { sink: { datadogRegion: "us", datadogApiKey: "new" } })).status).toBe(200);
});

test("Mixpanel: events that it rejects for good are logged and not repeated, because it stored the others", async () => {
  const { shown, secrets } = receivers.mixpanel;
  const { received, responses, deliver, entries } = await open("mixpanel", { ...shown, ...secrets });
  const body = { code: 400, num_records_imported: 1, failed_records: [{ index: 1, field: "properties.time", message: "too old" }] };
  responses.push(Response.json(body, { status: 400 }));
  expect(await deliver()).toMatchObject({ failed: 0 });
  expect(entries.filter(({ event }) => event === "log_stream_events_rejected")).toMatchObject([{ tenant_id: "main", rejected: 1 }]);
  await deliver();
  expect(received).toHaveLength(1);
});

test("Mixpanel: a batch of which nothing was stored is repeated", async () => {
  const { shown, secrets } = receivers.mixpanel;
  const { received, responses, deliver } = await open("mixpanel", { ...shown, ...secrets });
  responses.push(Response.json({ code: 400, num_records_imported: 0, failed_records: [{ index: 0 }] }, { status: 400 }));
  expect(await deliver()).toMatchObject({ failed: 1 });
  expect(await deliver()).toMatchObject({ failed: 0 });
  expect(received).toHaveLength(2);
});

test("Splunk: a batch of which the first events were stored is repeated as a whole", async () => {
  const { shown, secrets, logIds } = receivers.splunk;
  const { received, responses, deliver } = await open("splunk", { ...shown, ...secrets });
  responses.push(Response.json({ text: "Invalid data format", code: 6, "invalid-event-number": 1 }, { status: 400 }));
  expect(await deliver()).toMatchObject({ failed: 1 });
  expect(await deliver()).toMatchObject({ delivered: 2, failed: 0 });
  const [first, second] = received.map(({ text }) => logIds(text));
  expect(second).toEqual(first);
});

test("EventBridge and Event Grid are rejected with the list of types", async () => {
  const { manage } = await open("segment", receivers.segment.secrets);
  for (const type of ["eventbridge", "eventgrid"]) {
    const rejected = await manage("POST", "/api/v2/log-streams", { type, sink: {} });
    expectError(rejected, 400, "invalid_request", "'type' must be one of http, datadog, splunk, sumo, segment, mixpanel");
  }
});
