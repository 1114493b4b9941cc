import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

const { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT = "9464", OTEL_SERVICE_NAME = "postern" } = process.env;

/** Whether a collector receives traces and metrics. The exporters read its URL from the same variable. */
const hasCollector = OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;

const resource = resourceFromAttributes({ "service.name": OTEL_SERVICE_NAME });

/** Serves the metrics to Prometheus at http://127.0.0.1:9464/metrics, on a port of its own that no proxy passes on. */
const prometheus = new PrometheusExporter({ host: "127.0.0.1", port: Number(METRICS_PORT) });

const tracerProvider = new TracerProvider({
  resource,
  spanProcessors: hasCollector ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })] : [],
});
const meterProvider = new MeterProvider({
  resource,
  readers: [prometheus, ...(hasCollector ? [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })] : [])],
});

// Without this context manager, spans have no parents.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(tracerProvider);
metrics.setGlobalMeterProvider(meterProvider);

/** Sends what was not exported yet, and closes the port of the metrics. Call it before the process ends. */
export async function stopTelemetry(): Promise<void> {
  await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
}
