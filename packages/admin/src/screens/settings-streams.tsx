import * as z from "zod";
import { Card, EmptyState, FactList, NoticeBox, ShownOnce } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, StateBadge, Timestamp, type StateLevel } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest, type ScreenResult } from "../screen.ts";
import { change, read } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.streams;

/** A log stream. */
const streamSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string(),
  sink: z.record(z.string(), z.unknown()).nullish(),
  delivered_until: z.string().nullish(),
  failures: z.number().nullish(),
  last_error: z.string().nullish(),
  signing_secret: z.string().nullish(),
});
type ShownStream = z.infer<typeof streamSchema>;

const levels: { readonly [status: string]: StateLevel } = { active: "good", paused: "plain", suspended: "bad" };

function StreamState({ stream: { status } }: { readonly stream: ShownStream }) {
  return <StateBadge level={levels[status] ?? "plain"}>{texts.states[status] ?? status}</StateBadge>;
}

/** The log streams. */
const streamsScreen: ConsoleScreen = {
  path: "/settings/streams",
  async show(request) {
    const { api, links, scopes } = request;
    const streams = z.array(streamSchema).parse(await read(api, ["log-streams"]));
    const add = scopes.has("create:log_streams") && (
      <a class="button main" href={links.to(["settings", "streams", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return tenantSettingsPage(
      request,
      "streams",
      <Card title={texts.title} about={texts.about}>
        {streams.length === 0 ? (
          <EmptyState icon="logs" title={texts.emptyTitle} text={texts.empty} action={add} />
        ) : (
          <DataTable
            caption={texts.title}
            rows={streams}
            rowKey={({ id }) => id}
            columns={[
              {
                title: texts.name,
                cell: ({ id, name }) => (
                  <span class="who">
                    <a href={links.to(["settings", "streams", id])}>
                      <bdi>{name}</bdi>
                    </a>
                  </span>
                ),
              },
              { title: texts.type, isTight: true, cell: ({ type }) => <code>{type}</code> },
              { title: texts.state, isTight: true, hasLabel: false, cell: (stream) => <StreamState stream={stream} /> },
            ]}
          />
        )}
      </Card>,
      streams.length > 0 && add,
    );
  },
};

/** The page that creates a stream to a webhook, and shows its signing secret once. */
const newScreen = newForm({
  path: "/settings/streams/new",
  title: texts.new,
  about: texts.newAbout,
  needsRecentSignIn: true,
  submit: texts.create,
  fields: () => [
    { name: "name", label: texts.name, kind: "line", required: true },
    { name: "sink.httpEndpoint", label: texts.endpoint, hint: texts.endpointHint, kind: "line", required: true },
    { name: "sink.httpAuthorization", label: texts.authorization, hint: texts.authorizationHint, kind: "secret" },
  ],
  page: (request, form) => tenantSettingsPage(request, "streams", form),
  create: async (request, body) => {
    const { id, signing_secret: secret } = streamSchema.parse(
      await change(request.api, "POST", ["log-streams"], { ...body, type: "http" }),
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
  cancel: (request) => tenantSettingsPath(request, "streams"),
});

const readStream = async ({ api, params: { id = "" } }: ScreenRequest) => streamSchema.parse(await read(api, ["log-streams", id]));

/** A log stream: what it has delivered, and why deliveries failed. */
const streamScreen: ConsoleScreen = {
  path: "/settings/streams/:id",
  async show(request) {
    const { links, now, scopes } = request;
    const stream = await readStream(request);
    const { id, name, type, status, sink, failures, last_error: fault, delivered_until: until } = stream;
    const endpoint = sink?.["httpEndpoint"];
    const isActive = status === "active";
    return tenantSettingsPage(
      request,
      "streams",
      <>
        {fault && <NoticeBox level={status === "suspended" ? "bad" : "warn"}>{`${texts.lastError}: ${fault}`}</NoticeBox>}
        <Card title={name} {...(status === "suspended" && { about: texts.suspendedAbout })}>
          <FactList
            items={[
              [texts.state, <StreamState stream={stream} />],
              [texts.type, <code>{type}</code>],
              ...(typeof endpoint === "string" ? [[texts.endpoint, <ExactValue value={endpoint} what={texts.endpoint} />] as const] : []),
              [texts.deliveredUntil, <Timestamp at={until} now={now} missing={consoleTexts.never} />],
              [texts.failures, String(failures ?? 0)],
            ]}
          />
        </Card>
      </>,
      <>
        {scopes.has("update:log_streams") && (
          <a class="button" href={links.to(["settings", "streams", id, isActive ? "pause" : "resume"])}>
            {isActive ? texts.pause : texts.resume}
          </a>
        )}
        {scopes.has("delete:log_streams") && (
          <a class="button bad" href={links.to(["settings", "streams", id, "delete"])}>
            {texts.delete}
          </a>
        )}
      </>,
    );
  },
};

/** Creates a page that asks before a change of a log stream. */
function confirmation(
  action: string,
  ask: (stream: ShownStream) => { readonly title: string; readonly about: string; readonly confirm: string },
  submit: (request: ScreenRequest) => Promise<ScreenResult>,
): ConsoleScreen {
  return {
    path: `/settings/streams/:id/${action}`,
    needsRecentSignIn: true,
    async show(request) {
      const stream = await readStream(request);
      const path = ["settings", "streams", stream.id];
      const [target, back] = [request.links.to([...path, action]), request.links.to(path)];
      return tenantSettingsPage(request, "streams", <ConfirmCard request={request} {...ask(stream)} action={target} back={back} />);
    },
    submit,
  };
}

const stateScreen = (action: "pause" | "resume", status: "paused" | "active"): ConsoleScreen =>
  confirmation(
    action,
    ({ name }) => ({ title: texts.stateTitles[action](name), about: texts.stateAbouts[action], confirm: texts[action] }),
    async ({ api, links, params: { id = "" } }) => {
      await change(api, "PATCH", ["log-streams", id], { status });
      return redirectTo(links.to(["settings", "streams", id], { done: "saved" }));
    },
  );

const deleteScreen = confirmation(
  "delete",
  ({ name }) => ({ title: texts.deleteTitle(name), about: texts.deleteAbout, confirm: texts.delete }),
  async (request) => {
    await change(request.api, "DELETE", ["log-streams", request.params["id"] ?? ""]);
    return redirectTo(tenantSettingsPath(request, "streams", { done: "stream-deleted" }));
  },
);

/** The screens of log streams. */
export const streamScreens: readonly ConsoleScreen[] = [
  streamsScreen,
  newScreen,
  streamScreen,
  stateScreen("pause", "paused"),
  stateScreen("resume", "active"),
  deleteScreen,
];
