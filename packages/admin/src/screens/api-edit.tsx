import { Card } from "../components/blocks.tsx";
import { DangerCard } from "../components/confirm-page.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownApiSchema, type ShownApi } from "../resources.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { apiFrame } from "./api-frame.tsx";
import type { FormField } from "./form-fields.ts";
import { change } from "./read-parts.ts";
import { editForm, newForm } from "./record-form.tsx";

const texts = consoleTexts.apis;

const policies = (...names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name) => [name, texts.policies[name] ?? name]);

/** The page that changes the settings of an API. */
const editScreen = editForm({
  path: "/apis/:id/edit",
  title: texts.edit,
  read: apiFrame.read,
  fields: (): readonly FormField[] => [
    { name: "name", label: texts.name, kind: "line", required: true },
    { name: "token_lifetime", label: texts.lifetime, hint: texts.inSeconds, kind: "number", required: true },
    { name: "token_lifetime_for_web", label: texts.webLifetime, hint: texts.inSeconds, kind: "number", required: true },
    { name: "allow_offline_access", label: texts.offline, hint: texts.offlineAbout, kind: "switch" },
    { name: "skip_consent_for_verifiable_first_party_clients", label: texts.consent, kind: "switch" },
    { name: "enforce_policies", label: texts.rbac, hint: texts.rbacAbout, kind: "switch" },
    {
      name: "token_dialect",
      label: texts.dialect,
      kind: "choice",
      options: Object.entries(texts.dialects),
    },
    {
      name: "subject_type_authorization.user.policy",
      label: texts.userAccess,
      kind: "choice",
      options: policies("allow_all", "require_client_grant", "deny_all"),
    },
    {
      name: "subject_type_authorization.client.policy",
      label: texts.clientAccess,
      kind: "choice",
      options: policies("require_client_grant", "deny_all"),
    },
  ],
  page: (request, api, form) => apiFrame.page(request, api, "settings", form),
  save: async (request, body) => {
    const { api, params } = request;
    const { id = "" } = params;
    const { subject_type_authorization: access, ...rest } = body;
    // The Management API replaces the access as a whole.
    const stored = access === undefined ? undefined : (await apiFrame.read(request)).subject_type_authorization;
    const merged = access === undefined ? {} : { subject_type_authorization: { ...stored, ...Object(access) } };
    await change(api, "PATCH", ["resource-servers", id], { ...rest, ...merged });
  },
  after: (request, done) => apiFrame.path(request, request.params["id"] ?? "", "settings", { done }),
  cancel: (request) => apiFrame.path(request, request.params["id"] ?? "", "settings"),
});

/** The page that registers an API. */
const newScreen = newForm({
  path: "/apis/new",
  title: texts.new,
  fields: () => [
    { name: "name", label: texts.name, kind: "line", required: true },
    { name: "identifier", label: texts.identifier, hint: texts.identifierHint, kind: "line", required: true },
  ],
  submit: texts.create,
  page: ({ links }, form) => ({
    title: texts.new,
    section: "apis",
    trail: [{ text: texts.title, href: links.to(["apis"]) }],
    body: form,
  }),
  create: async ({ api, links }, body) => {
    const { id } = shownApiSchema.parse(await change(api, "POST", ["resource-servers"], body));
    return links.to(["apis", id, "permissions"], { done: "api-created" });
  },
  cancel: ({ links }) => links.to(["apis"]),
});

/** The permissions of an API as lines: the name, a space and the description. */
function permissionLines({ scopes }: ShownApi): readonly string[] {
  return (scopes ?? []).map(({ value, description }) => [value, (description ?? "").replaceAll(/\s+/g, " ")].join(" ").trim());
}

/** The page that changes the permissions of an API. */
const permissionsEditScreen = editForm({
  path: "/apis/:id/permissions/edit",
  title: texts.changePermissions,
  about: texts.changePermissionsAbout,
  needsRecentSignIn: true,
  read: async (request) => {
    const api = await apiFrame.read(request);
    return { ...api, permissions: permissionLines(api) };
  },
  fields: () => [{ name: "permissions", label: texts.tabs.permissions, hint: texts.permissionsHint, kind: "lines" }],
  page: (request, api, form) => apiFrame.page(request, api, "permissions", form),
  save: async ({ api, params: { id = "" } }, { permissions }) => {
    const lines = Array.isArray(permissions) ? permissions.map(String) : [];
    const scopes = lines.map((line) => {
      const [value = "", ...words] = line.split(/\s+/);
      const description = words.join(" ");
      return { value, ...(description !== "" && { description }) };
    });
    await change(api, "PATCH", ["resource-servers", id], { scopes });
  },
  after: (request, done) => apiFrame.path(request, request.params["id"] ?? "", "permissions", { done }),
  cancel: (request) => apiFrame.path(request, request.params["id"] ?? "", "permissions"),
});

/** The changes that cannot be undone. */
const dangerScreen = apiFrame.tab({
  tab: "danger",
  read: async () => undefined,
  body: (_, { links, scopes }, { id, is_system: isSystem }) =>
    isSystem === true ? (
      <Card title={consoleTexts.dangerZone}>
        <p class="in">{texts.systemAbout}</p>
      </Card>
    ) : (
      <DangerCard
        title={texts.delete}
        about={texts.deleteAbout}
        href={links.to(["apis", id, "delete"])}
        scope="delete:resource_servers"
        isAllowed={scopes.has("delete:resource_servers")}
      />
    ),
});

/** The page that deletes an API. */
const deleteScreen = apiFrame.confirmation({
  path: "/apis/:id/delete",
  tab: "danger",
  title: texts.deleteTitle,
  about: texts.deleteAbout,
  confirm: texts.delete,
  async submit({ api, links, params: { id = "" } }) {
    await change(api, "DELETE", ["resource-servers", id]);
    return redirectTo(links.to(["apis"], { done: "api-deleted" }));
  },
});

/** The screens that change APIs. */
export const apiEditScreens: readonly ConsoleScreen[] = [newScreen, editScreen, permissionsEditScreen, dangerScreen, deleteScreen];
