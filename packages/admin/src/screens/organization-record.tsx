import { Card, EmptyState } from "../components/blocks.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { consoleTexts } from "../console-texts.ts";
import { organizationConnectionPageSchema } from "../resources.ts";
import type { ConsoleScreen } from "../screen.ts";
import { organizationEditScreen } from "./organization-edit.ts";
import { organizationFrame } from "./organization-frame.ts";
import { organizationInvitationScreens } from "./organization-invitations.tsx";
import { organizationMemberScreens } from "./organization-members.tsx";
import { pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.organizations;

/** The connections that members of the organization may sign in with. */
const connectionsScreen = organizationFrame.tab({
  tab: "connections",
  read: async ({ api, query }, id) =>
    organizationConnectionPageSchema.parse(
      await read(api, ["organizations", id, "enabled_connections"], { take: String(pageSize), from: query.get("from") ?? "" }),
    ),
  body: ({ enabled_connections: connections, next }, request, { id }) => (
    <Card title={texts.tabs.connections}>
      {connections.length === 0 ? (
        <EmptyState icon="organizations" text={texts.connectionsEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.connections}
          rows={connections}
          rowKey={(row) => row.connection_id}
          columns={[
            {
              title: texts.connection,
              cell: ({ connection_id: connectionId, connection }) => (
                <a href={request.links.to(["connections", connectionId])}>
                  <bdi>{connection.name}</bdi>
                </a>
              ),
            },
            { title: texts.strategy, isTight: true, cell: ({ connection }) => <code>{connection.strategy}</code> },
            {
              title: texts.membership,
              isTight: true,
              cell: (row) => (row.assign_membership_on_login === true ? consoleTexts.yes : consoleTexts.no),
            },
            { title: texts.button, isTight: true, cell: (row) => (row.show_as_button === false ? consoleTexts.no : consoleTexts.yes) },
          ]}
        />
      )}
      <ListPager
        count={connections.length}
        first={request.query.has("from") ? organizationFrame.path(request, id, "connections") : undefined}
        next={next === undefined ? undefined : organizationFrame.path(request, id, "connections", { from: next })}
      />
    </Card>
  ),
});

/** The organization as the Management API returns it. */
const rawScreen = organizationFrame.tab({
  tab: "raw",
  read: async () => undefined,
  body: (_, { issuer }, organization) => (
    <RawView issuer={issuer} path={["api", "v2", "organizations", organization.id]} value={organization} />
  ),
});

/** The screens of an organization's record. */
export const organizationScreens: readonly ConsoleScreen[] = [
  ...organizationMemberScreens,
  organizationEditScreen,
  ...organizationInvitationScreens,
  connectionsScreen,
  rawScreen,
  ...organizationFrame.deletion,
];
