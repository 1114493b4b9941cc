import { Card, EmptyState } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { createConsoleLinks } from "../console-links.ts";
import { consoleTexts } from "../console-texts.ts";
import { tenantPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { boundedText, pageSize, prefixTerm } from "./read-parts.ts";
import { tenantPath } from "./tenant-frame.tsx";

const texts = consoleTexts.tenants;

/** Returns the search for the start of an id or of a name. */
function tenantSearch(typed: string): string {
  const startsWith = (text: string): string => ["id", "name"].map((field) => prefixTerm(field, text)).join(" OR ");
  return typed === "" ? "" : startsWith(boundedText(typed, startsWith));
}

/** The list of the tenants that the user may open. */
export const tenantsScreen: ConsoleScreen = {
  path: "/tenants",
  async show(request) {
    const { api, query, links, now, scopes } = request;
    const asked = query.get("page") ?? "";
    const typed = (query.get("q") ?? "").trim().slice(0, 200);
    const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
    const search = { per_page: String(pageSize), page: String(page), q: tenantSearch(typed) };
    const found = tenantPageSchema.parse(await api.call("GET", ["tenants"], { query: search }));
    const isFiltered = typed !== "";
    const newTenant = (
      <a class="button main" href={tenantPath(request, ["new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      ...(scopes.has("create:tenants") && { actions: newTenant }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} clear={tenantPath(request, [])} />
          {found.tenants.length === 0 ? (
            <EmptyState
              icon="swap"
              {...(isFiltered && { title: texts.noneFoundTitle })}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && scopes.has("create:tenants") && newTenant}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.tenants}
              rowKey={({ id }) => id}
              columns={[
                { title: texts.id, cell: ({ id }) => <a href={createConsoleLinks(links.toRoot(""), id).to([])}>{id}</a> },
                { title: texts.name, cell: ({ name }) => <ValueOrDash>{name}</ValueOrDash> },
                { title: texts.created, isTight: true, cell: ({ created_at: created }) => <Timestamp at={created} now={now} /> },
                {
                  title: "",
                  isTight: true,
                  cell: ({ id }) => (
                    <a class="button small" href={tenantPath(request, [id])} aria-label={`${texts.manage} ${id}`}>
                      {texts.manage}
                    </a>
                  ),
                },
              ]}
            />
          )}
          <ListPager
            count={found.tenants.length}
            first={page === 1 ? undefined : links.toRoot("tenants", { q: typed })}
            next={found.total <= page * pageSize ? undefined : links.toRoot("tenants", { q: typed, page: String(page + 1) })}
          />
        </Card>
      ),
    };
  },
};
