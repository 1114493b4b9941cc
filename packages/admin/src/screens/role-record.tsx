import { Card, EmptyState } from "../components/blocks.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { permissionPageSchema, roleUserPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { pageSize, read } from "./read-parts.ts";
import { roleEditScreen } from "./role-edit.ts";
import { roleFrame } from "./role-frame.tsx";
import { rolePermissionsScreen } from "./role-permissions.tsx";
import { UserLink } from "./user-parts.tsx";

const texts = consoleTexts.roles;

/** The permissions of the role, with the API that each belongs to. */
const permissionsScreen = roleFrame.tab({
  tab: "permissions",
  read: async ({ api, query }, id) =>
    permissionPageSchema.parse(await read(api, ["roles", id, "permissions"], { take: String(pageSize), from: query.get("from") ?? "" })),
  actions: ({ links, scopes }, { id, is_system: isSystem }) =>
    isSystem !== true &&
    scopes.has("update:roles") && (
      <>
        <a class="button" href={links.to(["roles", id, "edit"])}>
          {consoleTexts.edit}
        </a>
        <a class="button" href={links.to(["roles", id, "permissions", "edit"])}>
          {texts.changePermissions}
        </a>
      </>
    ),
  body: ({ permissions, next }, request, { id, description }) => (
    <Card title={texts.tabs.permissions} {...(description && { about: description })}>
      {permissions.length === 0 ? (
        <EmptyState icon="roles" text={texts.permissionsEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.permissions}
          rows={permissions}
          rowKey={(permission) => `${permission.resource_server_identifier} ${permission.permission_name}`}
          columns={[
            { title: texts.permission, cell: (permission) => <code>{permission.permission_name}</code> },
            {
              title: texts.api,
              cell: (permission) => <ValueOrDash>{permission.resource_server_name || permission.resource_server_identifier}</ValueOrDash>,
            },
            { title: texts.description, hasLabel: false, cell: (permission) => <ValueOrDash>{permission.description}</ValueOrDash> },
          ]}
        />
      )}
      <ListPager
        count={permissions.length}
        first={request.query.has("from") ? roleFrame.path(request, id, "permissions") : undefined}
        next={next === undefined ? undefined : roleFrame.path(request, id, "permissions", { from: next })}
      />
    </Card>
  ),
});

/** The users who have the role in the tenant. */
const usersScreen = roleFrame.tab({
  tab: "users",
  read: async ({ api, query }, id) =>
    roleUserPageSchema.parse(await read(api, ["roles", id, "users"], { take: String(pageSize), from: query.get("from") ?? "" })),
  body: ({ users, next }, request, { id }) => (
    <Card title={texts.tabs.users} about={texts.usersAbout}>
      {users.length === 0 ? (
        <EmptyState icon="users" text={texts.usersEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.users}
          rows={users}
          rowKey={(user) => user.user_id}
          columns={[
            { title: consoleTexts.users.user, cell: (user) => <UserLink user={user} links={request.links} /> },
            { title: "Id", isMinor: true, cell: (user) => <ExactValue value={user.user_id} what="id" /> },
          ]}
        />
      )}
      <ListPager
        count={users.length}
        first={request.query.has("from") ? roleFrame.path(request, id, "users") : undefined}
        next={next === undefined ? undefined : roleFrame.path(request, id, "users", { from: next })}
      />
    </Card>
  ),
});

/** The role as the Management API returns it. */
const rawScreen = roleFrame.tab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, role) => <RawView issuer={issuer} path={["api", "v2", "roles", role.id]} value={role} />,
});

/** The screens of a role's record. */
export const roleScreens: readonly ConsoleScreen[] = [
  permissionsScreen,
  roleEditScreen,
  rolePermissionsScreen,
  usersScreen,
  rawScreen,
  ...roleFrame.deletion,
];
