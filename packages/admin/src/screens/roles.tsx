import { Card, EmptyState, NoticeBox } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { LineField, PostForm } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { rolePageSchema, shownRoleSchema } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import { rolePresetsScreen } from "./role-presets.tsx";
import { change, pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.roles;

/** The list of roles. */
const rolesScreen: ConsoleScreen = {
  path: "/roles",
  async show({ api, query, links, scopes }) {
    const [typed, from] = [(query.get("q") ?? "").trim().slice(0, 200), query.get("from") ?? ""];
    const found = rolePageSchema.parse(await read(api, ["roles"], { take: String(pageSize), from, name_filter: typed }));
    const isFiltered = typed !== "";
    const newRole = scopes.has("create:roles") && (
      <>
        <a class="button" href={links.to(["roles", "presets"])}>
          {texts.presets}
        </a>
        <a class="button main" href={links.to(["roles", "new"])}>
          <ConsoleIcon name="plus" />
          {texts.new}
        </a>
      </>
    );
    return {
      title: texts.title,
      section: "roles",
      ...(newRole !== false && { actions: newRole }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} clear={links.to(["roles"])} />
          {found.roles.length === 0 ? (
            <EmptyState
              icon="roles"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && newRole}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.roles}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: texts.name,
                  cell: ({ id, name, is_system: isSystem }) => (
                    <span class="who">
                      <a href={links.to(["roles", id])}>
                        <bdi>{name}</bdi>
                      </a>
                      {isSystem === true && <StateBadge level="plain">{texts.system}</StateBadge>}
                    </span>
                  ),
                },
                {
                  title: texts.description,
                  hasLabel: false,
                  cell: ({ description }) => <ValueOrDash>{description}</ValueOrDash>,
                },
                { title: "Id", isMinor: true, cell: ({ id }) => <ExactValue value={id} what="id" /> },
              ]}
            />
          )}
          <ListPager
            count={found.roles.length}
            first={from === "" ? undefined : links.to(["roles"], { q: typed })}
            next={found.next === undefined ? undefined : links.to(["roles"], { q: typed, from: found.next })}
          />
        </Card>
      ),
    };
  },
};

/** The page that creates a role. */
const newRoleScreen: ConsoleScreen = {
  path: "/roles/new",
  show: (request) => newRolePage(request, new URLSearchParams(), undefined),
  async submit(request, form) {
    const { api, links } = request;
    const body = { name: form.get("name")?.trim() ?? "", description: form.get("description")?.trim() ?? "" };
    try {
      const { id } = shownRoleSchema.parse(await change(api, "POST", ["roles"], body));
      return redirectTo(links.to(["roles", id], { done: "role-created" }));
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      return { ...newRolePage(request, form, error.message), status: 400 };
    }
  },
};

function newRolePage(request: ScreenRequest, form: SubmittedForm, fault: string | undefined): ScreenPage {
  const { links } = request;
  return {
    title: texts.new,
    section: "roles",
    trail: [{ text: texts.title, href: links.to(["roles"]) }],
    body: (
      <Card>
        <div class="in">
          {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
          <PostForm request={request} action={links.to(["roles", "new"])} class="form" guards>
            <LineField name="name" label={texts.name} value={form.get("name") ?? ""} required />
            <LineField name="description" label={texts.description} hint={texts.descriptionHint} value={form.get("description") ?? ""} />
            <div class="actions">
              <button type="submit" class="button main">
                {texts.create}
              </button>
              <a class="button" href={links.to(["roles"])}>
                {consoleTexts.cancel}
              </a>
            </div>
          </PostForm>
        </div>
      </Card>
    ),
  };
}

export const roleListScreens: readonly ConsoleScreen[] = [rolesScreen, newRoleScreen, rolePresetsScreen];
