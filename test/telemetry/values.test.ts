import { expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { statusOfCode } from "../../packages/core/src/errors.ts";
import { apis } from "../../packages/core/src/server/apis.ts";
import { auditEventTypes } from "../../packages/core/src/model/logs/audit-event-types.ts";
import { schema } from "../../packages/core/src/store/schema.ts";
import { strategies } from "../../packages/core/src/model/connections/strategies.ts";
import { bodyWith, placesOf, variantsOf, type KnownValues } from "../../packages/testing/src/isolation/bodies.ts";
import type { ApiOperation, Description } from "../../packages/testing/src/isolation/document.ts";
import { recordsOf } from "../../packages/testing/src/isolation/records.ts";
import { apiDescriptions } from "../openapi-sweep/description.ts";
import { Telemetry } from "../../packages/core/src/telemetry/telemetry.ts";
import { sendRequest } from "../../packages/core/src/telemetry/send-request.ts";
import { createManualClock } from "@postern/core/testing";
import { openSweptService, type SweptService } from "../openapi-sweep/service.ts";
import { recordTelemetry, type RecordedTelemetry } from "../support/telemetry.ts";

const routes = (await Promise.all(apis.map((api) => api.load({ tenants: true, operations: true })))).flatMap((loaded) => loaded.routes);
const templates = [...routes.map(({ definition }) => definition.path), "/api/v2/spec", "/.well-known/openapi.json"];
const grants =
  /^(implicit|authorization_code|refresh_token|client_credentials|password|password-realm|otp|webauthn|mfa-otp|mfa-oob|mfa-recovery-code|token-exchange|federated-connection-access-token)$/;

/** The values that each attribute can have. Numbers are allowed for those with `number`. */
const allowed: { readonly [name: string]: readonly string[] | RegExp | "number" } = {
  "http.request.method": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "_OTHER"],
  "http.route": templates,
  "http.response.status_code": "number",
  "url.scheme": ["https"],
  "server.address": ["other"],
  "error.type": [...Object.keys(statusOfCode), "conflict", "password_too_long", "timeout", "unavailable", "_OTHER", "500", "503"],
  "db.operation.name": ["insert", "find", "count", "update", "delete"],
  "db.collection.name": Object.keys(schema),
  "db.operation.batch.size": "number",
  "db.response.returned_rows": "number",
  "postern.outcome": ["ok", "refused", "error"],
  "postern.error.code": Object.keys(statusOfCode),
  "postern.tenant.id": ["main", "other", "third"],
  "postern.client.id": /^(app|\w+-manager|[0-9A-Za-z_-]{20,40})$/,
  "postern.event.type": Object.keys(auditEventTypes),
  "postern.login.reason": /^[a-z_]+$/,
  "postern.connection.strategy": [...Object.keys(strategies), "other"],
  "postern.grant": grants,
  "postern.replay": ["reused", "recovered"],
  "postern.hash.operation": ["hash", "verify"],
  "postern.hash.wait": "number",
  "postern.token.type": ["JWT", "at+jwt"],
  "postern.request.purpose": ["identity_provider", "client_document", "custom_domain", "delivery"],
  "postern.message.channel": ["email", "sms", "voice"],
  "postern.message.template": /^[a-z_-]+$/,
  "postern.message.result": /^(sent|no-sender|bad-address|provider-off|no-answer|failed)$/,
  "postern.action.trigger": /^onExecute\w+$/,
  "postern.cache.result": ["hit", "miss", "shared"],
  "postern.queue": ["log_streams", "logout_tokens"],
  "postern.sweep.removed": "number",
};

/** Text that no code of Postern contains. It is a valid part of names, addresses, hosts and paths. */
const marker = "zq7marker";

/** Requires that spans and metrics contain only listed values, none of which a request chose. */
function expectListedValues({ spans, measurements, readObserved }: RecordedTelemetry, request: string): void {
  const read = readObserved();
  for (const { name } of spans) expect(name, request).not.toContain(marker);
  for (const attributes of [...spans, ...measurements, ...read].map((one) => one.attributes)) {
    for (const [name, value] of Object.entries(attributes)) {
      const values = allowed[name];
      const isListed =
        values === "number"
          ? typeof value === "number"
          : values instanceof RegExp
            ? values.test(String(value))
            : values?.includes(String(value)) === true || (name === "http.response.status_code" && typeof value === "number");
      if (!isListed || String(value).includes(marker)) expect.fail(`${request}: ${name} is ${JSON.stringify(value)}`);
    }
  }
  spans.length = 0;
  measurements.length = 0;
}

/** What {@link sendMarked} sends in addition to marked values. */
interface ValidParts {
  readonly headers: { readonly [name: string]: string };
  /** The path with the ids of existing records. */
  readonly path: string;
  readonly known: KnownValues;
}

const markedHeaders = ["user-agent", "cookie", "origin", "referer", "accept-language", "tenant-id", "x-forwarded-host", "prefer"];

