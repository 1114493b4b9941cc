import * as z from "zod";
import { ApiFilter } from "../components/api-filter.tsx";
import { Card, EmptyState } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import { apiPageSchema, shownApiSchema, type ShownApi } from "../resources.ts";
import { redirectTo, ScreenNotFound, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { appFrame } from "./app-frame.tsx";
import { changedChoices, ChoiceForm, maximumChoices } from "./choice-form.tsx";
import { change, read } from "./read-parts.ts";

const texts = consoleTexts.appAccess;

/** A client grant: the permissions of an API that an app may request. */
export const appGrantSchema = z.looseObject({
  id: z.string(),
  client_id: z.string(),
  audience: z.string(),
  scope: z.array(z.string()).nullish(),
  subject_type: z.string().nullish(),
  allow_all_scopes: z.boolean().nullish(),
});
export type ShownAppGrant = z.infer<typeof appGrantSchema>;

/** Renders the permissions of an API as choices. */
function PermissionChoices({ request, path, api, selected }: ChoicesProps) {
  const { links, params } = request;
  const scopes = api.scopes ?? [];
  if (scopes.length === 0) return <EmptyState icon="apis" text={consoleTexts.roles.noScopes} />;
  return (
    <div class="in">
      <ChoiceForm
        request={request}
        action={path}
        legend={api.name}
        choices={scopes.map(({ value, description }) => ({ value, title: value, about: description }))}
        selected={selected}
        cancel={links.to(["apps", params["id"] ?? "", "apis"])}
      />
    </div>
  );
}

interface ChoicesProps {
  readonly request: ScreenRequest;
  /** The path that the form is sent to. */
  readonly path: string;
  readonly api: ShownApi;
  readonly selected: readonly string[];
}

/** The page that allows an API. */
const addScreen: ConsoleScreen = {
  path: "/apps/:id/apis/add",
  needsRecentSignIn: true,
  async show(request) {
    const { api, links, params, query } = request;
    const { id = "" } = params;
    const [app, apis] = await Promise.all([
      appFrame.read(request),
      read(api, ["resource-servers"], { take: String(maximumChoices) }).then((body) => apiPageSchema.parse(body).resource_servers),
    ]);
    const chosen = apis.find(({ identifier }) => identifier === query.get("api")) ?? apis.find((one) => one.is_system !== true) ?? apis[0];
    const body = (
      <Card title={texts.allowTitle} about={consoleTexts.recentSignIn}>
        {chosen === undefined ? (
          <EmptyState icon="apis" text={consoleTexts.roles.noApi} />
        ) : (
          <>
            <ApiFilter apis={apis} chosen={chosen} />
            <PermissionChoices
              request={request}
              path={links.to(["apps", id, "apis", "add"], { api: chosen.identifier })}
              api={chosen}
              selected={[]}
            />
          </>
        )}
      </Card>
    );
    return appFrame.page(request, app, "apis", body);
  },
  async submit(request, form) {
    const { id = "" } = request.params;
    const body = { client_id: id, audience: request.query.get("api") ?? "", scope: changedChoices(form).added };
    await change(request.api, "POST", ["client-grants"], body);
    return redirectTo(appFrame.path(request, id, "apis", { done: "api-allowed" }));
  },
};

/** Reads the client grant that the path names. @throws {ScreenNotFound} for a grant of another app. */
async function readGrant({ api, params: { id, grant = "" } }: ScreenRequest): Promise<ShownAppGrant> {
  const found = appGrantSchema.parse(await read(api, ["client-grants", grant]));
  if (found.client_id !== id) throw new ScreenNotFound();
  return found;
}

/** The page that changes the permissions of an API that the app may request. */
const grantScreen: ConsoleScreen = {
  path: "/apps/:id/apis/:grant",
  needsRecentSignIn: true,
  async show(request) {
    const { api, links, scopes } = request;
    const [app, grant] = await Promise.all([appFrame.read(request), readGrant(request)]);
    const target = shownApiSchema.parse(await read(api, ["resource-servers", grant.audience]));
    const path = links.to(["apps", app.client_id, "apis", grant.id]);
    const remove = scopes.has("delete:client_grants") && (
      <a class="button bad" href={links.to(["apps", app.client_id, "apis", grant.id, "remove"])}>
        {texts.remove}
      </a>
    );
    const body = (
      <Card title={texts.change} about={consoleTexts.recentSignIn} actions={remove}>
        {grant.allow_all_scopes === true ? (
          <p class="in">{texts.allPermissions}</p>
        ) : (
          <PermissionChoices request={request} path={path} api={target} selected={grant.scope ?? []} />
        )}
      </Card>
    );
    return appFrame.page(request, app, "apis", body);
  },
  async submit(request, form) {
    const { id = "" } = request.params;
    const grant = await readGrant(request);
    const { added, removed } = changedChoices(form);
    if (added.length + removed.length === 0) return redirectTo(appFrame.path(request, id, "apis", { done: "unchanged" }));
    const scope = [...new Set([...(grant.scope ?? []), ...added])].filter((value) => !removed.includes(value));
    await change(request.api, "PATCH", ["client-grants", grant.id], { scope });
    return redirectTo(appFrame.path(request, id, "apis", { done: "permissions" }));
  },
};

const removeScreen = appFrame.confirmation({
  path: "/apps/:id/apis/:grant/remove",
  tab: "apis",
  title: texts.removeTitle,
  about: texts.removeAbout,
  confirm: texts.remove,
  async submit(request) {
    const { id } = await readGrant(request);
    await change(request.api, "DELETE", ["client-grants", id]);
    return redirectTo(appFrame.path(request, request.params["id"] ?? "", "apis", { done: "api-removed" }));
  },
});

/** The screens that allow an API, change its permissions and remove the access. */
export const appGrantScreens: readonly ConsoleScreen[] = [addScreen, grantScreen, removeScreen];
