import { expect, test } from "vitest";
import { openLogoutService } from "../logout/receivers.ts";
import { loginState, obtainTokens, openService, refreshGrant, sendAuthorization, submit, tokens } from "../support/flow.ts";
import { recordTelemetry, type NameTree, type RecordedTelemetry, type TestSpan } from "../support/telemetry.ts";

async function open() {
  const recorded = recordTelemetry();
  const { telemetry } = recorded;
  const service = await openService({ telemetry, messages: { mail: { send: async () => {} } } });
  // Fills the cache of settings, so that a test sees only the calls of its own requests.
  await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" });
  recorded.spans.length = 0;
  recorded.measurements.length = 0;
  return { ...recorded, service, recorded };
}

const requestsOf = ({ spans }: Pick<RecordedTelemetry, "spans">): readonly TestSpan[] =>
  spans.filter(({ name, parent }) => parent === undefined && name.startsWith("postern "));

test("records each request of a login with its route, and below it the data calls, the hash and the signatures", async () => {
  const { service, spans, treeOf, recorded } = await open();
  await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" });
  const trees: readonly NameTree[] = requestsOf(recorded).map(treeOf);
  expect(trees).toEqual([
    { "postern GET /authorize": ["insert login_sessions"] },
    { "postern GET /u/flow": ["find login_sessions", "update login_sessions"] },
    { "postern POST /u/flow": ["find login_sessions", "update login_sessions"] },
    { "postern GET /u/flow": ["find login_sessions"] },
    {
      "postern POST /u/flow": [
        "find login_sessions",
        "find users",
        "find passwords",
        "insert login_attempts",
        "password verify",
        "insert sessions",
        "update users",
        "delete login_attempts",
        "grouped insert logs",
        "update login_sessions",
        "insert authorization_codes",
      ],
    },
    {
      "postern POST /oauth/token": [
        "find authorization_codes",
        "find users",
        "find sessions",
        "grouped insert refresh_tokens",
        "update authorization_codes",
        "sign",
        "sign",
        "grouped insert logs",
      ],
    },
  ]);
  const clients = requestsOf(recorded).map(({ attributes }) => attributes["postern.client.id"]);
  expect(clients).toEqual(clients.map(() => service.web.clientId));
  expect(requestsOf(recorded).at(-1)?.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/oauth/token",
    "http.response.status_code": 200,
    "postern.tenant.id": "main",
    "postern.client.id": service.web.clientId,
    "postern.outcome": "ok",
  });
  expect(spans.filter(({ hasEnded, hasErrorStatus }) => !hasEnded || hasErrorStatus)).toEqual([]);
});

test("a wrong password and an unknown record are refused, and are no errors", async () => {
  const { service, spans, measurements, recorded } = await open();
  const { web, ada } = service;
  const browser = service.browser();
  const asked = await sendAuthorization(browser, web);
  const state = loginState(asked);
  await submit(browser, state, { action: "continue", identifier: ada.email });
  await submit(browser, state, { action: "sign-in", password: "wrong" });
  const refused = requestsOf(recorded).findLast(({ name }) => name === "postern POST /u/login");
  expect(refused).toMatchObject({
    attributes: { "postern.outcome": "refused", "http.response.status_code": 303 },
    hasErrorStatus: false,
  });
  expect(measurements.filter(({ instrument }) => instrument === "postern.logins").map(({ attributes }) => attributes)).toEqual([
    { "postern.outcome": "refused", "postern.login.reason": "wrong_password", "postern.connection.strategy": "auth0" },
  ]);

  spans.length = 0;
  const unknown = await service.call("GET", "/api/v2/users/auth0%7Cunknown", { token: await service.token() });
  expect(unknown.status).toBe(404);
  expect(requestsOf(recorded).at(-1)).toMatchObject({
    name: "postern GET /api/v2/users/:id",
    attributes: { "postern.outcome": "refused", "postern.error.code": "not_found" },
    hasErrorStatus: false,
  });
});

