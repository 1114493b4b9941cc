import { Card, EmptyState, FactList, NoticeBox } from "../components/blocks.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { clientPageSchema } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { changedChoices, ChoiceForm } from "./choice-form.tsx";
import { connectionEditScreens } from "./connection-edit.tsx";
import { connectionFrame, StrategyName, isProvider, isSupported } from "./connection-frame.tsx";
import { connectionTestScreens } from "./connection-test.tsx";
import { change, pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.connections;

const yesNo = (value: boolean | null | undefined): string => (value === true ? consoleTexts.yes : consoleTexts.no);

/** The settings of a connection that operators look up, with the callback URL for the provider. */
const settingsScreen = connectionFrame.tab({
  tab: "settings",
  read: async () => undefined,
  actions: ({ links, scopes }, connection) =>
    isSupported(connection) &&
    scopes.has("update:connections") && (
      <a class="button" href={links.to(["connections", connection.id, "edit"])}>
        {consoleTexts.edit}
      </a>
    ),
  body: (_, { issuer }, connection) => {
    const callback = `${issuer}login/callback`;
    const clientId = connection.options?.["client_id"];
    return (
      <>
        {!isSupported(connection) && <NoticeBox level="warn">{texts.unsupportedAbout}</NoticeBox>}
        <Card title={texts.tabs.settings} about={texts.settingsAbout}>
          <FactList
            items={[
              [texts.name, <ExactValue value={connection.name} what={texts.name} />],
              [texts.displayName, <ValueOrDash>{connection.display_name}</ValueOrDash>],
              [texts.strategy, <StrategyName connection={connection} />],
              [texts.button, yesNo(connection.show_as_button)],
              [texts.domain, yesNo(connection.is_domain_connection)],
              ...(typeof clientId === "string" ? [[texts.clientId, <ExactValue value={clientId} what={texts.clientId} />] as const] : []),
              ...(isProvider(connection)
                ? [
                    [
                      texts.callback,
                      <>
                        <ExactValue value={callback} what={texts.callback} />
                        <p class="hint">{texts.callbackAbout}</p>
                      </>,
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Card>
      </>
    );
  },
});

/** Reads a page of the clients of the tenant. */
const readClients = async ({ api, query }: ScreenRequest) =>
  clientPageSchema.parse(await read(api, ["clients"], { take: String(pageSize), from: query.get("from") ?? "", is_global: "false" }));

/** The apps of the tenant, with whether each offers the connection. */
const appsScreen = connectionFrame.tab({
  tab: "apps",
  read: readClients,
  actions: ({ links, query, scopes }, { id }) =>
    scopes.has("update:connections") && (
      <a class="button" href={links.to(["connections", id, "apps", "edit"], { from: query.get("from") ?? "" })}>
        {texts.changeApps}
      </a>
    ),
  body: ({ clients, next }, request, { id, enabled_clients: enabled }) => (
    <Card title={texts.tabs.apps} about={texts.appsAbout}>
      {clients.length === 0 ? (
        <EmptyState icon="apps" text={texts.appsEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.apps}
          rows={clients}
          rowKey={(client) => client.client_id}
          columns={[
            {
              title: consoleTexts.apps.name,
              cell: (client) => (
                <span class="who">
                  <a href={request.links.to(["apps", client.client_id])}>
                    <bdi>{client.name}</bdi>
                  </a>
                </span>
              ),
            },
            {
              title: consoleTexts.users.state,
              isTight: true,
              hasLabel: false,
              cell: (client) =>
                (enabled ?? []).includes(client.client_id) ? (
                  <StateBadge level="good">{texts.enabled}</StateBadge>
                ) : (
                  <StateBadge level="plain">{texts.notEnabled}</StateBadge>
                ),
            },
            {
              title: consoleTexts.apps.id,
              isMinor: true,
              cell: (client) => <ExactValue value={client.client_id} what={consoleTexts.apps.id} />,
            },
          ]}
        />
      )}
      <ListPager
        count={clients.length}
        first={request.query.has("from") ? connectionFrame.path(request, id, "apps") : undefined}
        next={next === undefined ? undefined : connectionFrame.path(request, id, "apps", { from: next })}
      />
    </Card>
  ),
});

/** The page that changes which apps of a page of the list offer the connection. */
const appsEditScreen: ConsoleScreen = {
  path: "/connections/:id/apps/edit",
  needsRecentSignIn: true,
  async show(request) {
    const { links, query } = request;
    const [connection, { clients }] = await Promise.all([connectionFrame.read(request), readClients(request)]);
    const { id, enabled_clients: enabled } = connection;
    const from = query.get("from") ?? "";
    const body = (
      <Card title={texts.changeApps} about={consoleTexts.recentSignIn}>
        {clients.length === 0 ? (
          <EmptyState icon="apps" text={texts.appsEmpty} />
        ) : (
          <div class="in">
            <NoticeBox level="warn">{texts.changeAppsAbout}</NoticeBox>
            <ChoiceForm
              request={request}
              action={links.to(["connections", id, "apps", "edit"], { from })}
              legend={texts.apps}
              choices={clients.map((client) => ({ value: client.client_id, title: client.name, about: client.client_id }))}
              selected={clients.map((client) => client.client_id).filter((client) => (enabled ?? []).includes(client))}
              cancel={connectionFrame.path(request, id, "apps", { from })}
            />
          </div>
        )}
      </Card>
    );
    return connectionFrame.page(request, connection, "apps", body);
  },
  async submit(request, form) {
    const { api, params, query } = request;
    const { id = "" } = params;
    const { added, removed } = changedChoices(form);
    const changes = [
      ...added.map((client) => ({ client_id: client, status: true })),
      ...removed.map((client) => ({ client_id: client, status: false })),
    ];
    if (changes.length > 0) await change(api, "PATCH", ["connections", id, "clients"], changes);
    const done = changes.length === 0 ? "unchanged" : "saved";
    return redirectTo(connectionFrame.path(request, id, "apps", { done, from: query.get("from") ?? "" }));
  },
};

/** The connection as the Management API returns it, without its secrets. */
const rawScreen = connectionFrame.tab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, connection) => <RawView issuer={issuer} path={["api", "v2", "connections", connection.id]} value={connection} />,
});

/** The screens of a connection's record. */
export const connectionScreens: readonly ConsoleScreen[] = [
  ...connectionEditScreens,
  settingsScreen,
  appsScreen,
  appsEditScreen,
  ...connectionTestScreens,
  rawScreen,
];
