import { Card, EmptyState } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { FilterSelect } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { connectionPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { connectionName, StrategyName } from "./connection-frame.tsx";
import { connectionSearch } from "./name-search.ts";
import { pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.connections;

/** The list of connections. */
export const connectionsScreen: ConsoleScreen = {
  path: "/connections",
  async show({ api, query, links, scopes }) {
    const [typed, from, asked] = [query.get("q") ?? "", query.get("from") ?? "", query.get("strategy") ?? ""];
    const strategy = Object.hasOwn(texts.strategies, asked) ? asked : "";
    const found = connectionPageSchema.parse(
      await read(api, ["connections"], { take: String(pageSize), from, strategy, q: connectionSearch(typed) }),
    );
    const isFiltered = typed !== "" || strategy !== "";
    const filters = { q: typed, strategy };
    const newConnection = scopes.has("create:connections") && (
      <a class="button main" href={links.to(["connections", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      section: "connections",
      ...(newConnection !== false && { actions: newConnection }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} isFiltered={isFiltered} clear={links.to(["connections"])}>
            <FilterSelect
              name="strategy"
              label={texts.strategy}
              value={strategy}
              options={[["", texts.anyStrategy], ...Object.entries(texts.strategies)]}
            />
          </ListSearch>
          {found.connections.length === 0 ? (
            <EmptyState
              icon="connections"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && newConnection}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.connections}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: texts.name,
                  cell: (connection) => (
                    <span class="who">
                      <a href={links.to(["connections", connection.id])}>
                        <bdi>{connectionName(connection)}</bdi>
                      </a>
                    </span>
                  ),
                },
                { title: texts.strategy, hasLabel: false, cell: (connection) => <StrategyName connection={connection} /> },
                { title: texts.apps, isTight: true, cell: ({ enabled_clients: clients }) => (clients ?? []).length },
                { title: "Id", isMinor: true, cell: ({ id }) => <ExactValue value={id} what="id" /> },
              ]}
            />
          )}
          <ListPager
            count={found.connections.length}
            first={from === "" ? undefined : links.to(["connections"], filters)}
            next={found.next === undefined ? undefined : links.to(["connections"], { ...filters, from: found.next })}
          />
        </Card>
      ),
    };
  },
};
