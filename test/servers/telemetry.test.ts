import { execFile } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import type { Postern, TelemetryOptions } from "@postern/core";
import { toExpressHandler } from "@postern/express";
import { toHonoHandler } from "@postern/hono";
import { toNextHandlers } from "@postern/next";
import express from "express";
import { Hono } from "hono";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { obtainTokens, openService, type LoginService } from "../support/flow.ts";
import { tryRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";
import { preparedFolder } from "./support/shared-folder.ts";

/** The two lines of OpenTelemetry that are in use. They are installed outside the workspace. */
const versions = {
  "API 1.10 and SDK 3": {
    packages: ["api@1.10", "context-async-hooks@3", "core@3", "sdk-metrics@3", "sdk-trace@3"],
    trace: "sdk-trace",
    provider: "TracerProvider",
  },
  "API 1.9 and SDK 2": {
    packages: ["api@1.9", "context-async-hooks@2", "core@2", "sdk-metrics@2", "sdk-trace-base@2"],
    trace: "sdk-trace-base",
    provider: "BasicTracerProvider",
  },
} as const;

/** A span, as both SDKs export it. SDK 3 and SDK 2 name its parent the same. */
interface ExportedSpan {
  readonly name: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly links: readonly { readonly context: { readonly spanId: string } }[];
  readonly parentSpanContext?: { readonly spanId: string };
  readonly status: { readonly code: number };
  spanContext(): { readonly traceId: string; readonly spanId: string };
}

/** The members of `@opentelemetry/api` that the test calls. */
interface Api {
  readonly context: {
    active(): object;
    with<T>(active: object, work: () => T): T;
    setGlobalContextManager(manager: object): void;
  };
  readonly propagation: { extract(active: object, headers: object): object; setGlobalPropagator(propagator: object): void };
  readonly trace: {
    getActiveSpan: NonNullable<TelemetryOptions["activeSpan"]>;
    getTracer(name: string): NonNullable<TelemetryOptions["tracer"]>;
    setGlobalTracerProvider(provider: object): void;
  };
  readonly metrics: { getMeter(name: string): NonNullable<TelemetryOptions["meter"]>; setGlobalMeterProvider(provider: object): void };
}

const run = promisify(execFile);

const installed = await tryRegistry("OpenTelemetry", () =>
  preparedFolder("opentelemetry", async (folder) => {
    for (const [index, { packages }] of Object.values(versions).entries()) {
      const names = packages.map((name) => `@opentelemetry/${name}`);
      const options = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", join(folder, String(index))];
      await run("npm", ["install", ...options, ...names], { env: npmEnv });
    }
  }),
);
const folder = "value" in installed ? installed.value : "";

// The copies of the API share one global, which accepts only one version.
afterEach(() => void Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1")));

/** Registers an SDK with exporters in memory. */
function registerSdk(index: number, { trace, provider }: (typeof versions)[keyof typeof versions]) {
  const load = createRequire(join(folder, String(index), "package.json"));
  // The packages are not in the workspace, so the compiler does not know their types.
  const api = load("@opentelemetry/api") as Api;
  const sdk = load(`@opentelemetry/${trace}`) as { readonly [name: string]: new (options?: object) => object };
  const { AsyncLocalStorageContextManager: Manager } = load("@opentelemetry/context-async-hooks") as {
    readonly AsyncLocalStorageContextManager: new () => { enable(): object };
  };
  const { W3CTraceContextPropagator: Propagator } = load("@opentelemetry/core") as { readonly W3CTraceContextPropagator: new () => object };
  const metricsSdk = load("@opentelemetry/sdk-metrics") as { readonly [name: string]: new (...options: readonly unknown[]) => object };
  const create = (name: string, options?: object): object => {
    const type = sdk[name];
    if (type === undefined) throw new Error(`${trace} has no ${name}`);
    return new type(options);
  };
  const exporter = create("InMemorySpanExporter") as { getFinishedSpans(): readonly ExportedSpan[]; reset(): void };
  const { SimpleSpanProcessor } = sdk as unknown as { readonly SimpleSpanProcessor: new (exporter: object) => object };
  const processor = trace === "sdk-trace" ? create("SimpleSpanProcessor", { exporter }) : new SimpleSpanProcessor(exporter);
  const { MeterProvider, MetricReader } = metricsSdk as unknown as {
    readonly MeterProvider: new (options: object) => object;
    readonly MetricReader: new () => { collect(): Promise<Collected> };
  };
  class Reader extends MetricReader {
    onForceFlush = async (): Promise<void> => {};
    onShutdown = async (): Promise<void> => {};
  }
  const reader = new Reader();
  api.context.setGlobalContextManager(new Manager().enable());
  api.propagation.setGlobalPropagator(new Propagator());
  api.trace.setGlobalTracerProvider(create(provider, { spanProcessors: [processor] }));
  api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const telemetry = {
    tracer: api.trace.getTracer("postern"),
    meter: api.metrics.getMeter("postern"),
    activeSpan: api.trace.getActiveSpan,
  };
  return { api, telemetry, exporter, reader };
}

/** The metrics that a reader collected. */
interface Collected {
  readonly resourceMetrics: {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly descriptor: { readonly name: string } }[] }[];
  };
}

