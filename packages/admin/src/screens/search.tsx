import { readFoundUsers } from "./read-found-users.ts";
import { Card, EmptyState } from "../components/blocks.tsx";
import { ConsoleIcon, type ConsoleIconName } from "../components/console-icon.tsx";
import { FilterText } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import {
  apiPageSchema,
  clientPageSchema,
  connectionPageSchema,
  organizationPageSchema,
  rolePageSchema,
  shownClientSchema,
  shownRoleSchema,
  shownUserSchema,
} from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { connectionName } from "./connection-frame.tsx";
import { organizationName } from "./organization-frame.ts";
import { apiSearch, appSearch, connectionSearch, organizationSearch } from "./name-search.ts";
import { read, readDetail, readPart } from "./read-parts.ts";
import { userName } from "./user-parts.tsx";
import { userSearches } from "./user-search.ts";

const texts = consoleTexts.search;

/** The maximum number of results of each kind. */
const maximumFound = 8;

/** A result of a search. */
interface FoundItem {
  readonly icon: ConsoleIconName;
  readonly text: string;
  /** The kind of the record, and what distinguishes it from others with this name. */
  readonly about: string;
  readonly href: string;
}

/** The search over all kinds of records: a page, and the data of the search palette. */
export const searchScreen: ConsoleScreen = {
  path: "/search",
  async show(request) {
    const typed = (request.query.get("q") ?? "").trim().slice(0, 200);
    const { found, skipped } = typed === "" ? { found: [], skipped: [] } : await search(request, typed);
    if (request.wantsJson) return Response.json({ found: found.map(({ text, about, href }) => ({ text, about, href })) });
    const [only] = found;
    // An exact id leads to its record.
    if (only !== undefined && found.length === 1 && isId(typed)) return redirectTo(only.href);
    return {
      title: texts.title,
      body: (
        <Card>
          <form class="filters" method="get" role="search" aria-label={texts.title}>
            <FilterText label={texts.label} value={typed} hint={texts.start}>
              <div class="actions">
                <button type="submit" class="button">
                  {texts.title}
                </button>
              </div>
            </FilterText>
          </form>
          {skipped.map(({ kind, scope }) => (
            <p class="hint in" key={kind}>
              {texts.skipped(kind, scope)}
            </p>
          ))}
          {typed !== "" && found.length === 0 && <EmptyState icon="search" title={texts.nothingTitle} text={texts.nothing} />}
          <ul class="steps">
            {found.map(({ icon, text, about, href }) => (
              <li key={href}>
                <ConsoleIcon name={icon} />
                <div>
                  <a href={href}>
                    <bdi>{text}</bdi>
                  </a>
                  <p>
                    <bdi>{about}</bdi>
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      ),
    };
  },
};

function isId(text: string): boolean {
  return text.includes("|") || /^[\w-]{20,}$/.test(text);
}

/** Searches each kind of records. An exact id is requested only from the kind that it can belong to. */
async function search({ api, links }: ScreenRequest, typed: string) {
  const isUserId = typed.includes("|");
  const take = String(maximumFound);
  const [users, organizations, roles, apis, connections, named, exact] = await Promise.all([
    readPart(
      isUserId
        ? readDetail(read(api, ["users", typed]).then((body) => [shownUserSchema.parse(body)])).then((one) => one ?? [])
        : readFoundUsers(api, userSearches(typed), { take: maximumFound }).then(({ users: found }) => found),
    ),
    readPart(
      isUserId
        ? Promise.resolve([])
        : read(api, ["organizations", "search"], { take, q: organizationSearch(typed) }).then(
            (body) => organizationPageSchema.parse(body).organizations,
          ),
    ),
    readPart(
      isUserId
        ? Promise.resolve([])
        : /^rol_\w+$/.test(typed)
          ? readDetail(read(api, ["roles", typed]).then((body) => [shownRoleSchema.parse(body)])).then((one) => one ?? [])
          : read(api, ["roles"], { take, name_filter: typed }).then((body) => rolePageSchema.parse(body).roles),
    ),
    readPart(
      isUserId
        ? Promise.resolve([])
        : read(api, ["resource-servers", "search"], { take, q: apiSearch(typed) }).then(
            (body) => apiPageSchema.parse(body).resource_servers,
          ),
    ),
    readPart(
      isUserId
        ? Promise.resolve([])
        : read(api, ["connections"], { take, q: connectionSearch(typed) }).then((body) => connectionPageSchema.parse(body).connections),
    ),
    readPart(
      isUserId
        ? Promise.resolve([])
        : read(api, ["clients", "search"], { take, q: appSearch(typed) }).then((body) => clientPageSchema.parse(body).clients),
    ),
    isUserId || !isId(typed) ? undefined : readDetail(read(api, ["clients", typed]).then((body) => shownClientSchema.parse(body))),
  ]);
  const clients = exact === undefined ? ("value" in named ? named.value : []) : [exact];
  const found: readonly FoundItem[] = [
    ...("value" in users ? users.value : []).map((user) => ({
      icon: "users" as const,
      text: userName(user),
      about: [texts.user, user.email ?? user.user_id].join(" · "),
      href: links.to(["users", user.user_id]),
    })),
    ...("value" in organizations ? organizations.value : []).map((organization) => ({
      icon: "organizations" as const,
      text: organizationName(organization),
      about: [texts.organization, organization.name].join(" · "),
      href: links.to(["organizations", organization.id]),
    })),
    ...("value" in roles ? roles.value : []).map((role) => ({
      icon: "roles" as const,
      text: role.name,
      about: [texts.role, role.description || role.id].join(" · "),
      href: links.to(["roles", role.id]),
    })),
    ...("value" in apis ? apis.value : []).map(({ id, name, identifier }) => ({
      icon: "apis" as const,
      text: name,
      about: [texts.api, identifier].join(" · "),
      href: links.to(["apis", id]),
    })),
    ...("value" in connections ? connections.value : []).map((connection) => ({
      icon: "connections" as const,
      text: connectionName(connection),
      about: [texts.connection, connection.name].join(" · "),
      href: links.to(["connections", connection.id]),
    })),
    ...clients.map((client) => ({
      icon: "apps" as const,
      text: client.name,
      about: [texts.app, client.client_id].join(" · "),
      href: links.to(["apps", client.client_id]),
    })),
  ];
  const skipped = [
    ...("value" in users ? [] : [{ kind: texts.kinds.users, scope: users.missingScopes.join(", ") }]),
    ...("value" in organizations ? [] : [{ kind: texts.kinds.organizations, scope: organizations.missingScopes.join(", ") }]),
    ...("value" in roles ? [] : [{ kind: texts.kinds.roles, scope: roles.missingScopes.join(", ") }]),
    ...("value" in apis ? [] : [{ kind: texts.kinds.apis, scope: apis.missingScopes.join(", ") }]),
    ...("value" in connections ? [] : [{ kind: texts.kinds.connections, scope: connections.missingScopes.join(", ") }]),
    ...("value" in named ? [] : [{ kind: texts.kinds.apps, scope: named.missingScopes.join(", ") }]),
  ];
  return { found, skipped };
}
