import { StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownClientSchema } from "../resources.ts";
import { appType } from "./apps.tsx";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

/** The pages of an app's record. */
export const appFrame = recordFrame({
  section: "apps",
  tabs: consoleTexts.apps.tabs,
  read: async ({ api, params: { id = "" } }) => shownClientSchema.parse(await read(api, ["clients", id])),
  idOf: (client) => client.client_id,
  nameOf: (client) => client.name,
  deletion: { texts: consoleTexts.apps, collection: "clients", scope: "delete:clients", done: "app-deleted" },
  badges: (client) => <StateBadge level="plain">{appType(client)}</StateBadge>,
});
