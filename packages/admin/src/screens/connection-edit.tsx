import { DangerCard } from "../components/confirm-page.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
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

/** The changes that cannot be undone. */
const dangerScreen = connectionFrame.tab({
  tab: "danger",
  read: async () => undefined,
  body: (_, { links, scopes }, { id }) => (
    <DangerCard
      title={texts.delete}
      about={texts.deleteAbout}
      href={links.to(["connections", id, "delete"])}
      scope="delete:connections"
      isAllowed={scopes.has("delete:connections")}
    />
  ),
});

/** The page that deletes a connection with its users. The name must be typed, because the users cannot be restored. */
const deleteScreen = connectionFrame.confirmation({
  path: "/connections/:id/delete",
  tab: "danger",
  title: texts.deleteTitle,
  about: texts.deleteAbout,
  confirm: texts.delete,
  typed: (connection) => connection.name,
  async submit({ api, links, params: { id = "" } }) {
    await change(api, "DELETE", ["connections", id]);
    return redirectTo(links.to(["connections"], { done: "connection-deleted" }));
  },
});

/** The screens that change connections. */
export const connectionEditScreens: readonly ConsoleScreen[] = [editScreen, dangerScreen, deleteScreen];
