import { StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownApiSchema } from "../resources.ts";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

/** The pages of an API's record. */
export const apiFrame = recordFrame({
  section: "apis",
  tabs: consoleTexts.apis.tabs,
  read: async ({ api, params: { id = "" } }) => shownApiSchema.parse(await read(api, ["resource-servers", id])),
  idOf: (api) => api.id,
  nameOf: (api) => api.name,
  deletion: {
    texts: consoleTexts.apis,
    collection: "resource-servers",
    scope: "delete:resource_servers",
    done: "api-deleted",
    refusal: (api) => (api.is_system === true ? consoleTexts.apis.systemAbout : undefined),
  },
  badges: (api) => api.is_system === true && <StateBadge level="plain">{consoleTexts.apis.system}</StateBadge>,
});
