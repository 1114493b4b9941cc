import * as z from "zod";
import { webUrl } from "../fields.ts";
import { mustNotNameUser, withoutUser } from "../secret-destinations.ts";

/** Receivers of log streams, besides `http`, whose types and settings are Auth0's. */

const key = z.string().regex(/^[\x21-\x7e]{1,512}$/, "must be printable ASCII without spaces");

const datadogSites = { us: "datadoghq.com", eu: "datadoghq.eu", us3: "us3.datadoghq.com", us5: "us5.datadoghq.com" } as const;
const mixpanelHosts = { us: "api.mixpanel.com", eu: "api-eu.mixpanel.com", au: "api-in.mixpanel.com" } as const;

/** The settings of each receiver. Those that are secrets are never returned: see `isSecret`. */
export const receiverSinkSchemas = {
  datadog: z.strictObject({
    datadogApiKey: key,
    datadogRegion: z.enum(["us", "eu", "us3", "us5"]).transform((region) => datadogSites[region]),
  }),
  splunk: z.strictObject({
    splunkDomain: z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i, "must be a host name"),
    splunkPort: z.string().regex(/^[1-9]\d{0,4}$/, "must be the number of a port, as text"),
    splunkToken: key,
    splunkSecure: z.boolean(),
  }),
  sumo: z.strictObject({ sumoSourceAddress: webUrl("web", 2048).regex(withoutUser, mustNotNameUser) }),
  segment: z.strictObject({ segmentWriteKey: key }),
  mixpanel: z.strictObject({
    mixpanelRegion: z.enum(["us", "eu", "au"]).transform((region) => mixpanelHosts[region]),
    mixpanelProjectId: z.string().regex(/^\d{1,20}$/, "must be a number, as text"),
    mixpanelServiceAccountUsername: key,
    mixpanelServiceAccountPassword: key,
  }),
} as const;

/** The type of a receiver. */
export type ReceiverType = keyof typeof receiverSinkSchemas;

/** Whether a type of log streams is that of a receiver. */
export function isReceiverType(type: string): type is ReceiverType {
  return Object.hasOwn(receiverSinkSchemas, type);
}
