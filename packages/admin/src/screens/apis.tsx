import { Card, EmptyState, FactList } from "../components/blocks.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { apiPageSchema, shownApiSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { pageSize, read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

const texts = consoleTexts.apis;

/** The list of APIs: the resource servers of the tenant. */
const apisScreen: ConsoleScreen = {
  path: "/apis",
  async show({ api, query, links }) {
    const from = query.get("from") ?? "";
    const found = apiPageSchema.parse(await read(api, ["resource-servers"], { take: String(pageSize), from }));
    return {
      title: texts.title,
      section: "apis",
      body: (
        <Card>
          {found.resource_servers.length === 0 ? (
            <EmptyState icon="apis" title={texts.emptyTitle} text={texts.empty} />
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
            first={from === "" ? undefined : links.to(["apis"])}
            next={found.next === undefined ? undefined : links.to(["apis"], { from: found.next })}
          />
        </Card>
      ),
    };
  },
};

const frame = recordFrame({
  section: "apis",
  tabs: texts.tabs,
  read: async ({ api, params: { id = "" } }) => shownApiSchema.parse(await read(api, ["resource-servers", id])),
  idOf: (api) => api.id,
  nameOf: (api) => api.name,
  badges: (api) => api.is_system === true && <StateBadge level="plain">{texts.system}</StateBadge>,
});

const yesNo = (value: boolean | null | undefined): string => (value === true ? consoleTexts.yes : consoleTexts.no);
const inSeconds = (value: number | null | undefined): string => (typeof value === "number" ? texts.seconds(value) : consoleTexts.none);
const policyText = (policy: string | null | undefined): string => texts.policies[policy ?? ""] ?? policy ?? consoleTexts.none;

/** The settings of an API. */
const settingsScreen = frame.tab({
  tab: "settings",
  read: async () => undefined,
  body: (_, _request, api) => (
    <Card title={texts.tabs.settings} about={texts.settingsAbout}>
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
const permissionsScreen = frame.tab({
  tab: "permissions",
  read: async () => undefined,
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
const rawScreen = frame.tab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, api) => <RawView issuer={issuer} path={["api", "v2", "resource-servers", api.id]} value={api} />,
});

export const apiScreens: readonly ConsoleScreen[] = [apisScreen, settingsScreen, permissionsScreen, rawScreen];
