import type * as z from "zod";
import { auditEventTypes } from "../../model/logs/audit-event-types.ts";
import type { logEventSchema } from "../../model/logs/logs.ts";
import { receiverSinkSchemas, type ReceiverType } from "../../model/logs/receivers.ts";
import { isObject } from "../../store/value.ts";

type LogEvent = z.infer<typeof logEventSchema>;

/** A request with a batch of events. */
export interface ReceiverRequest {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  /** Whether the receiver accepts a body with the encoding gzip. */
  readonly isCompressed: boolean;
}

/** A receiver of log streams. */
interface Receiver {
  /** Creates the request for a batch. `sink` contains the settings and the secrets. */
  request(sink: object, events: readonly LogEvent[]): ReceiverRequest;
  /**
   * Returns how many events the receiver rejected for good, if its response says that it stored all others. Undefined if
   * the batch must be delivered again. Default: each response other than 2xx is a failure of the whole batch.
   */
  readonly rejectedEvents?: (status: number, body: unknown) => number | undefined;
}

const json = { "content-type": "application/json" };
const basic = (name: string, password: string): string => `Basic ${btoa(`${name}:${password}`)}`;

/** Returns the meaning of an event's type, as the name of the event. */
const nameOf = ({ type }: LogEvent): string => (isKnown(type) ? auditEventTypes[type] : type);
const isKnown = (type: string): type is keyof typeof auditEventTypes => Object.hasOwn(auditEventTypes, type);

/** Every receiver. Repeated deliveries contain the same ids, by which Segment and Mixpanel recognise an event. */
export const receivers: { readonly [type in ReceiverType]: Receiver } = {
  // https://docs.datadoghq.com/api/latest/logs/#send-logs
  datadog: {
    request(sink, events) {
      const { datadogApiKey: apiKey, datadogRegion: site } = receiverSinkSchemas.datadog.parse(sink);
      const items = events.map((event) => ({
        ddsource: "postern",
        service: "postern",
        hostname: event.hostname,
        message: JSON.stringify(event),
      }));
      const headers = { ...json, "dd-api-key": apiKey };
      return { url: `https://http-intake.logs.${site}/api/v2/logs`, headers, text: JSON.stringify(items), isCompressed: true };
    },
  },
  // The HTTP Event Collector: https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector
  splunk: {
    request(sink, events) {
      const { splunkDomain: domain, splunkPort: port, splunkToken: token, splunkSecure: isSecure } = receiverSinkSchemas.splunk.parse(sink);
      const items = events.map((event) => ({ time: Date.parse(event.date) / 1000, source: "postern", sourcetype: "_json", event }));
      return {
        url: `${isSecure ? "https" : "http"}://${domain}:${port}/services/collector/event`,
        headers: { ...json, authorization: `Splunk ${token}` },
        text: items.map((item) => JSON.stringify(item)).join("\n"),
        isCompressed: false,
      };
    },
  },
  // https://help.sumologic.com/docs/send-data/hosted-collectors/http-source/logs-metrics/upload-logs/
  sumo: {
    request(sink, events) {
      const { sumoSourceAddress: url } = receiverSinkSchemas.sumo.parse(sink);
      return { url, headers: json, text: events.map((event) => JSON.stringify(event)).join("\n"), isCompressed: true };
    },
  },
  // https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/#batch
  segment: {
    request(sink, events) {
      const { segmentWriteKey: writeKey } = receiverSinkSchemas.segment.parse(sink);
      const batch = events.map((event) => ({
        type: "track",
        messageId: event.log_id,
        event: nameOf(event),
        timestamp: event.date,
        ...(event.user_id === "" ? { anonymousId: event.log_id } : { userId: event.user_id }),
        properties: event,
      }));
      const headers = { ...json, authorization: basic(writeKey, "") };
      return { url: "https://api.segment.io/v1/batch", headers, text: JSON.stringify({ batch }), isCompressed: false };
    },
  },
  // https://developer.mixpanel.com/reference/import-events
  mixpanel: {
    request(sink, events) {
      const { mixpanelRegion: host, mixpanelProjectId: project, ...account } = receiverSinkSchemas.mixpanel.parse(sink);
      const items = events.map((event) => ({
        event: nameOf(event),
        properties: { ...event, time: Date.parse(event.date), distinct_id: event.user_id, $insert_id: event.log_id },
      }));
      return {
        url: `https://${host}/import?strict=1&project_id=${project}`,
        headers: { ...json, authorization: basic(account.mixpanelServiceAccountUsername, account.mixpanelServiceAccountPassword) },
        text: JSON.stringify(items),
        isCompressed: true,
      };
    },
    // With `strict=1`, Mixpanel stores the valid events of a batch and lists the others, which it would reject again.
    rejectedEvents(status, body) {
      if (status !== 400 || !isObject(body)) return undefined;
      const { num_records_imported: imported, failed_records: failed } = body;
      return typeof imported === "number" && imported > 0 && Array.isArray(failed) ? failed.length : undefined;
    },
  },
};
