import { schema } from "../../store/schema.ts";
import { organizationSchema } from "../../model/organizations/organizations.ts";
import { searchRoute } from "../kit/search-route.ts";
import { organizationDetailFields, organizationReadScopes, presentOrganizations } from "./organizations.ts";

/** The route that searches organizations. */
export const organizationSearchRoute = searchRoute({
  path: "/api/v2/organizations",
  operation: "organizations.search",
  key: "organizations",
  scopes: organizationReadScopes,
  description: schema.organizations,
  collection: (data) => data.organizations,
  item: organizationSchema,
  search: {
    fields: {
      id: { field: "id", type: "string" },
      name: { field: "name", type: "folded" },
      display_name: { field: "display_name", type: "string", missing: "" },
      created_at: { field: "created_at", type: "instant" },
    },
    words: [
      { field: "name", type: "folded" },
      { field: "display_name", type: "string" },
    ],
  },
  sorts: ["name", "display_name", "created_at"],
  omitted: organizationDetailFields,
  present: presentOrganizations,
});
