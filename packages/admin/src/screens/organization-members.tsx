import { Card, EmptyState, MissingScope } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ActionButton, FilterText } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { memberPageSchema, shownRolesSchema } from "../resources.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { changedChoices, ChoiceForm, maximumChoices } from "./choice-form.tsx";
import { readFoundUsers } from "./read-found-users.ts";
import { organizationFrame } from "./organization-frame.ts";
import { change, pageSize, read, readPart } from "./read-parts.ts";
import { UserLink, userName } from "./user-parts.tsx";
import { readRoleChoices } from "./user-roles.tsx";
import { userSearches } from "./user-search.ts";

const texts = consoleTexts.organizations;

/** The members of the organization, with their roles inside it. */
const membersScreen = organizationFrame.tab({
  tab: "members",
  read: async ({ api, query, scopes }, id) => {
    const withRoles = scopes.has("read:organization_member_roles");
    const fields = `user_id,name,email${withRoles ? ",roles" : ""}`;
    const from = query.get("from") ?? "";
    return memberPageSchema.parse(await read(api, ["organizations", id, "members"], { take: String(pageSize), from, fields }));
  },
  actions: ({ links, scopes }, { id }) => (
    <>
      {scopes.has("update:organizations") && (
        <a class="button" href={links.to(["organizations", id, "edit"])}>
          {consoleTexts.edit}
        </a>
      )}
      {scopes.has("create:organization_members") && (
        <a class="button main" href={links.to(["organizations", id, "members", "add"])}>
          <ConsoleIcon name="plus" />
          {texts.addMember}
        </a>
      )}
    </>
  ),
  body: ({ members, next }, request, { id }) => {
    const { links, query, scopes } = request;
    const mayChangeRoles = ["read:roles", "read:organization_member_roles", "create:organization_member_roles"].every((one) =>
      scopes.has(one),
    );
    return (
      <Card>
        {members.length === 0 ? (
          <EmptyState icon="users" text={texts.membersEmpty} />
        ) : (
          <DataTable
            caption={texts.tabs.members}
            rows={members}
            rowKey={(member) => member.user_id}
            columns={[
              { title: texts.member, cell: (member) => <UserLink user={member} links={links} /> },
              {
                title: texts.memberRoles,
                cell: ({ roles }) => <ValueOrDash>{(roles ?? []).map(({ name }) => name).join(", ")}</ValueOrDash>,
              },
              {
                title: "",
                isTight: true,
                cell: (member) => (
                  <span class="actions">
                    {mayChangeRoles && (
                      <a
                        class="button small"
                        href={links.to(["organizations", id, "members", member.user_id, "roles"])}
                        aria-label={`${texts.changeRoles} ${userName(member)}`}
                      >
                        {texts.changeRoles}
                      </a>
                    )}
                    {scopes.has("delete:organization_members") && (
                      <a
                        class="button small bad"
                        href={links.to(["organizations", id, "members", member.user_id, "remove"])}
                        aria-label={`${texts.remove} ${userName(member)}`}
                      >
                        {texts.remove}
                      </a>
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
        <ListPager
          count={members.length}
          first={query.has("from") ? organizationFrame.path(request, id, "members") : undefined}
          next={next === undefined ? undefined : organizationFrame.path(request, id, "members", { from: next })}
        />
      </Card>
    );
  },
});

/** The number of users that the search for a new member lists. */
const maximumFound = 20;

/** The page that adds a member: a search for users, with a button for each. */
const addMemberScreen: ConsoleScreen = {
  path: "/organizations/:id/members/add",
  needsRecentSignIn: true,
  async show(request) {
    const { api, links, query } = request;
    const typed = query.get("q") ?? "";
    const searches = userSearches(typed);
    const [organization, found] = await Promise.all([
      organizationFrame.read(request),
      searches.length === 0 ? undefined : readPart(readFoundUsers(api, searches, { take: maximumFound }).then(({ users }) => users)),
    ]);
    const action = links.to(["organizations", organization.id, "members", "add"]);
    const body = (
      <Card title={texts.addMember} about={texts.addMemberAbout}>
        <form class="filters" method="get" role="search" aria-label={consoleTexts.users.find}>
          <FilterText label={consoleTexts.users.find} value={typed} hint={consoleTexts.users.findHint}>
            <div class="actions">
              <button type="submit" class="button">
                {consoleTexts.search.title}
              </button>
            </div>
          </FilterText>
        </form>
        {found === undefined ? null : !("value" in found) ? (
          <MissingScope scopes={found.missingScopes} />
        ) : found.value.length === 0 ? (
          <EmptyState icon="users" text={texts.noUserFound} />
        ) : (
          <DataTable
            caption={consoleTexts.users.title}
            rows={found.value}
            rowKey={(user) => user.user_id}
            columns={[
              { title: consoleTexts.users.user, cell: (user) => <UserLink user={user} links={links} /> },
              { title: consoleTexts.users.connection, isMinor: true, cell: (user) => <ValueOrDash>{user.connection}</ValueOrDash> },
              {
                title: "",
                isTight: true,
                cell: (user) => (
                  <ActionButton
                    request={request}
                    action={action}
                    hidden={{ user: user.user_id }}
                    kind="small"
                    label={`${texts.add} ${userName(user)}`}
                  >
                    {texts.add}
                  </ActionButton>
                ),
              },
            ]}
          />
        )}
      </Card>
    );
    return organizationFrame.page(request, organization, "members", body);
  },
  async submit(request, form) {
    const id = request.params["id"] ?? "";
    await change(request.api, "POST", ["organizations", id, "members"], { members: [form.get("user") ?? ""] });
    return redirectTo(organizationFrame.path(request, id, "members", { done: "member-added" }));
  },
};

/** The page that changes the roles of a member inside the organization. */
const memberRolesScreen: ConsoleScreen = {
  path: "/organizations/:id/members/:user/roles",
  needsRecentSignIn: true,
  async show(request) {
    const { api, links, params } = request;
    const { id = "", user = "" } = params;
    const path = ["organizations", id, "members", user, "roles"];
    const [organization, assigned, all] = await Promise.all([
      organizationFrame.read(request),
      read(api, path, { per_page: String(maximumChoices) }).then((body) => shownRolesSchema.parse(body)),
      readRoleChoices(request),
    ]);
    const body = (
      <Card title={texts.rolesOf(user)} about={consoleTexts.recentSignIn}>
        <div class="in">
          {all.length === 0 ? (
            <p>{consoleTexts.user.rolesNone}</p>
          ) : (
            <ChoiceForm
              request={request}
              action={links.to(path)}
              legend={texts.roles}
              choices={all.map((role) => ({ value: role.id, title: role.name, about: role.description }))}
              selected={assigned.map((role) => role.id)}
              hint={all.length === maximumChoices ? consoleTexts.user.rolesMany : undefined}
              cancel={organizationFrame.path(request, id, "members")}
            />
          )}
        </div>
      </Card>
    );
    return organizationFrame.page(request, organization, "members", body);
  },
  async submit(request, form) {
    const { id = "", user = "" } = request.params;
    const path = ["organizations", id, "members", user, "roles"];
    const { added, removed } = changedChoices(form);
    if (added.length > 0) await change(request.api, "POST", path, { roles: added });
    if (removed.length > 0) await change(request.api, "DELETE", path, { roles: removed });
    const done = added.length + removed.length === 0 ? "unchanged" : "roles";
    return redirectTo(organizationFrame.path(request, id, "members", { done }));
  },
};

/** The page that removes a member. */
const removeMemberScreen = organizationFrame.confirmation({
  path: "/organizations/:id/members/:user/remove",
  tab: "members",
  title: texts.removeTitle,
  about: texts.removeAbout,
  confirm: texts.removeConfirm,
  async submit(request) {
    const { id = "", user = "" } = request.params;
    await change(request.api, "DELETE", ["organizations", id, "members"], { members: [user] });
    return redirectTo(organizationFrame.path(request, id, "members", { done: "member-removed" }));
  },
});

/** The screens of an organization's members. */
export const organizationMemberScreens: readonly ConsoleScreen[] = [membersScreen, addMemberScreen, memberRolesScreen, removeMemberScreen];
