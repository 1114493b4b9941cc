import { DangerCard } from "../components/confirm-page.tsx";
import { RawView } from "../components/raw-view.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo } from "../screen.ts";
import { change } from "./read-parts.ts";
import { userConfirmation, userTab, userTabPath } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** The user as the Management API returns it. */
export const userRawScreen = userTab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, user) => <RawView issuer={issuer} path={["api", "v2", "users", user.user_id]} value={user} />,
});

/** The changes that cannot be undone. */
export const userDangerScreen = userTab({
  tab: "danger",
  read: async () => undefined,
  body: (_, { links, scopes }, user) => (
    <DangerCard
      title={texts.delete}
      about={texts.deleteAbout}
      href={links.to(["users", user.user_id, "delete"])}
      scope="delete:users"
      isAllowed={scopes.has("delete:users")}
    />
  ),
});

/** The page that deletes a user. */
export const userDeleteScreen = userConfirmation({
  path: "/users/:id/delete",
  tab: "danger",
  title: texts.deleteTitle,
  about: texts.deleteAbout,
  confirm: texts.delete,
  async submit({ api, links, params: { id = "" } }) {
    await change(api, "DELETE", ["users", id]);
    return redirectTo(links.to(["users"], { done: "user-deleted" }));
  },
});

/** The page that removes a factor of a user. */
export const userFactorRemoveScreen = userConfirmation({
  path: "/users/:id/factors/:factor/remove",
  tab: "factors",
  title: texts.removeFactorTitle,
  about: texts.removeFactorAbout,
  confirm: texts.removeFactor,
  async submit(request) {
    const { id = "", factor = "" } = request.params;
    await change(request.api, "DELETE", ["users", id, "authentication-methods", factor]);
    return redirectTo(userTabPath(request, id, "factors", { done: "factor-removed" }));
  },
});
