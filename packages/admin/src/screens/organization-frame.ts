import { consoleTexts } from "../console-texts.ts";
import { shownOrganizationSchema, type ShownOrganization } from "../resources.ts";
import { read } from "./read-parts.ts";
import { recordFrame } from "./record-frame.tsx";

/** Returns the name by which pages show an organization. */
export function organizationName({ display_name: shown, name }: Pick<ShownOrganization, "display_name" | "name">): string {
  return shown || name;
}

/** The pages of an organization's record. */
export const organizationFrame = recordFrame({
  section: "organizations",
  tabs: consoleTexts.organizations.tabs,
  read: async ({ api, params: { id = "" } }) => shownOrganizationSchema.parse(await read(api, ["organizations", id])),
  idOf: (organization) => organization.id,
  nameOf: organizationName,
  deletion: {
    texts: consoleTexts.organizations,
    collection: "organizations",
    scope: "delete:organizations",
    done: "organization-deleted",
  },
});
