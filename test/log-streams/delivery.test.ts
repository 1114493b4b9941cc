import { Webhook } from "standardwebhooks";
import type { LogDelivery } from "@postern/core";
import { describe, expect, test } from "vitest";
import { auditEvents, expectError, list, jsonBody, stringMember, type JsonBody } from "../support/api.ts";
import { login, openService } from "../support/flow.ts";

interface ReceivedRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

async function open() {
  const received: ReceivedRequest[] = [];
  const delivered: LogDelivery[] = [];
  let answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 204 });
  let deliver: (delivery: LogDelivery) => Promise<void> = async (delivery) => void delivered.push(delivery);
  const service = await openService({
    network: {
      fetch: async (request) => {
        received.push({ url: request.url, headers: request.headers, body: await request.clone().text() });
        return answer(request);
      },
    },
    logSinks: { bus: { deliver: (delivery) => deliver(delivery) } },
    logger: { log: () => {} },
  });
  const create = (body: object): Promise<JsonBody> => service.manage.create("/api/v2/log-streams", body);
  const events = ({ body }: ReceivedRequest): JsonBody[] => (JSON.parse(body) as { data: JsonBody }[]).map(({ data }) => data);
  return {
    service,
    got: received,
    delivered,
    create,
    events,
    setAnswer: (next: typeof answer) => void (answer = next),
    setDeliver: (next: typeof deliver) => void (deliver = next),
    /** Delivers the events so far. */
    run: async () => {
      service.clock.advance("4s");
      return service.postern.jobs.deliverEvents();
    },
  };
}

const endpoint = "https://siem.example/logs";
const sink = { httpEndpoint: endpoint };

