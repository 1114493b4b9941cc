import { Card, FactList } from "../components/blocks.tsx";
import { ConfirmCard, DangerCard } from "../components/confirm-page.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { createConsoleLinks } from "../console-links.ts";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import type { FormField } from "./form-fields.ts";
import { editForm, newForm } from "./record-form.tsx";
import { operationScreens, OperationsCard, readOperations } from "./tenant-operations.tsx";
import { readTenant, tenantPage, tenantPath } from "./tenant-frame.tsx";

const texts = consoleTexts.tenants;

const nameFields: readonly FormField[] = [
  { name: "name", label: texts.name, kind: "line", required: true },
  { name: "friendly_name", label: texts.friendlyName, hint: texts.friendlyNameHint, kind: "line" },
];

/** The page that creates a tenant. */
const newTenantScreen = newForm({
  path: "/tenants/new",
  title: texts.new,
  needsRecentSignIn: true,
  submit: texts.create,
  fields: () => [{ name: "id", label: texts.id, hint: texts.idHint, kind: "line", required: true }, ...nameFields],
  page: (request, form) => ({ title: texts.new, trail: [{ text: texts.title, href: tenantPath(request, []) }], body: form }),
  create: async (request, body) => {
    await request.api.call("POST", ["tenants"], { body });
    return tenantPath(request, [String(body["id"])], "tenant-created");
  },
  cancel: (request) => tenantPath(request, []),
});

/** The record of a tenant: names, operations and its deletion. */
const tenantScreen: ConsoleScreen = {
  path: "/tenants/:id",
  async show(request) {
    const { links, now, params, scopes } = request;
    const [tenant, operations] = await Promise.all([readTenant(request), readOperations(request, params["id"] ?? "")]);
    const actions = (
      <>
        {scopes.has("update:tenants") && (
          <a class="button" href={tenantPath(request, [tenant.id, "edit"])}>
            {consoleTexts.edit}
          </a>
        )}
        <a class="button main" href={createConsoleLinks(links.toRoot(""), tenant.id).to([])}>
          {texts.open}
        </a>
      </>
    );
    const facts = [
      [texts.name, <ValueOrDash>{tenant.name}</ValueOrDash>],
      [texts.friendlyName, <ValueOrDash>{tenant.friendly_name}</ValueOrDash>],
      [texts.created, <Timestamp at={tenant.created_at} now={now} />],
    ] as const;
    const body = (
      <div class="stack">
        <Card title={texts.facts}>
          <FactList items={facts} />
        </Card>
        {operations !== undefined && <OperationsCard request={request} tenant={tenant} operations={operations} />}
        {tenant.id !== request.tenantId && (
          <DangerCard
            title={texts.delete}
            about={texts.deleteAbout}
            href={tenantPath(request, [tenant.id, "delete"])}
            scope="delete:tenants"
            isAllowed={scopes.has("delete:tenants")}
          />
        )}
      </div>
    );
    return tenantPage(request, tenant, body, { actions });
  },
};

const editTenantScreen = editForm({
  path: "/tenants/:id/edit",
  title: texts.edit,
  read: readTenant,
  fields: () => nameFields,
  page: (request, tenant, form) => tenantPage(request, tenant, form, { title: texts.edit }),
  save: (request, body) => request.api.call("PATCH", ["tenants", request.params["id"] ?? ""], { body }),
  after: (request, done) => tenantPath(request, [request.params["id"] ?? ""], done),
  cancel: (request) => tenantPath(request, [request.params["id"] ?? ""]),
});

/** The page that asks before the deletion of a tenant, and for its id. */
const deleteTenantScreen: ConsoleScreen = {
  path: "/tenants/:id/delete",
  needsRecentSignIn: true,
  show: (request) => askDeletion(request),
  async submit(request, form) {
    const { id } = await readTenant(request);
    if (form.get("typed")?.trim() !== id) return { ...(await askDeletion(request, consoleTexts.typedWrong)), status: 400 };
    await request.api.call("DELETE", ["tenants", id]);
    return redirectTo(tenantPath(request, [], "tenant-deleted"));
  },
};

async function askDeletion(request: ScreenRequest, fault?: string): Promise<ScreenPage> {
  const tenant = await readTenant(request);
  const title = texts.deleteTitle(tenant.name ?? tenant.id);
  const [action, back] = [tenantPath(request, [tenant.id, "delete"]), tenantPath(request, [tenant.id])];
  const question = { title, about: texts.deleteAbout, confirm: texts.delete, typed: tenant.id, fault, action, back };
  return tenantPage(request, tenant, <ConfirmCard request={request} {...question} />, { title });
}

/** The screens about one tenant of the control plane. */
export const tenantRecordScreens: readonly ConsoleScreen[] = [
  newTenantScreen,
  tenantScreen,
  editTenantScreen,
  deleteTenantScreen,
  ...operationScreens,
];