/** Sends marked values in each place of a request to an operation: path, query, headers and each member of the body. */
async function sendMarked(service: SweptService, operation: ApiOperation, { document }: Description, valid: ValidParts): Promise<void> {
  const { method, parameters, body } = operation;
  const send = (path: string, headers: { readonly [name: string]: string } = {}, text?: string) =>
    service.call(method, path, { headers: { ...valid.headers, ...headers }, ...(text !== undefined && { body: text }) });
  await send(operation.path.replaceAll(/\{\w+\}/g, marker));
  for (const name of markedHeaders) await send(valid.path, { [name]: `${marker}=${marker}` });
  await send(valid.path, { authorization: `Bearer ${marker}` });
  for (const name of [...parameters.map((parameter) => parameter.name), marker]) await send(`${valid.path}?${name}=${marker}`);
  if (body === undefined) return;
  for (const variant of variantsOf(document, body.schema)) {
    for (const { place } of placesOf(document, variant)) {
      for (const value of [marker, `${marker}@${marker}.test`, `https://${marker}.test/`])
        await send(valid.path, {}, bodyWith(document, variant, valid.known, place, JSON.stringify(value)));
    }
  }
}

/** Creates a service for the requests to one operation, because many operations change what others need. */
async function openRecorded() {
  const recorded = recordTelemetry();
  const telemetry = { ...recorded.telemetry, tenantLabel: true };
  return { recorded, service: await openSweptService(createMemoryAdapter(), { telemetry, logger: { log: () => {} } }) };
}

const { management, auth } = apiDescriptions;

test.each(management.operations)(
  "no span and no metric of $title contains text that a request chose",
  { timeout: 60_000 },
  async (operation) => {
    const { recorded, service } = await openRecorded();
    const records = recordsOf(service.managedTenant("main"), management);
    const path = await records.fill(operation.path);
    const known = operation.body === undefined ? () => undefined : await records.known(operation.body.schema);
    await sendMarked(service, operation, management, {
      headers: { authorization: `Bearer ${await service.tokenOf("main")}` },
      path,
      known,
    });
    expect(routesOf(recorded)).toContain(templateOf(operation.path));
    expectListedValues(recorded, operation.title);
  },
);

test.each(auth.operations)("no span and no metric of $title contains text that a request chose", { timeout: 60_000 }, async (operation) => {
  const { recorded, service } = await openRecorded();
  const path = operation.path.replaceAll(/\{\w+\}/g, "unknown");
  await sendMarked(service, operation, auth, { headers: {}, path, known: () => undefined });
  expect(routesOf(recorded)).toContain(templateOf(operation.path));
  expectListedValues(recorded, operation.title);
});

const described = new Set([...management.operations, ...auth.operations].map(({ method, path }) => `${method} ${templateOf(path)}`));
const undescribed = routes
  .map(({ definition: { method, path } }) => ({ method, path, title: `${method} ${path}` }))
  .filter(({ title }) => !described.has(title));

test.each(undescribed)(
  "no span and no metric of $title, which no document has, contains text that a request chose",
  async ({ method, path, title }) => {
    const { recorded, service } = await openRecorded();
    const fields = [
      "state",
      "step",
      "action",
      "csrf",
      "connection",
      "identifier",
      "email",
      "password",
      "code",
      "ticket",
      "client_id",
      "redirect_uri",
    ];
    const body = Object.fromEntries(fields.map((name) => [name, `${marker}@${marker}.test`]));
    const to = path.replaceAll(/:\w+/g, marker);
    const headers = Object.fromEntries(markedHeaders.filter((name) => name !== "tenant-id").map((name) => [name, marker]));
    for (const query of ["", `?${new URLSearchParams(body)}`])
      for (const more of [{}, headers]) await service.call(method, to + query, { headers: more, ...(method !== "GET" && { body }) });
    expect(routesOf(recorded)).toContain(path);
    expectListedValues(recorded, title);
  },
);

/** Returns the path of a route, as its definition has it. */
function templateOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

const routesOf = ({ spans }: RecordedTelemetry): readonly unknown[] => spans.map(({ attributes }) => attributes["http.route"]);

test("an unknown method and an unknown path have closed labels", async () => {
  const recorded = recordTelemetry();
  const service = await openSweptService(createMemoryAdapter(), { telemetry: recorded.telemetry, logger: { log: () => {} } });
  recorded.spans.length = 0;
  await service.call("PROPFIND", `/${marker}`);
  expect(recorded.spans.map(({ name }) => name)).toContain("postern _OTHER");
  expectListedValues(recorded, "PROPFIND");
});

test("the host of a tenant's server is no label, and that of a social provider is", async () => {
  const { telemetry: options, spans } = recordTelemetry();
  const telemetry = new Telemetry(options, { clock: createManualClock(0), logger: { log: () => {} } });
  const sender = { telemetry, outboundFetch: async () => new Response(null, { status: 404 }) };
  for (const host of [`${marker}.test`, "github.com"])
    await sendRequest(sender, "identity_provider", new Request(`https://${host}/${marker}?${marker}`));
  const attributes = { "postern.request.purpose": "identity_provider", "http.request.method": "GET" };
  const answered = { "http.response.status_code": 404, "postern.outcome": "refused" };
  expect(spans.map((span) => span.attributes)).toEqual([
    { ...attributes, "server.address": "other", ...answered },
    { ...attributes, "server.address": "github.com", ...answered },
  ]);
});
