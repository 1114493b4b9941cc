import { schema } from "../../store/schema.ts";
import { clientSchema } from "../../model/clients/bodies.ts";
import { toClient } from "../../model/clients/clients.ts";
import { searchRoute } from "../kit/search-route.ts";
import { allFieldsButKeys, summaryFields } from "./clients.ts";

/** The route that searches clients. The response never contains `encryption_key`, and omits the global client. */
export const clientSearchRoute = searchRoute({
  path: "/api/v2/clients",
  operation: "clients.search",
  key: "clients",
  scopes: ["read:clients", "read:client_summary"],
  visibleFields: ({ scopes }) => (scopes.has("read:clients") ? allFieldsButKeys : summaryFields),
  description: schema.clients,
  collection: (data) => data.clients,
  item: clientSchema,
  search: {
    fields: {
      client_id: { field: "client_id", type: "string" },
      name: { field: "name", type: "string" },
      created_at: { field: "created_at", type: "instant" },
    },
    words: [{ field: "name", type: "string" }],
  },
  sorts: ["name", "client_id", "created_at"],
  present: (rows, { tenant }) => rows.map((row) => toClient(row, tenant.id)),
});
