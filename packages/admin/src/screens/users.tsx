import { Card, EmptyState } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { FilterSelect } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownConnectionsSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { readFoundUsers } from "./read-found-users.ts";
import { pageSize, read, readDetail } from "./read-parts.ts";
import { UserLink, UserState } from "./user-parts.tsx";
import { userSearches } from "./user-search.ts";

const texts = consoleTexts.users;

/** The list of users. */
export const usersScreen: ConsoleScreen = {
  path: "/users",
  async show({ api, query, links, now, scopes }) {
    const [typed, connection, from] = [query.get("q") ?? "", query.get("connection") ?? "", query.get("from") ?? ""];
    const asked = query.get("sort") ?? "";
    const sort = Object.hasOwn(texts.sorts, asked) ? asked : "created_at:desc";
    const searches = userSearches(typed);
    const isSearch = searches.length > 0;
    const [found, connections] = await Promise.all([
      readFoundUsers(api, isSearch ? searches : [{ sort }], { take: pageSize, from, connection }),
      readDetail(read(api, ["connections"], { per_page: "100" }).then((body) => shownConnectionsSchema.parse(body))),
    ]);
    const filters = { q: typed, connection, sort: asked };
    const isFiltered = typed !== "" || connection !== "";
    const newUser = (
      <a class="button main" href={links.to(["users", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      section: "users",
      ...(scopes.has("create:users") && { actions: newUser }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} isFiltered={isFiltered} clear={links.to(["users"])}>
            <FilterSelect
              name="connection"
              label={texts.connection}
              value={connection}
              options={[
                ["", texts.anyConnection],
                ...(connections ?? []).map(({ name, display_name: shown }) => [name, shown ?? name] as const),
              ]}
            />
            {!isSearch && <FilterSelect name="sort" label={texts.sort} value={sort} options={Object.entries(texts.sorts)} />}
          </ListSearch>
          {found.users.length === 0 ? (
            <EmptyState
              icon="users"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && scopes.has("create:users") && newUser}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.users}
              rowKey={(user) => user.user_id}
              columns={[
                { title: texts.user, cell: (user) => <UserLink user={user} links={links} /> },
                { title: texts.state, isTight: true, hasLabel: false, cell: (user) => <UserState user={user} /> },
                { title: texts.connection, isMinor: true, cell: (user) => <ValueOrDash>{user.connection}</ValueOrDash> },
                {
                  title: texts.lastLogin,
                  isTight: true,
                  cell: (user) => <Timestamp at={user.last_login} now={now} missing={consoleTexts.never} />,
                },
                { title: texts.created, isTight: true, isMinor: true, cell: (user) => <Timestamp at={user.created_at} now={now} /> },
              ]}
            />
          )}
          <ListPager
            count={found.users.length}
            first={from === "" ? undefined : links.to(["users"], filters)}
            next={found.next === undefined ? undefined : links.to(["users"], { ...filters, from: found.next })}
          />
          {scopes.has("update:users") && found.users.length > 1 && (
            <div class="in actions">
              <a class="button" href={links.to(["users", "block"], { q: typed, connection })}>
                {texts.blockSeveral}
              </a>
            </div>
          )}
        </Card>
      ),
    };
  },
};
