import { schema } from "../../store/schema.ts";
import { resourceServerSchema } from "../../model/apis/resource-servers.ts";
import { searchRoute } from "../kit/search-route.ts";
import { presentApis } from "./resource-servers.ts";

/**
 * The route that searches APIs. The identifiers of system APIs are stored without the issuer, so a search finds these
 * APIs by their names.
 */
export const resourceServerSearchRoute = searchRoute({
  path: "/api/v2/resource-servers",
  operation: "resourceServers.search",
  key: "resource_servers",
  scopes: ["read:resource_servers"],
  description: schema.resource_servers,
  collection: (data) => data.resource_servers,
  item: resourceServerSchema,
  search: {
    fields: {
      id: { field: "id", type: "string" },
      identifier: { field: "identifier", type: "string" },
      name: { field: "name", type: "string" },
      created_at: { field: "created_at", type: "instant" },
    },
    words: [
      { field: "name", type: "string" },
      { field: "identifier", type: "string" },
    ],
  },
  sorts: ["name", "created_at"],
  present: presentApis,
});
