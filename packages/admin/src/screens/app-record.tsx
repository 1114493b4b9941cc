import { Card, FactList, NoticeBox } from "../components/blocks.tsx";
import { AreaField, LineField, PostForm } from "../components/post-form.tsx";
import { RawView } from "../components/raw-view.tsx";
import { ExactValue } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { shownClientSchema, type ShownClient } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import { appApiScreens } from "./app-apis.tsx";
import { appConnectionsScreen } from "./app-connections.tsx";
import { appFrame } from "./app-frame.tsx";
import { SecretOnce } from "./apps.tsx";
import { changedSettings, listFields, settingTexts } from "./app-settings.ts";
import { change } from "./read-parts.ts";

const texts = consoleTexts.apps;

const { read: readApp, path: appPath, page: appPage, tab: appTab, confirmation, deletion } = appFrame;

function isPublicApp({ token_endpoint_auth_method: method }: ShownClient): boolean {
  return method === "none";
}

/** The settings of an app. */
const settingsScreen: ConsoleScreen = {
  path: "/apps/:id",
  async show(request) {
    const client = await readApp(request);
    const values = settingTexts(client);
    return tenantSettingsPage(request, client, values, values, undefined);
  },
  async submit(request, form) {
    const id = request.params["id"] ?? "";
    const body = changedSettings(form);
    if (Object.keys(body).length === 0) return redirectTo(appPath(request, id, "settings", { done: "unchanged" }));
    try {
      await change(request.api, "PATCH", ["clients", id], body);
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      const names = ["name", "description", ...listFields];
      const values = Object.fromEntries(names.map((name) => [name, form.get(name) ?? ""]));
      const before = Object.fromEntries(names.map((name) => [name, form.get(`before_${name}`) ?? ""]));
      return { ...tenantSettingsPage(request, await readApp(request), values, before, error.message), status: 400 };
    }
    return redirectTo(appPath(request, id, "settings", { done: "saved" }));
  },
};

interface SettingTexts {
  readonly [name: string]: string;
}

function tenantSettingsPage(
  request: ScreenRequest,
  client: ShownClient,
  values: SettingTexts,
  before: SettingTexts,
  fault: string | undefined,
): ScreenPage {
  const hidden = Object.fromEntries(Object.entries(before).map(([name, value]) => [`before_${name}`, value]));
  return appPage(
    request,
    client,
    "settings",
    <Card title={texts.tabs.settings}>
      <div class="in">
        {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
        <PostForm request={request} action={appPath(request, client.client_id, "settings")} class="form wide" hidden={hidden} guards>
          <div class="columns">
            <LineField name="name" label={texts.name} value={values["name"]} required />
            <LineField name="description" label={texts.description} value={values["description"]} />
            <AreaField name="callbacks" label={texts.callbacks} hint={texts.callbacksHint} value={values["callbacks"]} />
            <AreaField
              name="allowed_logout_urls"
              label={texts.logoutUrls}
              hint={texts.logoutUrlsHint}
              value={values["allowed_logout_urls"]}
            />
            <AreaField name="web_origins" label={texts.origins} hint={texts.originsHint} value={values["web_origins"]} />
            <AreaField name="grant_types" label={texts.grants} hint={texts.grantsHint} value={values["grant_types"]} />
          </div>
          {request.scopes.has("update:clients") && (
            <div class="actions">
              <button type="submit" class="button main">
                {consoleTexts.save}
              </button>
            </div>
          )}
        </PostForm>
      </div>
    </Card>,
  );
}

/** The values that a library of the app needs. */
const quickstartScreen: ConsoleScreen = {
  path: "/apps/:id/quickstart",
  async show(request) {
    const client = await readApp(request);
    const method = client.token_endpoint_auth_method ?? "client_secret_basic";
    return appPage(
      request,
      client,
      "quickstart",
      <Card title={texts.tabs.quickstart} about={texts.connectAbout}>
        <FactList
          items={[
            [texts.issuer, <ExactValue value={request.issuer} what={texts.issuer} />],
            [texts.id, <ExactValue value={client.client_id} what={texts.id} />],
            [texts.authentication, texts.authenticationMethods[method] ?? method],
            [texts.discovery, <ExactValue value={`${request.issuer}.well-known/openid-configuration`} what={texts.discovery} />],
          ]}
        />
      </Card>,
    );
  },
};

/** Where the secret of an app is replaced. */
const secretScreen: ConsoleScreen = {
  path: "/apps/:id/secret",
  async show(request) {
    const client = await readApp(request);
    return appPage(
      request,
      client,
      "secret",
      <Card title={texts.secretTitle}>
        <div class="danger-row">
          <div>
            <p>{isPublicApp(client) ? texts.secretNone : texts.secretStored}</p>
          </div>
          {!isPublicApp(client) && request.scopes.has("update:client_keys") && (
            <a class="button" href={request.links.to(["apps", client.client_id, "rotate"])}>
              {texts.rotate}
            </a>
          )}
        </div>
      </Card>,
    );
  },
};

/** The page that replaces the secret of an app, and shows the new one once. */
const rotateScreen = confirmation({
  path: "/apps/:id/rotate",
  tab: "secret",
  title: texts.rotateTitle,
  about: texts.rotateAbout,
  confirm: texts.rotate,
  async submit(request) {
    const id = request.params["id"] ?? "";
    const client = shownClientSchema.parse(await change(request.api, "POST", ["clients", id, "rotate-secret"]));
    return appPage(
      request,
      client,
      "secret",
      <>
        <NoticeBox level="good">{texts.rotated}</NoticeBox>
        <SecretOnce client={client} open={appPath(request, id, "settings")} />
      </>,
    );
  },
});

/** The app as the Management API returns it. */
const rawScreen = appTab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, client) => <RawView issuer={issuer} path={["api", "v2", "clients", client.client_id]} value={client} />,
});

export const appRecordScreens: readonly ConsoleScreen[] = [
  settingsScreen,
  quickstartScreen,
  secretScreen,
  rotateScreen,
  appConnectionsScreen,
  ...appApiScreens,
  rawScreen,
  ...deletion,
];
