import type { TelemetryOptions } from "@postern/core";
import { describe, expect, test } from "vitest";
import { obtainTokens, openService, refreshGrant, tokens } from "../support/flow.ts";
import { recordTelemetry } from "../support/telemetry.ts";

const fail = (): never => {
  throw new Error("the exporter failed");
};

const { telemetry } = recordTelemetry();
const failingSpan = { spanContext: fail, setAttribute: fail, addLink: fail, setStatus: fail, updateName: fail, end: fail };
const block = (): void => {
  for (const end = performance.now() + 1; performance.now() < end;);
};

/** Telemetry that fails in one way each. */
const broken: { readonly [fault: string]: TelemetryOptions } = {
  "a tracer that throws": { tracer: { startActiveSpan: fail } },
  "a tracer that throws after the work began": {
    tracer: {
      startActiveSpan: (name, options, work) => {
        telemetry.tracer.startActiveSpan(name, options, work);
        return fail();
      },
    },
  },
  "a tracer that never calls the work": { tracer: { startActiveSpan: (() => undefined) as never } },
  "a tracer that calls the work twice, and once later": {
    tracer: {
      startActiveSpan: (name, options, work) => {
        setTimeout(() => telemetry.tracer.startActiveSpan(name, options, work));
        telemetry.tracer.startActiveSpan(name, options, work);
        return telemetry.tracer.startActiveSpan(name, options, work);
      },
    },
  },
  "spans that throw": { tracer: { startActiveSpan: (_name, _options, work) => work(failingSpan) as ReturnType<typeof work> } },
  "a meter that throws": {
    meter: { createCounter: fail, createHistogram: fail, createObservableGauge: fail, createObservableCounter: fail },
  },
  "instruments that throw": {
    meter: {
      createCounter: () => ({ add: fail }),
      createHistogram: () => ({ record: fail }),
      createObservableGauge: () => ({ addCallback: fail }),
      createObservableCounter: () => ({ addCallback: fail }),
    },
  },
  "a slow meter": {
    meter: { ...telemetry.meter, createCounter: () => ({ add: block }), createHistogram: () => ({ record: block }) },
  },
  "an active span that throws": { activeSpan: fail },
};

describe.each(Object.entries(broken))("with %s", (_, options) => {
  test("every response is the same, and the failure is logged at most once", async () => {
    const entries: { readonly event: string; readonly level: string }[] = [];
    const service = await openService({ telemetry: options, logger: { log: (entry) => void entries.push(entry) } });
    const { refresh } = await obtainTokens(service, service.web, service.ada, { scope: "openid offline_access" });
    expect(tokens(await service.exchange(refreshGrant(service.web, refresh)))).toHaveProperty("access");
    expect((await service.manage("GET", "/api/v2/users")).status).toBe(200);
    expect((await service.manage("GET", "/api/v2/unknown")).status).toBe(404);
    expect((await service.exchange({ grant_type: "unknown", client_id: service.web.clientId })).status).toBe(401);
    expect((await service.postern.jobs.sweep()).finished).toBe(true);
    expect(entries.filter(({ level }) => level === "error")).toEqual([]);
    expect(entries.filter(({ event }) => event === "telemetry_failed").length).toBeLessThanOrEqual(1);
  });
});

test("a failure of the telemetry is logged", async () => {
  const entries: { readonly event: string }[] = [];
  await openService({ telemetry: { tracer: { startActiveSpan: fail } }, logger: { log: (entry) => void entries.push(entry) } });
  expect(entries.filter(({ event }) => event === "telemetry_failed")).toEqual([
    { level: "warn", event: "telemetry_failed", error: new Error("the exporter failed") },
  ]);
});
