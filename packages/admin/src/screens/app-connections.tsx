import * as z from "zod";
import { Card, EmptyState } from "../components/blocks.tsx";
import { DataTable } from "../components/table.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownConnectionSchema } from "../resources.ts";
import { appFrame } from "./app-frame.tsx";
import { read } from "./read-parts.ts";

const texts = consoleTexts.appAccess;

const connectionsSchema = z.looseObject({ connections: z.array(shownConnectionSchema) });

/** The connections with which users sign in to the app. */
export const appConnectionsScreen = appFrame.tab({
  tab: "connections",
  read: async ({ api }, id) => connectionsSchema.parse(await read(api, ["clients", id, "connections"], { take: "100" })).connections,
  body: (connections, { links }) => (
    <Card title={consoleTexts.apps.tabs.connections} about={texts.connectionsAbout}>
      {connections.length === 0 ? (
        <EmptyState
          icon="connections"
          text={texts.connectionsEmpty}
          action={
            <a class="button" href={links.to(["connections"])}>
              {texts.openConnections}
            </a>
          }
        />
      ) : (
        <DataTable
          caption={consoleTexts.apps.tabs.connections}
          rows={connections}
          rowKey={({ id }) => id}
          columns={[
            {
              title: consoleTexts.connections.name,
              cell: ({ id, name, display_name: shown }) => (
                <a href={links.to(["connections", id, "apps"])}>
                  <bdi>{shown ?? name}</bdi>
                </a>
              ),
            },
            { title: consoleTexts.connections.strategy, cell: ({ strategy }) => consoleTexts.connections.strategies[strategy] ?? strategy },
          ]}
        />
      )}
    </Card>
  ),
});