describe("a log stream over HTTP", async () => {
  const { service, got: received, create, events, setAnswer, run } = await open();
  const { manage, web, ada } = service;

  test("delivers every event once, in the order of the log, signed according to Standard Webhooks", async () => {
    const stream = await create({
      type: "http",
      name: "SIEM",
      sink: { ...sink, httpAuthorization: "Bearer s3cret", httpCustomHeaders: [{ header: "x-team", value: "blue-s3cret" }] },
    });
    expect(stream).toMatchObject({ type: "http", name: "SIEM", status: "active", isPriority: false, filters: [], failures: 0 });
    await login(service.browser(), web, ada);
    expect(await service.postern.jobs.deliverEvents()).toEqual({ delivered: 0, failed: 0, finished: true, skippedTenants: [] });
    const { delivered } = await run();
    const [post] = received;
    if (post === undefined) throw new Error("nothing was posted");
    expect(received).toHaveLength(1);
    expect(post.url).toBe(endpoint);
    expect(Object.fromEntries(post.headers)).toMatchObject({
      "content-type": "application/json",
      authorization: "Bearer s3cret",
      "x-team": "blue-s3cret",
    });
    expect(events(post)).toHaveLength(delivered);
    expect(events(post).map(({ type }) => type)).toEqual(expect.arrayContaining(["sapi", "s"]));
    const dates = events(post).map(({ date, log_id: id }) => `${String(date)} ${String(id)}`);
    expect(dates).toEqual(dates.toSorted());
    // Verified with the library that receivers use. Its tolerance is relative to the real time.
    const verify = (body: string) => new Webhook(stringMember(stream, "signing_secret")).verify(body, Object.fromEntries(post.headers));
    expect(() => verify(post.body)).toThrow("too old");
    const { "webhook-id": id = "", "webhook-timestamp": at = "", "webhook-signature": signature = "" } = Object.fromEntries(post.headers);
    expect(new Webhook(stringMember(stream, "signing_secret")).sign(id, new Date(Number(at) * 1000), post.body)).toBe(signature);
    expect(new Webhook(stringMember(stream, "signing_secret")).sign(id, new Date(Number(at) * 1000), `${post.body} `)).not.toBe(signature);
    received.length = 0;
    expect(await run()).toMatchObject({ delivered: 0 });
    expect(received).toEqual([]);
  });

  test("returns no secret and logs none", async () => {
    const [stream] = list(await manage("GET", "/api/v2/log-streams"));
    expect(stream).toMatchObject({ sink: { httpEndpoint: endpoint, httpCustomHeaders: [{ header: "x-team" }] } });
    expect(stream).not.toHaveProperty("signing_secret");
    expect(jsonBody(await manage("GET", `/api/v2/log-streams/${String(stream?.["id"])}`))).toMatchObject(stream ?? {});
    const all = JSON.stringify([stream, (await manage("GET", "/api/v2/logs?per_page=100")).body]);
    expect(all).not.toContain("s3cret");
    expect(all).not.toContain("whsec_");
    const rows = await service.data.collections.log_streams.find({ where: { tenant_id: "main" }, limit: 10 });
    expect(JSON.stringify(rows)).not.toMatch(/s3cret|whsec_/);
    // Auth0's tools write back what they read. A header without a value keeps its stored value.
    const { id, type: _type, ...read } = jsonBody(await manage("GET", `/api/v2/log-streams/${String(stream?.["id"])}`));
    jsonBody(await manage("PATCH", `/api/v2/log-streams/${String(id)}`, read));
    await login(service.browser(), web, ada);
    await run();
    expect(Object.fromEntries(received[0]?.headers ?? [])).toMatchObject({ authorization: "Bearer s3cret", "x-team": "blue-s3cret" });
    received.length = 0;
    await manage("DELETE", `/api/v2/log-streams/${String(stream?.["id"])}`);
  });

  test("delivers JSON lines or single events, and only the selected categories", async () => {
    const stream = await create({
      type: "http",
      sink: { ...sink, httpContentFormat: "JSONLINES", httpContentType: "application/x-ndjson" },
      filters: [{ type: "category", name: "auth.login.success" }],
    });
    await login(service.browser(), web, ada);
    await login(service.browser(), web, ada);
    expect(await run()).toMatchObject({ delivered: 2 });
    expect(
      received[0]?.body
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { data: { type: string } }).data.type),
    ).toEqual(["s", "s"]);
    expect(received[0]?.headers.get("content-type")).toBe("application/x-ndjson");
    received.length = 0;
    const path = `/api/v2/log-streams/${stringMember(stream, "id")}`;
    jsonBody(await manage("PATCH", path, { sink: { ...sink, httpContentFormat: "JSONOBJECT" } }));
    await login(service.browser(), web, ada);
    await login(service.browser(), web, ada);
    await run();
    expect(received.map(({ body }) => (JSON.parse(body) as { data: { type: string } }).data.type)).toEqual(["s", "s"]);
    expect(new Set(received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(2);
    received.length = 0;
    await manage("DELETE", path);
  });

  test("with single events advances after each ten, so that a slow endpoint makes progress", async () => {
    const stream = await create({
      type: "http",
      sink: { ...sink, httpContentFormat: "JSONOBJECT" },
      filters: [{ type: "category", name: "auth.login.success" }],
    });
    for (let logins = 0; logins < 12; logins++) await login(service.browser(), web, ada);
    let answered = 0;
    setAnswer(() => new Response(null, { status: answered++ < 10 ? 200 : 500 }));
    await run();
    setAnswer(() => new Response());
    received.length = 0;
    service.clock.advance("1m");
    await run();
    expect(received.length).toBeLessThan(12);
    await manage("DELETE", `/api/v2/log-streams/${stringMember(stream, "id")}`);
    received.length = 0;
  });

  test("retries the same events with growing delays, is finally suspended, and continues with these events when it is activated", async () => {
    const stream = await create({ type: "http", sink, filters: [{ type: "category", name: "auth.login.success" }] });
    const path = `/api/v2/log-streams/${stringMember(stream, "id")}`;
    setAnswer(() => new Response("no", { status: 500 }));
    await login(service.browser(), web, ada);
    expect(await run()).toEqual({ delivered: 0, failed: 1, finished: true, skippedTenants: [] });
    expect(jsonBody(await manage("GET", path))).toMatchObject({
      status: "active",
      failures: 1,
      last_error: "the endpoint responded with 500",
    });
    // A retry does not happen before its time.
    expect(await service.postern.jobs.deliverEvents()).toMatchObject({ failed: 0 });
    for (let failures = 2; failures <= 20; failures++) {
      service.clock.advance("1h");
      expect(await service.postern.jobs.deliverEvents(), `failure ${failures}`).toMatchObject({ failed: 1 });
    }
    expect(jsonBody(await manage("GET", path))).toMatchObject({ status: "suspended", failures: 20 });
    const ids = new Set(received.map(({ headers }) => headers.get("webhook-id")));
    expect(ids.size).toBe(1);
    expect((await auditEvents(manage, "wn"))[0]).toMatchObject({ description: expect.stringContaining("is suspended") as string });
    service.clock.advance("24h");
    expect(await service.postern.jobs.deliverEvents()).toMatchObject({ failed: 0, delivered: 0 });
    setAnswer(() => new Response(null, { status: 200 }));
    jsonBody(await manage("PATCH", path, { status: "active" }));
    received.length = 0;
    expect(await run()).toMatchObject({ delivered: 1 });
    expect(received).toHaveLength(1);
    await manage("DELETE", path);
    received.length = 0;
  });

  test("delivers nothing while it is paused, and continues from a requested time", async () => {
    const stream = await create({ type: "http", sink, filters: [{ type: "category", name: "auth.login.success" }] });
    const path = `/api/v2/log-streams/${stringMember(stream, "id")}`;
    const before = new Date(service.clock.now()).toISOString();
    jsonBody(await manage("PATCH", path, { status: "paused" }));
    await login(service.browser(), web, ada);
    expect(await run()).toMatchObject({ delivered: 0 });
    jsonBody(await manage("PATCH", path, { status: "active" }));
    expect(await run()).toMatchObject({ delivered: 1 });
    jsonBody(await manage("PATCH", path, { startFrom: before }));
    expect(await run()).toMatchObject({ delivered: 1 });
    await manage("DELETE", path);
    received.length = 0;
  });

  test("never connects to this machine, a private network or a redirect target", async () => {
    const plain = await openService({ logger: { log: () => {} } });
    const paths: string[] = [];
    for (const httpEndpoint of ["https://127.0.0.1/x", "https://169.254.169.254/latest", "https://[::1]/x", "http://siem.example/x"]) {
      paths.push(stringMember(await plain.manage.create("/api/v2/log-streams", { type: "http", sink: { httpEndpoint } }), "id"));
    }
    plain.clock.advance("4s");
    expect(await plain.postern.jobs.deliverEvents()).toMatchObject({ delivered: 0, failed: paths.length });
    setAnswer(() => new Response(null, { status: 302, headers: { location: "https://127.0.0.1/" } }));
    const stream = await create({ type: "http", sink });
    expect(await run()).toMatchObject({ failed: 1 });
    setAnswer(() => new Response());
    await manage("DELETE", `/api/v2/log-streams/${stringMember(stream, "id")}`);
    received.length = 0;
  });

  test("does not show the tenant a resolved IP address, which only the operator's log contains", async () => {
    const entries: unknown[] = [];
    const plain = await openService({ logger: { log: (entry) => void entries.push(entry) } });
    const sinks = { httpEndpoint: "https://localhost/in?token=hush" };
    const path = `/api/v2/log-streams/${stringMember(await plain.manage.create("/api/v2/log-streams", { type: "http", sink: sinks }), "id")}`;
    plain.clock.advance("4s");
    expect(await plain.postern.jobs.deliverEvents()).toMatchObject({ failed: 1 });
    const shown = JSON.stringify([
      jsonBody(await plain.manage("GET", path)),
      (await plain.manage("GET", "/api/v2/logs?per_page=100")).body,
    ]);
    expect(shown).toContain("'localhost' has an address that is not public");
    expect(shown).not.toMatch(/127\.0\.0\.1|::1/);
    const failure = entries.find((entry) => (entry as { event: string }).event === "log_stream_failed") as { error: Error };
    expect(failure.error.message).toMatch(/127\.0\.0\.1|::1/);
    expect(String(failure.error)).not.toContain("hush");
  });

  test("is rejected with invalid input", async () => {
    const post = (body: object) => manage("POST", "/api/v2/log-streams", body);
    expectError(await post({ type: "eventbridge", sink: {} }), 400, "invalid_request", "'type' must be one of http, datadog, .*, bus");
    expectError(await post({ type: "http", sink: {} }), 400, "invalid_request", "httpEndpoint");
    expectError(await post({ type: "http", sink: { httpEndpoint: "ftp://x" } }), 400, "invalid_request");
    expectError(
      await post({ type: "http", sink: { ...sink, httpCustomHeaders: [{ header: "bad header", value: "x" }] } }),
      400,
      "invalid_request",
    );
    for (const header of ["Host", "Content-Length", "webhook-signature", "transfer-encoding"]) {
      expectError(
        await post({ type: "http", sink: { ...sink, httpCustomHeaders: [{ header, value: "x" }] } }),
        400,
        "invalid_request",
        "header",
      );
    }
    expectError(
      await post({ type: "http", sink: { ...sink, httpAuthorization: "x\r\nhost: y" } }),
      400,
      "invalid_request",
      "httpAuthorization",
    );
    expectError(await post({ type: "http", sink, filters: [{ type: "category", name: "none" }] }), 400, "invalid_request", "filters");
    expectError(await post({ type: "http", sink, pii_config: { log_fields: ["email"] } }), 400, "invalid_request", "pii_config");
    expectError(await manage("GET", "/api/v2/log-streams/lst_none"), 404, "not_found");
    expectError(await manage("PATCH", "/api/v2/log-streams/lst_none", { name: "x" }), 404, "not_found");
    for (let made = 0; made < 10; made++) await create({ type: "bus", sink: {} });
    expectError(await post({ type: "bus", sink: {} }), 409, "conflict");
  });
});

