import { ApiFilter } from "../components/api-filter.tsx";
import { Card, EmptyState } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ManagementClient } from "../management-client.ts";
import { apiPageSchema, permissionPageSchema, type ShownPermission } from "../resources.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { changedChoices, ChoiceForm, maximumChoices } from "./choice-form.tsx";
import { change, read } from "./read-parts.ts";
import { roleFrame } from "./role-frame.tsx";

const texts = consoleTexts.roles;

/** The maximum number of requests for the permissions of a role. A record has five requests. */
const maximumPages = 3;

/** Reads the permissions of a role, up to {@link maximumPages} pages. */
async function readPermissions(api: ManagementClient, id: string) {
  const permissions: ShownPermission[] = [];
  let from = "";
  for (let page = 0; page < maximumPages; page++) {
    const query = { take: String(maximumChoices), from };
    const found = permissionPageSchema.parse(await read(api, ["roles", id, "permissions"], query));
    permissions.push(...found.permissions);
    if (found.next === undefined) return { permissions, isComplete: true };
    from = found.next;
  }
  return { permissions, isComplete: false };
}

/** The page that changes the permissions of a role for one API. */
export const rolePermissionsScreen: ConsoleScreen = {
  path: "/roles/:id/permissions/edit",
  needsRecentSignIn: true,
  async show(request) {
    const { api, links, params, query } = request;
    const { id = "" } = params;
    const [role, apis, { permissions, isComplete }] = await Promise.all([
      roleFrame.read(request),
      read(api, ["resource-servers"], { take: String(maximumChoices) }).then((body) => apiPageSchema.parse(body).resource_servers),
      readPermissions(api, id),
    ]);
    const identifiers = new Set(permissions.map((permission) => permission.resource_server_identifier));
    // Without a choice, the API of which the role has permissions already.
    const chosen =
      apis.find(({ identifier }) => identifier === query.get("api")) ??
      apis.find(({ identifier }) => identifiers.has(identifier)) ??
      apis[0];
    const selected = permissions
      .filter((permission) => permission.resource_server_identifier === chosen?.identifier)
      .map((permission) => permission.permission_name);
    const body = (
      <Card title={texts.changePermissions} about={consoleTexts.recentSignIn}>
        {chosen === undefined ? (
          <EmptyState icon="apis" text={texts.noApi} />
        ) : (
          <>
            <ApiFilter apis={apis} chosen={chosen} />
            {(chosen.scopes ?? []).length === 0 ? (
              <EmptyState icon="apis" text={texts.noScopes} />
            ) : (
              <div class="in">
                <ChoiceForm
                  request={request}
                  action={links.to(["roles", id, "permissions", "edit"], { api: chosen.identifier })}
                  legend={chosen.name}
                  choices={(chosen.scopes ?? []).map(({ value, description }) => ({ value, title: value, about: description }))}
                  selected={selected}
                  hint={isComplete ? undefined : texts.manyPermissions(permissions.length)}
                  cancel={roleFrame.path(request, id, "permissions")}
                />
              </div>
            )}
          </>
        )}
      </Card>
    );
    return roleFrame.page(request, role, "permissions", body);
  },
  async submit(request, form) {
    const { api, params, query } = request;
    const { id = "" } = params;
    const { added, removed } = changedChoices(form);
    const bodyOf = (names: readonly string[]) => ({
      permissions: names.map((name) => ({ resource_server_identifier: query.get("api") ?? "", permission_name: name })),
    });
    if (added.length > 0) await change(api, "POST", ["roles", id, "permissions"], bodyOf(added));
    if (removed.length > 0) await change(api, "DELETE", ["roles", id, "permissions"], bodyOf(removed));
    const done = added.length + removed.length === 0 ? "unchanged" : "permissions";
    return redirectTo(roleFrame.path(request, id, "permissions", { done }));
  },
};