/** Returns the names of the spans below a span, in the order in which they began to be exported. */
function treeOf(spans: readonly ExportedSpan[], span: ExportedSpan): unknown {
  const below = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId);
  return below.length === 0 ? span.name : { [span.name]: below.map((child) => treeOf(spans, child)) };
}

describe.skipIf("absent" in installed)("with real packages", () => {
  test.each(Object.entries(versions))("%s: one login from /authorize to the tokens", async (name, version) => {
    const { telemetry, exporter, reader } = registerSdk(Object.keys(versions).indexOf(name), version);
    const service = await openService({ telemetry });
    await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" });
    exporter.reset();
    await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" });

    const spans = exporter.getFinishedSpans();
    const roots = spans.filter(({ parentSpanContext }) => parentSpanContext === undefined);
    const trees = roots.map((root) => treeOf(spans, root));
    // A span is exported when it ends.
    expect(trees.filter((tree) => JSON.stringify(tree).includes("postern "))).toEqual([
      { "postern GET /authorize": ["insert login_sessions"] },
      { "postern GET /u/flow": ["find login_sessions", "update login_sessions"] },
      { "postern POST /u/flow": ["find login_sessions", "update login_sessions"] },
      { "postern GET /u/flow": ["find login_sessions"] },
      {
        "postern POST /u/flow": expect.arrayContaining([
          "find users",
          "find passwords",
          "password verify",
          "insert sessions",
          "grouped insert logs",
          "insert authorization_codes",
        ]),
      },
      {
        "postern POST /oauth/token": expect.arrayContaining([
          "find authorization_codes",
          "grouped insert refresh_tokens",
          "update authorization_codes",
          "sign",
          "grouped insert logs",
        ]),
      },
    ]);
    for (const group of roots.filter((span) => span.name.startsWith("insert group"))) {
      const [link] = group.links;
      const call = spans.find((span) => span.spanContext().spanId === link?.context.spanId);
      expect(call?.name).toMatch(/^grouped insert /);
      expect(call?.spanContext().traceId).not.toBe(group.spanContext().traceId);
    }
    expect(roots.filter((span) => span.name.startsWith("insert group"))).toHaveLength(3);
    expect(new Set(spans.map(({ status }) => status.code))).toEqual(new Set([0]));

    const { resourceMetrics } = await reader.collect();
    const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics.map(({ descriptor }) => descriptor.name));
    expect(metrics).toEqual(
      expect.arrayContaining(["http.server.request.duration", "db.client.operation.duration", "postern.logins", "postern.tokens.issued"]),
    );
  });

  test("an exporter that throws or fails changes no response", async () => {
    for (const fail of [
      () => {
        throw new Error("no collector");
      },
      (_spans: unknown, done: (result: object) => void) => done({ code: 1, error: new Error("no collector") }),
    ]) {
      const { telemetry, exporter } = registerSdk(0, versions["API 1.10 and SDK 3"]);
      Object.assign(exporter, { export: fail });
      const entries: { readonly level: string }[] = [];
      const service = await openService({ telemetry, logger: { log: (entry) => void entries.push(entry) } });
      expect(await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" })).toHaveProperty("refresh");
      expect((await service.manage("GET", "/api/v2/users")).status).toBe(200);
      expect(entries.filter(({ level }) => level === "error")).toEqual([]);
      Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
    }
  });

  test.each(Object.keys(frameworks))("a caller's traceparent is the parent over %s", async (framework) => {
    const { api, telemetry, exporter } = registerSdk(0, versions["API 1.10 and SDK 3"]);
    const service = await openService({ telemetry, issuer: "http://localhost/auth/" });
    const origin = await frameworks[framework]?.(service, api);
    const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    exporter.reset();
    const headers = { traceparent: `00-${traceId}-${spanId}-01` };
    const response = await fetch(`${origin}/auth/.well-known/jwks.json`, { headers });
    expect(response.status).toBe(200);
    const request = exporter.getFinishedSpans().find(({ name }) => name === "postern GET /.well-known/jwks.json");
    expect(request?.spanContext().traceId).toBe(traceId);
    expect(request?.parentSpanContext?.spanId).toBe(spanId);
  });
});

/** Serves a Postern with a framework, behind the function of the guide that continues the caller's trace. @returns the origin. */
const frameworks: { readonly [name: string]: (service: LoginService, api: Api) => Promise<string> } = {
  Express: ({ postern }, api) => {
    const app = express();
    app.use((request, _response, next) => continueTrace(api, request.headers, next));
    app.use(toExpressHandler(postern));
    return listen(app);
  },
  Hono: async ({ postern }, api) => {
    const app = new Hono();
    app.use(({ req }, next) => continueTrace(api, Object.fromEntries(req.raw.headers), next));
    app.all("/auth/*", toHonoHandler(postern));
    return serveFetch((request) => app.fetch(request));
  },
  "Next.js": async ({ postern }, api) => {
    const { GET } = toNextHandlers(async (): Promise<Postern> => postern);
    return serveFetch((request) => continueTrace(api, Object.fromEntries(request.headers), () => GET(request)));
  },
};

function continueTrace<T>({ context, propagation }: Api, headers: object, work: () => T): T {
  return context.with(propagation.extract(context.active(), headers), work);
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  // The address of a server that listens on a port is an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serveFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(`http://127.0.0.1:${port}`));
    onTestFinished(() => void server.close());
  });
}
