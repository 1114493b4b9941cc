import { Card, EmptyState } from "../components/blocks.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownPermissionsSchema, shownRolesSchema } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { changedChoices, ChoiceForm, maximumChoices } from "./choice-form.tsx";
import { change, read, readPart } from "./read-parts.ts";
import { readUser, userPage, userTabPath, userTab } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** Reads the roles that a form can offer. */
export const readRoleChoices = async ({ api }: ScreenRequest) =>
  shownRolesSchema.parse(await read(api, ["roles"], { per_page: String(maximumChoices) }));

const readRolesOf = async ({ api }: ScreenRequest, userId: string) =>
  shownRolesSchema.parse(await read(api, ["users", userId, "roles"], { per_page: "100" }));

/** The roles and the permissions of the user, with the role that each permission comes from. */
export const userRolesScreen = userTab({
  tab: "roles",
  read: async (request, userId) => {
    const [roles, permissions] = await Promise.all([
      readRolesOf(request, userId),
      readPart(read(request.api, ["users", userId, "permissions"], { per_page: "100" }).then((body) => shownPermissionsSchema.parse(body))),
    ]);
    return { roles, permissions: "value" in permissions ? permissions.value : [] };
  },
  actions: ({ links, scopes }, user) =>
    scopes.has("update:users") &&
    scopes.has("read:roles") && (
      <a class="button" href={links.to(["users", user.user_id, "roles", "edit"])}>
        {texts.rolesEdit}
      </a>
    ),
  body: ({ roles, permissions }, { links }) => (
    <div class="stack">
      <Card title={texts.roles}>
        {roles.length === 0 ? (
          <EmptyState icon="users" text={texts.rolesEmpty} />
        ) : (
          <DataTable
            caption={texts.roles}
            rows={roles}
            rowKey={({ id }) => id}
            columns={[
              {
                title: texts.name,
                cell: ({ id, name }) => (
                  <a href={links.to(["roles", id])}>
                    <bdi>{name}</bdi>
                  </a>
                ),
              },
              { title: consoleTexts.logs.description, cell: ({ description }) => <ValueOrDash>{description}</ValueOrDash> },
              { title: "Id", cell: ({ id }) => <ExactValue value={id} what="id" /> },
            ]}
          />
        )}
      </Card>
      <Card title={texts.permissions}>
        {permissions.length === 0 ? (
          <EmptyState icon="check" text={texts.permissionsEmpty} />
        ) : (
          <DataTable
            caption={texts.permissions}
            rows={permissions}
            rowKey={(permission) => `${permission.resource_server_identifier} ${permission.permission_name}`}
            columns={[
              { title: texts.permission, cell: (permission) => <code>{permission.permission_name}</code> },
              {
                title: texts.api,
                cell: (permission) => <ValueOrDash>{permission.resource_server_name || permission.resource_server_identifier}</ValueOrDash>,
              },
              {
                title: texts.from,
                cell: ({ sources }) => (
                  <ValueOrDash>
                    {(sources ?? []).map((source) => (source.source_type === "DIRECT" ? texts.direct : source.source_name)).join(", ")}
                  </ValueOrDash>
                ),
              },
            ]}
          />
        )}
      </Card>
    </div>
  ),
});

/** The page that changes the roles of a user. */
export const userRolesEditScreen: ConsoleScreen = {
  path: "/users/:id/roles/edit",
  needsRecentSignIn: true,
  async show(request) {
    const id = request.params["id"] ?? "";
    const [user, assigned, all] = await Promise.all([readUser(request), readRolesOf(request, id), readRoleChoices(request)]);
    const body = (
      <Card title={texts.rolesEditTitle} about={consoleTexts.recentSignIn}>
        <div class="in">
          {all.length === 0 ? (
            <p>{texts.rolesNone}</p>
          ) : (
            <ChoiceForm
              request={request}
              action={request.links.to(["users", id, "roles", "edit"])}
              legend={texts.roles}
              choices={all.map((role) => ({ value: role.id, title: role.name, about: role.description }))}
              selected={assigned.map((role) => role.id)}
              hint={all.length === maximumChoices ? texts.rolesMany : undefined}
              cancel={userTabPath(request, id, "roles")}
            />
          )}
        </div>
      </Card>
    );
    return userPage(request, user, "roles", body);
  },
  async submit(request, form) {
    const id = request.params["id"] ?? "";
    const { added, removed } = changedChoices(form);
    if (added.length > 0) await change(request.api, "POST", ["users", id, "roles"], { roles: added });
    if (removed.length > 0) await change(request.api, "DELETE", ["users", id, "roles"], { roles: removed });
    return redirectTo(userTabPath(request, id, "roles", { done: added.length + removed.length === 0 ? "unchanged" : "roles" }));
  },
};
