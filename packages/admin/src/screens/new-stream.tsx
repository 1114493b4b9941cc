import { Card, ShownOnce } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import type { FormField } from "./form-fields.ts";
import { change } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";
import { tenantSettingsPage } from "./settings-frame.ts";
import { streamSchema } from "./stream-frame.tsx";

const texts = consoleTexts.settings.streams;

const settingField = (name: string, kind: FormField["kind"] = "line"): FormField => {
  const options = texts.regions[name];
  const hint = texts.sinkHints[name] ?? (kind === "secret" ? texts.secretHint : undefined);
  return {
    name: `sink.${name}`,
    label: texts.sinkFields[name] ?? name,
    kind,
    ...(hint !== undefined && { hint }),
    ...(options !== undefined && { options: Object.entries(options) }),
    required: kind !== "switch" && name !== "httpAuthorization",
  };
};

/** The settings of each receiver. The Management API has further settings of webhooks. */
const fieldsOfReceiver: { readonly [type: string]: readonly FormField[] } = {
  http: [settingField("httpEndpoint"), settingField("httpAuthorization", "secret")],
  datadog: [settingField("datadogRegion", "choice"), settingField("datadogApiKey", "secret")],
  splunk: [
    settingField("splunkDomain"),
    settingField("splunkPort"),
    settingField("splunkToken", "secret"),
    settingField("splunkSecure", "switch"),
  ],
  sumo: [settingField("sumoSourceAddress", "secret")],
  segment: [settingField("segmentWriteKey", "secret")],
  mixpanel: [
    settingField("mixpanelRegion", "choice"),
    settingField("mixpanelProjectId"),
    settingField("mixpanelServiceAccountUsername"),
    settingField("mixpanelServiceAccountPassword", "secret"),
  ],
};

/** The first step: the receiver. */
const chooseScreen: ConsoleScreen = {
  path: "/settings/streams/new",
  show: (request) =>
    tenantSettingsPage(
      request,
      "streams",
      <Card title={texts.choose} about={texts.chooseAbout}>
        <ul class="tiles">
          {Object.entries(texts.receivers).map(([type, title]) => (
            <li key={type}>
              <a href={request.links.to(["settings", "streams", "new", type])}>
                <strong>{title}</strong>
                <span class="soft">{texts.receiversAbout[type]}</span>
              </a>
            </li>
          ))}
        </ul>
      </Card>,
    ),
};

/** Returns the chosen receiver. @throws {ScreenNotFound} if the console has no form for it. */
function chosenReceiver({ params: { type = "" } }: ScreenRequest): string {
  if (!Object.hasOwn(fieldsOfReceiver, type)) throw new ScreenNotFound();
  return type;
}

/** The second step: the settings of the receiver. Shows the signing secret of a webhook once. */
const settingsScreen = newForm({
  path: "/settings/streams/new/:type",
  title: texts.new,
  needsRecentSignIn: true,
  submit: texts.create,
  initial: { "sink.datadogRegion": "us", "sink.mixpanelRegion": "us", "sink.splunkPort": "8088", "sink.splunkSecure": "true" },
  fields: (request) => [
    { name: "name", label: texts.name, kind: "line", required: true },
    ...(fieldsOfReceiver[chosenReceiver(request)] ?? []),
  ],
  page: (request, form) => tenantSettingsPage(request, "streams", form),
  create: async (request, body) => {
    const { id, signing_secret: secret } = streamSchema.parse(
      await change(request.api, "POST", ["log-streams"], { ...body, type: chosenReceiver(request) }),
    );
    if (!secret) return request.links.to(["settings", "streams", id], { done: "stream-created" });
    return tenantSettingsPage(
      request,
      "streams",
      <Card title={texts.secret} about={texts.secretAbout}>
        <div class="in form">
          <ShownOnce value={secret} what={texts.secret} />
          <p class="actions">
            <a class="button" href={request.links.to(["settings", "streams", id])}>
              {texts.open}
            </a>
          </p>
        </div>
      </Card>,
    );
  },
  cancel: ({ links }) => links.to(["settings", "streams", "new"]),
});

/** The screens that create a log stream. */
export const newStreamScreens: readonly ConsoleScreen[] = [chooseScreen, settingsScreen];