describe("a log stream to a custom sink", async () => {
  const { service, delivered, create, setDeliver, run } = await open();

  test("delivers events with the stream's settings and its decrypted secrets", async () => {
    await create({ type: "bus", sink: { topic: "logs", apiKey: "k-s3cret" }, filters: [{ type: "category", name: "auth.login.success" }] });
    expect(JSON.stringify((await service.manage("GET", "/api/v2/log-streams")).body)).not.toContain("k-s3cret");
    await login(service.browser(), service.web, service.ada);
    await run();
    expect(delivered).toMatchObject([
      { tenantId: "main", sink: { topic: "logs", apiKey: "k-s3cret" }, events: [{ type: "s", user_id: service.ada.userId }] },
    ]);
  });

  test("is delivered by one of several processes at a time, and each event arrives once", async () => {
    delivered.length = 0;
    setDeliver(async (delivery) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      delivered.push(delivery);
    });
    for (let logins = 0; logins < 3; logins++) await login(service.browser(), service.web, service.ada);
    service.clock.advance("4s");
    await Promise.all(Array.from({ length: 32 }, () => service.postern.jobs.deliverEvents()));
    expect(delivered.flatMap(({ events }) => events)).toHaveLength(3);
  });

  test("is delivered again with the same id by another process after the lease of a crashed one expired", async () => {
    delivered.length = 0;
    let crashes = true;
    setDeliver(async (delivery) => {
      delivered.push(delivery);
      if (crashes) await new Promise(() => {});
    });
    await login(service.browser(), service.web, service.ada);
    service.clock.advance("4s");
    void service.postern.jobs.deliverEvents();
    await expect.poll(() => delivered.length).toBe(1);
    crashes = false;
    expect(await service.postern.jobs.deliverEvents()).toMatchObject({ delivered: 0 });
    service.clock.advance("61s");
    expect(await service.postern.jobs.deliverEvents()).toMatchObject({ delivered: 1 });
    expect(delivered[1]).toMatchObject({ id: delivered[0]?.id });
  });

  test("never receives events of another tenant", async () => {
    const types = new Set(delivered.map(({ tenantId }) => tenantId));
    const token = await service.token("other");
    await service.call("POST", "/api/v2/roles", { token, headers: { "tenant-id": "other" }, body: { name: "r" } });
    await run();
    expect(delivered.flatMap(({ events }) => events).some(({ client_id: id }) => id === "other-manager")).toBe(false);
    expect([...types]).toEqual(["main"]);
  });

  test("continues in the next call if one call reaches its budget", async () => {
    delivered.length = 0;
    setDeliver(async (delivery) => void delivered.push(delivery));
    for (let logins = 0; logins < 6; logins++) await login(service.browser(), service.web, service.ada);
    service.clock.advance("4s");
    let rounds = 0;
    while (!(await service.postern.jobs.deliverEvents({ budget: 2 })).finished && rounds++ < 10);
    expect(delivered.flatMap(({ events }) => events)).toHaveLength(6);
  });
});
