import { StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownRoleSchema } from "../resources.ts";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

/** The pages of a role's record. */
export const roleFrame = recordFrame({
  section: "roles",
  tabs: consoleTexts.roles.tabs,
  read: async ({ api, params: { id = "" } }) => shownRoleSchema.parse(await read(api, ["roles", id])),
  idOf: (role) => role.id,
  nameOf: (role) => role.name,
  deletion: {
    texts: consoleTexts.roles,
    collection: "roles",
    scope: "delete:roles",
    done: "role-deleted",
    refusal: (role) => (role.is_system === true ? consoleTexts.roles.systemAbout : undefined),
  },
  badges: (role) => role.is_system === true && <StateBadge level="plain">{consoleTexts.roles.system}</StateBadge>,
});
