import { Card, EmptyState, FactList } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { apiPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { apiFrame } from "./api-frame.tsx";
import { apiEditScreens } from "./api-edit.tsx";
import { apiSearch } from "./name-search.ts";
import { pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.apis;

/** The list of APIs: the resource servers of the tenant. */
const apisScreen: ConsoleScreen = {
  path: "/apis",
  async show({ api, query, links, scopes }) {
    const [typed, from] = [query.get("q") ?? "", query.get("from") ?? ""];
    const search = { take: String(pageSize), from, sort: "name", q: apiSearch(typed) };
    const found = apiPageSchema.parse(await read(api, ["resource-servers", "search"], search));
    const isFiltered = typed !== "";
    const newApi = scopes.has("create:resource_servers") && (
      <a class="button main" href={links.to(["apis", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return {
      title: texts.title,
      section: "apis",
      ...(newApi !== false && { actions: newApi }),
      body: (
        <Card>
          <ListSearch label={texts.find} hint={texts.findHint} value={typed} clear={links.to(["apis"])} />
          {found.resource_servers.length === 0 ? (
            <EmptyState
              icon="apis"
              title={isFiltered ? texts.noneFoundTitle : texts.emptyTitle}
              text={isFiltered ? texts.noneFound : texts.empty}
              action={!isFiltered && newApi}
            />
          ) : (
            <DataTable
              caption={texts.title}
              rows={found.resource_servers}
              rowKey={({ id }) => id}
              columns={[
                {
                  title: texts.name,
                  cell: ({ id, name, is_system: isSystem }) => (
                    <span class="who">
                      <a href={links.to(["apis", id])}>
                        <bdi>{name}</bdi>
                      </a>
                      {isSystem === true && <StateBadge level="plain">{texts.system}</StateBadge>}
                    </span>
                  ),
                },
                { title: texts.identifier, cell: ({ identifier }) => <ExactValue value={identifier} what={texts.identifier} /> },
                { title: texts.permissionCount, isTight: true, cell: ({ scopes }) => (scopes ?? []).length },
              ]}
            />
          )}
          <ListPager
            count={found.resource_servers.length}
            first={from === "" ? undefined : links.to(["apis"], { q: typed })}
            next={found.next === undefined ? undefined : links.to(["apis"], { q: typed, from: found.next })}
          />
        </Card>
      ),
    };
  },
};

const yesNo = (value: boolean | null | undefined): string => (value === true ? consoleTexts.yes : consoleTexts.no);
const inSeconds = (value: number | null | undefined): string => (typeof value === "number" ? texts.seconds(value) : consoleTexts.none);
const policyText = (policy: string | null | undefined): string => texts.policies[policy ?? ""] ?? policy ?? consoleTexts.none;

/** The settings of an API. */
const settingsScreen = apiFrame.tab({
  tab: "settings",
  read: async () => undefined,
  actions: ({ links, scopes }, { id, is_system: isSystem }) =>
    isSystem !== true &&
    scopes.has("update:resource_servers") && (
      <a class="button" href={links.to(["apis", id, "edit"])}>
        {consoleTexts.edit}
      </a>
    ),
  body: (_, _request, api) => (
    <Card title={texts.tabs.settings}>
      <FactList
        items={[
          [texts.identifier, <ExactValue value={api.identifier} what={texts.identifier} />],
          [texts.algorithm, <ValueOrDash>{api.signing_alg}</ValueOrDash>],
          [texts.lifetime, inSeconds(api.token_lifetime)],
          [texts.webLifetime, inSeconds(api.token_lifetime_for_web)],
          [texts.offline, yesNo(api.allow_offline_access)],
          [texts.consent, yesNo(api.skip_consent_for_verifiable_first_party_clients)],
          [texts.rbac, yesNo(api.enforce_policies)],
          [texts.dialect, <ValueOrDash>{api.token_dialect}</ValueOrDash>],
          [texts.userAccess, policyText(api.subject_type_authorization?.user?.policy)],
          [texts.clientAccess, policyText(api.subject_type_authorization?.client?.policy)],
        ]}
      />
    </Card>
  ),
});

/** The permissions that an API defines: its scopes. */
const permissionsScreen = apiFrame.tab({
  tab: "permissions",
  read: async () => undefined,
  actions: ({ links, scopes }, { id, is_system: isSystem }) =>
    isSystem !== true &&
    scopes.has("update:resource_servers") && (
      <a class="button" href={links.to(["apis", id, "permissions", "edit"])}>
        {texts.changePermissions}
      </a>
    ),
  body: (_, _request, { scopes }) => (
    <Card title={texts.tabs.permissions}>
      {(scopes ?? []).length === 0 ? (
        <EmptyState icon="apis" text={texts.permissionsEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.permissions}
          rows={scopes ?? []}
          rowKey={({ value }) => value}
          columns={[
            { title: texts.permission, cell: ({ value }) => <code>{value}</code> },
            { title: texts.description, hasLabel: false, cell: ({ description }) => <ValueOrDash>{description}</ValueOrDash> },
          ]}
        />
      )}
    </Card>
  ),
});

/** The API as the Management API returns it. */
const rawScreen = apiFrame.tab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, api) => <RawView issuer={issuer} path={["api", "v2", "resource-servers", api.id]} value={api} />,
});

export const apiScreens: readonly ConsoleScreen[] = [apisScreen, ...apiEditScreens, settingsScreen, permissionsScreen, rawScreen];
