/** Texts by the names of settings or types that the Management API defines. */
interface NamedTexts {
  readonly [name: string]: string;
}

const receivers: NamedTexts = {
  http: "Webhook",
  datadog: "Datadog",
  splunk: "Splunk",
  sumo: "Sumo Logic",
  segment: "Segment",
  mixpanel: "Mixpanel",
};

const receiversAbout: NamedTexts = {
  http: "Signed POST requests to a URL, with events as JSON.",
  datadog: "Logs API, with an API key.",
  splunk: "HTTP Event Collector.",
  sumo: "HTTP source.",
  segment: "Track calls, with the user of each event.",
  mixpanel: "Import API, with a service account.",
};

const sinkFields: NamedTexts = {
  httpEndpoint: "URL",
  httpAuthorization: "Authorization header",
  httpContentType: "Content type",
  httpContentFormat: "Format",
  datadogRegion: "Region",
  datadogApiKey: "API key",
  splunkDomain: "Host name",
  splunkPort: "Port",
  splunkToken: "Token",
  splunkSecure: "Use TLS",
  sumoSourceAddress: "URL of the HTTP source",
  segmentWriteKey: "Write key",
  mixpanelRegion: "Region",
  mixpanelProjectId: "Project id",
  mixpanelServiceAccountUsername: "User name of the service account",
  mixpanelServiceAccountPassword: "Password of the service account",
};

const sinkHints: NamedTexts = {
  httpEndpoint: "Receives POST requests with events as JSON.",
  httpAuthorization: "Sent with each delivery. Stored encrypted and never shown. Optional.",
  splunkDomain: "For example input-prd-p-abc.splunkcloud.com.",
  splunkSecure: "Without TLS, the host application must allow the address.",
};

const regions: { readonly [setting: string]: NamedTexts } = {
  datadogRegion: { us: "US1", eu: "EU1", us3: "US3", us5: "US5" },
  mixpanelRegion: { us: "United States", eu: "European Union", au: "India (au)" },
};

/** The texts of the receivers of log streams. */
export const streamReceiverTexts = {
  receivers,
  receiversAbout,
  sinkFields,
  sinkHints,
  regions,
  secretHint: "Stored encrypted and never shown.",
} as const;