test("a fault sets the status of the span of the data call and of the request", async () => {
  const recorded = recordTelemetry();
  const service = await openService({ telemetry: recorded.telemetry, logger: { log: () => {} } });
  const token = await service.token();
  Object.assign(service.data.collections.roles, { find: () => Promise.reject(new Error("the disk of ada@example.test is full")) });
  recorded.spans.length = 0;
  expect((await service.call("GET", "/api/v2/roles", { token })).status).toBe(500);
  const [call] = recorded.spans.filter(({ name }) => name === "find roles");
  expect(call).toMatchObject({ hasErrorStatus: true, attributes: { "error.type": "_OTHER", "postern.outcome": "error" } });
  expect(requestsOf(recorded)).toMatchObject([{ hasErrorStatus: true, attributes: { "postern.error.code": "server_error" } }]);
  expect(JSON.stringify(recorded.spans.map(({ name, attributes }) => ({ name, attributes })))).not.toContain("ada@");
});

test("the host's span becomes the parent and gets the route, and the log names the trace", async () => {
  const recorded = recordTelemetry();
  const entries: unknown[] = [];
  const service = await openService({ telemetry: recorded.telemetry, logger: { log: (entry) => void entries.push(entry) } });
  entries.length = 0;
  const { span } = await recorded.runInHostSpan(() => service.call("GET", "/.well-known/jwks.json"));
  expect(span.attributes).toEqual({ "http.route": "/.well-known/jwks.json" });
  const [request] = recorded.spans.filter(({ parent }) => parent === span);
  expect(request?.name).toBe("postern GET /.well-known/jwks.json");
  const ids = { trace_id: span.context.traceId, span_id: request?.context.spanId };
  expect(entries).toEqual([expect.objectContaining({ event: "request", ...ids })]);
});

test("an audit event names the trace of its request", async () => {
  const { service, recorded } = await open();
  await obtainTokens(service, service.web, service.ada);
  const { body } = await service.manage("GET", "/api/v2/logs?q=type:seacft&sort=date:-1&per_page=1");
  const exchange = requestsOf(recorded).find(({ name }) => name === "postern POST /oauth/token");
  expect(body).toEqual([
    expect.objectContaining({
      details: expect.objectContaining({ trace_id: exchange?.context.traceId, span_id: exchange?.context.spanId }),
    }),
  ]);
});

test("without a tracer, the log names the span of the host", async () => {
  const recorded = recordTelemetry();
  const { activeSpan } = recorded.telemetry;
  const entries: unknown[] = [];
  const service = await openService({ telemetry: { activeSpan }, logger: { log: (entry) => void entries.push(entry) } });
  entries.length = 0;
  const { span } = await recorded.runInHostSpan(() => service.call("GET", "/.well-known/jwks.json"));
  expect(entries).toEqual([expect.objectContaining({ trace_id: span.context.traceId, span_id: span.context.spanId })]);
  expect(span.attributes).toEqual({ "http.route": "/.well-known/jwks.json" });
});

test("a mail is sent in a span of the request that caused it", async () => {
  const { service, spans, measurements } = await open();
  await service.call("POST", "/dbconnections/change_password", {
    body: { client_id: service.web.clientId, email: service.ada.email, connection: "Username-Password-Authentication" },
  });
  const [mail] = spans.filter(({ name }) => name === "send email");
  expect(mail?.parent?.name).toBe("postern POST /dbconnections/change_password");
  expect(measurements.filter(({ instrument }) => instrument === "postern.messages").map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({ "postern.message.channel": "email", "postern.message.result": "sent" }),
  ]);
});

test("an action runs in a span with its trigger, without the action's name", async () => {
  const recorded = recordTelemetry();
  const actions = [{ name: "of acme", onExecutePostLogin: async () => {} }];
  const service = await openService({ telemetry: recorded.telemetry, actions });
  await obtainTokens(service, service.web, service.ada);
  const spans = recorded.spans.filter(({ name }) => name.startsWith("action"));
  expect(spans.map(({ name, attributes }) => ({ name, attributes }))).toEqual([
    { name: "action onExecutePostLogin", attributes: { "postern.action.trigger": "onExecutePostLogin" } },
  ]);
});

