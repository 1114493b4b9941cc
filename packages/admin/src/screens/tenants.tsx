import { Card, EmptyState } from "../components/blocks.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { createConsoleLinks } from "../console-links.ts";
import { tenantPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { pageSize } from "./read-parts.ts";

const texts = consoleTexts.tenants;

/** The list of the tenants that the user may open. */
export const tenantsScreen: ConsoleScreen = {
  path: "/tenants",
  async show({ api, query, links, now }) {
    const asked = query.get("page") ?? "";
    const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
    const found = tenantPageSchema.parse(await api.call("GET", ["tenants"], { query: { per_page: String(pageSize), page: String(page) } }));
    return {
      title: texts.title,
      body: (
        <Card>
          {found.tenants.length === 0 ? (
            <EmptyState icon="swap" text={texts.empty} />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.tenants}
              rowKey={({ id }) => id}
              columns={[
                { title: texts.id, cell: ({ id }) => <a href={createConsoleLinks(links.toRoot(""), id).to([])}>{id}</a> },
                { title: texts.name, cell: ({ name }) => <ValueOrDash>{name}</ValueOrDash> },
                { title: texts.created, isTight: true, cell: ({ created_at: created }) => <Timestamp at={created} now={now} /> },
              ]}
            />
          )}
          <ListPager
            count={found.tenants.length}
            first={page === 1 ? undefined : links.toRoot("tenants")}
            next={found.total <= page * pageSize ? undefined : links.toRoot("tenants", { page: String(page + 1) })}
          />
        </Card>
      ),
    };
  },
};
