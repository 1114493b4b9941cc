import { Card, EmptyState, NoticeBox } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import { changedChoices, ChoiceForm } from "./choice-form.tsx";
import { readFoundUsers } from "./read-found-users.ts";
import { change, pageSize } from "./read-parts.ts";
import { userName } from "./user-parts.tsx";
import { userSearches } from "./user-search.ts";

const texts = consoleTexts.users;

/** Returns the filters of the list of users that the page was opened from. */
function filtersOf({ query }: ScreenRequest): { readonly q: string; readonly connection: string } {
  return { q: query.get("q") ?? "", connection: query.get("connection") ?? "" };
}

/** Renders the page. @param failures the ids of users that were not changed, with the reasons. */
async function showChoices(request: ScreenRequest, failures: ReadonlyMap<string, string> = new Map()): Promise<ScreenPage> {
  const { api, links } = request;
  const { q, connection } = filtersOf(request);
  const searches = userSearches(q);
  const { users } = await readFoundUsers(api, searches.length > 0 ? searches : [{ sort: "created_at:desc" }], {
    take: pageSize,
    connection,
  });
  const back = links.to(["users"], { q, connection });
  const choices = users.map((user) => ({ value: user.user_id, title: userName(user), about: user.email ?? user.user_id }));
  return {
    title: texts.blockSeveral,
    section: "users",
    trail: [{ text: texts.title, href: back }],
    body: (
      <Card title={texts.blockSeveral} about={texts.blockSeveralAbout}>
        {failures.size > 0 && (
          <NoticeBox level="bad">
            <p>{texts.notChanged}</p>
            <ul>
              {[...failures].map(([id, reason]) => (
                <li key={id}>
                  <bdi>{choices.find(({ value }) => value === id)?.title ?? id}</bdi>
                  {`: ${reason}`}
                </li>
              ))}
            </ul>
          </NoticeBox>
        )}
        {choices.length === 0 ? (
          <EmptyState icon="users" title={texts.noneFoundTitle} text={texts.noneFound} />
        ) : (
          <div class="in">
            <ChoiceForm
              request={request}
              action={links.to(["users", "block"], { q, connection })}
              legend={texts.blocked}
              choices={choices}
              selected={users.filter(({ blocked }) => blocked === true).map((user) => user.user_id)}
              hint={texts.blockSeveralHint(pageSize)}
              cancel={back}
            />
          </div>
        )}
      </Card>
    ),
  };
}

/** The page that blocks and unblocks several users of a list. */
export const blockUsersScreen: ConsoleScreen = {
  path: "/users/block",
  show: (request) => showChoices(request),
  async submit(request, form) {
    const { added, removed } = changedChoices(form);
    const failures = new Map<string, string>();
    for (const id of [...added, ...removed].slice(0, pageSize)) {
      try {
        await change(request.api, "PATCH", ["users", id], { blocked: added.includes(id) });
      } catch (error) {
        if (!(error instanceof ManagementError) || error.status >= 500) throw error;
        failures.set(id, error.message);
      }
    }
    if (failures.size > 0) return { ...(await showChoices(request, failures)), status: 400 };
    return redirectTo(request.links.to(["users"], { ...filtersOf(request), done: "users-blocked" }));
  },
};
