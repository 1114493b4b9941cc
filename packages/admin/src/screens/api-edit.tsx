import { consoleTexts } from "../console-texts.ts";
import { shownApiSchema, type ShownApi } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { apiFrame } from "./api-frame.tsx";
import { beforePrefix, linesOf, submittedTexts, type FormField } from "./form-fields.ts";
import { change } from "./read-parts.ts";
import { editForm, newForm } from "./record-form.tsx";

const texts = consoleTexts.apis;

const policies = (...names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name) => [name, texts.policies[name] ?? name]);

/** The page that changes the settings of an API. */
const editScreen = editForm({
  path: "/apis/:id/edit",
  title: texts.edit,
  needsRecentSignIn: true,
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

/** The name and the description in a line of {@link permissionLines}. */
function readLine(line: string): readonly [name: string, permission: { readonly value: string; readonly description?: string }] {
  const [value = "", ...words] = line.split(/\s+/);
  const description = words.join(" ");
  return [value, { value, ...(description !== "" && { description }) }];
}

/**
 * Applies the lines that the operator removed, added and changed to the permissions that the API has now, so that a
 * change of another operator stays.
 */
function mergePermissions({ scopes }: ShownApi, before: readonly string[], after: readonly string[]) {
  const merged = new Map((scopes ?? []).map(({ value, description }) => [value, { value, ...(description && { description }) }]));
  const kept = new Set(after.map((line) => readLine(line)[0]));
  for (const [name] of before.map(readLine)) if (!kept.has(name)) merged.delete(name);
  for (const [name, permission] of after.filter((line) => !before.includes(line)).map(readLine)) merged.set(name, permission);
  return [...merged.values()];
}

const permissionFields: readonly FormField[] = [
  { name: "permissions", label: texts.tabs.permissions, hint: texts.permissionsHint, kind: "lines" },
];

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
  fields: () => permissionFields,
  page: (request, api, form) => apiFrame.page(request, api, "permissions", form),
  save: async (request, _, form) => {
    const { api, params } = request;
    const { permissions: before = "" } = submittedTexts(permissionFields, form, beforePrefix);
    const { permissions: after = "" } = submittedTexts(permissionFields, form);
    const scopes = mergePermissions(await apiFrame.read(request), linesOf(before), linesOf(after));
    await change(api, "PATCH", ["resource-servers", params["id"] ?? ""], { scopes });
  },
  after: (request, done) => apiFrame.path(request, request.params["id"] ?? "", "permissions", { done }),
  cancel: (request) => apiFrame.path(request, request.params["id"] ?? "", "permissions"),
});

/** The screens that change APIs. */
export const apiEditScreens: readonly ConsoleScreen[] = [newScreen, editScreen, permissionsEditScreen, ...apiFrame.deletion];
