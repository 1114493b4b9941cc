import { Card, EmptyState, NoticeBox } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { LineField, PostForm } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, Timestamp } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { organizationPageSchema, shownOrganizationSchema } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import { organizationName } from "./organization-frame.ts";
import { organizationSearch } from "./name-search.ts";
import { change, pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.organizations;

/** The list of organizations. */
const organizationsScreen: ConsoleScreen = {
  path: "/organizations",
  async show({ api, query, links, now, scopes }) {
    const [typed, from] = [query.get("q") ?? "", query.get("from") ?? ""];
    const found = organizationPageSchema.parse(
      await read(api, ["organizations", "search"], {
        take: String(pageSize),
        from,
        sort: "name",
        q: organizationSearch(typed),
        fields: "id,name,display_name,created_at",
      }),
    );
    const isFiltered = typed !== "";
    const newOrganization = scopes.has("create:organizations") && (
      <a class="button main" href={links.to(["organizations", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      section: "organizations",
      ...(newOrganization !== false && { actions: newOrganization }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} clear={links.to(["organizations"])} />
          {found.organizations.length === 0 ? (
            <EmptyState
              icon="organizations"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && newOrganization}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.organizations}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: texts.displayName,
                  cell: (organization) => (
                    <span class="who">
                      <a href={links.to(["organizations", organization.id])}>
                        <bdi>{organizationName(organization)}</bdi>
                      </a>
                    </span>
                  ),
                },
                { title: texts.name, cell: ({ name }) => <bdi>{name}</bdi> },
                { title: "Id", isMinor: true, cell: ({ id }) => <ExactValue value={id} what="id" /> },
                { title: texts.created, isTight: true, isMinor: true, cell: ({ created_at: at }) => <Timestamp at={at} now={now} /> },
              ]}
            />
          )}
          <ListPager
            count={found.organizations.length}
            first={from === "" ? undefined : links.to(["organizations"], { q: typed })}
            next={found.next === undefined ? undefined : links.to(["organizations"], { q: typed, from: found.next })}
          />
        </Card>
      ),
    };
  },
};

/** The page that creates an organization. */
const newOrganizationScreen: ConsoleScreen = {
  path: "/organizations/new",
  show: (request) => newOrganizationPage(request, new URLSearchParams(), undefined),
  async submit(request, form) {
    const { api, links } = request;
    const [name, displayName] = [form.get("name")?.trim() ?? "", form.get("display_name")?.trim() ?? ""];
    try {
      const body = { name, ...(displayName !== "" && { display_name: displayName }) };
      const { id } = shownOrganizationSchema.parse(await change(api, "POST", ["organizations"], body));
      return redirectTo(links.to(["organizations", id], { done: "organization-created" }));
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      return { ...newOrganizationPage(request, form, error.message), status: 400 };
    }
  },
};

function newOrganizationPage(request: ScreenRequest, form: SubmittedForm, fault: string | undefined): ScreenPage {
  const { links } = request;
  return {
    title: texts.new,
    section: "organizations",
    trail: [{ text: texts.title, href: links.to(["organizations"]) }],
    body: (
      <Card>
        <div class="in">
          {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
          <PostForm request={request} action={links.to(["organizations", "new"])} class="form" guards>
            <LineField name="name" label={texts.name} hint={texts.nameHint} value={form.get("name") ?? ""} required />
            <LineField name="display_name" label={texts.displayName} hint={texts.displayNameHint} value={form.get("display_name") ?? ""} />
            <div class="actions">
              <button type="submit" class="button main">
                {texts.create}
              </button>
              <a class="button" href={links.to(["organizations"])}>
                {consoleTexts.cancel}
              </a>
            </div>
          </PostForm>
        </div>
      </Card>
    ),
  };
}

export const organizationListScreens: readonly ConsoleScreen[] = [organizationsScreen, newOrganizationScreen];