test("counts tokens by grant, replays of refresh tokens and the requests by route", async () => {
  const { service, measurements } = await open();
  const { refresh } = await obtainTokens(service, service.spa, service.ada, { scope: "openid offline_access" });
  expect(tokens(await service.exchange(refreshGrant(service.spa, refresh)))).toHaveProperty("access");
  service.clock.advance("1h");
  await service.exchange(refreshGrant(service.spa, refresh));
  await service.token();
  const grants = measurements.flatMap(({ instrument, attributes }) =>
    instrument === "postern.tokens.issued" ? [attributes["postern.grant"]] : [],
  );
  expect(grants).toEqual(["authorization_code", "refresh_token", "client_credentials"]);
  expect(measurements.filter(({ instrument }) => instrument === "postern.refresh_tokens.replayed")).toEqual([
    { instrument: "postern.refresh_tokens.replayed", value: 1, attributes: { "postern.replay": "reused" } },
  ]);
  expect(measurements.findLast(({ instrument }) => instrument === "http.server.request.duration")?.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/oauth/token",
    "http.response.status_code": 200,
    "url.scheme": "https",
    "postern.outcome": "ok",
  });
});

test("tenants are a label only on request", async () => {
  for (const tenantLabel of [false, true]) {
    const recorded = recordTelemetry();
    const service = await openService({ telemetry: { ...recorded.telemetry, tenantLabel } });
    await obtainTokens(service, service.web, service.ada);
    const labelled = new Set(
      recorded.measurements.filter((one) => "postern.tenant.id" in one.attributes).map(({ instrument }) => instrument),
    );
    expect(labelled).toEqual(new Set(tenantLabel ? ["http.server.request.duration", "postern.logins", "postern.tokens.issued"] : []));
  }
});

test("gauges report the cache, the queue of hashes, the requests in progress and the readiness", async () => {
  const { service, readObserved } = await open();
  const valueOf = (name: string) => readObserved().find(({ instrument }) => instrument === name)?.value;
  expect(valueOf("postern.ready")).toBeUndefined();
  await service.postern.ready();
  expect(valueOf("postern.ready")).toBe(1);
  expect(valueOf("postern.admission.active")).toBe(0);
  expect(valueOf("postern.cache.size")).toBeGreaterThan(0);
  expect(valueOf("postern.sweep.unfinished")).toBeUndefined();
  await service.postern.jobs.sweep();
  expect(valueOf("postern.sweep.unfinished")).toBe(0);
  const lookups = readObserved().filter(({ instrument }) => instrument === "postern.cache.requests");
  expect(
    lookups.find(({ attributes }) => attributes["db.collection.name"] === "clients" && attributes["postern.cache.result"] === "hit")?.value,
  ).toBeGreaterThan(0);
});

test("measures how long a logout token waited, and whether its client accepted it", async () => {
  const { telemetry, measurements } = recordTelemetry();
  const logouts = await openLogoutService({ telemetry });
  const app = await logouts.receiver("app", { backchannel_logout_initiators: { mode: "all" } });
  await obtainTokens(logouts, app, logouts.ada, { scope: "openid offline_access" });
  await logouts.manage("DELETE", `/api/v2/users/${encodeURIComponent(logouts.ada.userId)}/sessions`);
  logouts.setResponse(() => new Response(null, { status: 500 }));
  await logouts.deliver();
  logouts.setResponse(() => new Response(null, { status: 200 }));
  logouts.clock.advance("10s");
  await logouts.deliver();
  const lags = measurements.filter(({ instrument }) => instrument === "postern.delivery.lag");
  expect(lags.map(({ value, attributes }) => [value, attributes["postern.queue"], attributes["postern.outcome"]])).toEqual([
    [0, "logout_tokens", "error"],
    [10, "logout_tokens", "ok"],
  ]);
});
