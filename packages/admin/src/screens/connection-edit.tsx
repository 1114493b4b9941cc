import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen } from "../screen.ts";
import { connectionFrame } from "./connection-frame.tsx";
import { strategyFields } from "./connection-options.ts";
import { change } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";

const texts = consoleTexts.connections;

/** The page that changes the settings of a connection. */
const editScreen = editForm({
  path: "/connections/:id/edit",
  title: texts.edit,
  about: texts.editAbout,
  needsRecentSignIn: true,
  read: connectionFrame.read,
  fields: ({ strategy }) => [
    { name: "display_name", label: texts.displayName, hint: texts.displayNameHint, kind: "line" },
    { name: "show_as_button", label: texts.button, kind: "switch" },
    ...strategyFields(strategy),
  ],
  page: (request, connection, form) => connectionFrame.page(request, connection, "settings", form),
  save: async (request, { options, ...rest }) => {
    const { id = "" } = request.params;
    // The Management API replaces the options as a whole, apart from secrets.
    const stored = options === undefined ? undefined : (await connectionFrame.read(request)).options;
    const merged = options === undefined ? {} : { options: { ...stored, ...Object(options) } };
    await change(request.api, "PATCH", ["connections", id], { ...rest, ...merged });
  },
  after: (request, done) => connectionFrame.path(request, request.params["id"] ?? "", "settings", { done }),
  cancel: (request) => connectionFrame.path(request, request.params["id"] ?? "", "settings"),
});

/** The screens that change connections. */
export const connectionEditScreens: readonly ConsoleScreen[] = [editScreen, ...connectionFrame.deletion];
