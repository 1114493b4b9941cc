import { Card } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { RawView } from "../components/raw-view.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { change } from "./read-parts.ts";
import { readUser, userPage, userTabPath, userTab } from "./user-frame.tsx";

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
    <Card title={consoleTexts.dangerZone} isDanger>
      <div class="danger-row">
        <div>
          <strong>{texts.delete}</strong>
          <p class="soft">{texts.deleteAbout}</p>
        </div>
        {scopes.has("delete:users") ? (
          <a class="button bad" href={links.to(["users", user.user_id, "delete"])}>
            {texts.delete}
          </a>
        ) : (
          <code>{texts.noScope("delete:users")}</code>
        )}
      </div>
    </Card>
  ),
});

/** The page that deletes a user. */
export const userDeleteScreen: ConsoleScreen = {
  path: "/users/:id/delete",
  needsRecentSignIn: true,
  async show(request) {
    const user = await readUser(request);
    const body = (
      <ConfirmCard
        request={request}
        title={texts.deleteTitle}
        about={texts.deleteAbout}
        action={request.links.to(["users", user.user_id, "delete"])}
        confirm={texts.delete}
        back={userTabPath(request, user.user_id, "danger")}
      />
    );
    return userPage(request, user, "danger", body);
  },
  async submit({ api, links, params: { id = "" } }) {
    await change(api, "DELETE", ["users", id]);
    return redirectTo(links.to(["users"], { done: "user-deleted" }));
  },
};

/** The page that removes a factor of a user. */
export const userFactorRemoveScreen: ConsoleScreen = {
  path: "/users/:id/factors/:factor/remove",
  needsRecentSignIn: true,
  async show(request) {
    const user = await readUser(request);
    const body = (
      <ConfirmCard
        request={request}
        title={texts.removeFactorTitle}
        about={texts.removeFactorAbout}
        action={request.links.to(["users", user.user_id, "factors", request.params["factor"] ?? "", "remove"])}
        confirm={texts.removeFactor}
        back={userTabPath(request, user.user_id, "factors")}
      />
    );
    return userPage(request, user, "factors", body);
  },
  async submit(request) {
    const { id = "", factor = "" } = request.params;
    await change(request.api, "DELETE", ["users", id, "authentication-methods", factor]);
    return redirectTo(userTabPath(request, id, "factors", { done: "factor-removed" }));
  },
};
