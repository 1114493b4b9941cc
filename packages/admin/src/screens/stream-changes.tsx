import { ConfirmCard } from "../components/confirm-page.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest, type ScreenResult } from "../screen.ts";
import { change } from "./read-parts.ts";
import { settingsRecordPage, tenantSettingsPath } from "./settings-frame.ts";
import { readStream, type ShownStream } from "./stream-frame.tsx";

const texts = consoleTexts.settings.streams;

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
      return settingsRecordPage(request, "streams", stream, <ConfirmCard request={request} {...ask(stream)} action={target} back={back} />);
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

/** The screens that pause, resume and delete a log stream. */
export const streamChangeScreens: readonly ConsoleScreen[] = [
  stateScreen("pause", "paused"),
  stateScreen("resume", "active"),
  deleteScreen,
];
