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
