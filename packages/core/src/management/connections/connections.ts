import * as z from "zod";
import { isObject } from "../../store/value.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { schema, type Row } from "../../store/schema.ts";
import { recordDomains } from "../../identity/connections/connection-domains.ts";
import { sealSecrets } from "../../identity/connections/connection-secrets.ts";
import { allClients, clientsListing, offerConnection } from "../../identity/connections/client-connections.ts";
import { removeConnectionChildren } from "../../identity/connections/remove-connection.ts";
import { searchQuerySchema } from "../../http/pagination.ts";
import { queryList } from "../../model/fields.ts";
import {
  connectionSchema,
  createConnectionSchema,
  fromCreateConnection,
  fromUpdateConnection,
  toConnection,
  updateConnectionSchema,
} from "../../model/connections/connections.ts";
import { domainsOf } from "../../model/connections/upstream.ts";
import { crud } from "../kit/crud.ts";
import { isAnyOf } from "../kit/list.ts";
import { requireTemplates } from "../kit/templates.ts";
import { connectionSelection, selectId } from "./selection.ts";

const search: SearchTable = {
  fields: {
    id: { field: "id", type: "string" },
    name: { field: "name", type: "string", contains: true },
    strategy: { field: "strategy", type: "string" },
    display_name: { field: "display_name", type: "string", missing: "", contains: true },
  },
  words: [{ field: "name", type: "string", contains: true }],
};

const connectionListQuerySchema = searchQuerySchema
  .extend({
    ...connectionSelection,
    name: z.string().max(128).exactOptional(),
    strategy: queryList(z.string().max(64)).exactOptional(),
  })
  .overwrite(selectId);

/** The routes for connections. Secrets in `options` are stored encrypted and are never returned. */
export const connectionRoutes = crud({
  path: "/api/v2/connections",
  noun: "a connection",
  key: "connections",
  scopes: {
    read: ["read:connections"],
    create: ["create:connections"],
    update: ["update:connections"],
    delete: ["delete:connections"],
  },
  description: schema.connections,
  collection: (data) => data.connections,
  notFound: "inexistent_connection",
  item: connectionSchema,
  create: createConnectionSchema,
  update: updateConnectionSchema,
  search,
  itemQuery: z.strictObject(connectionSelection).overwrite(selectId),
  listQuery: connectionListQuerySchema,
  listWhere: ({ name }) => (name === undefined ? {} : { name }),
  listOnly: ({ strategy }) => (strategy === undefined ? [] : [isAnyOf("strategy", ...strategy)]),
  toRecord: async (body, context) => {
    const { record, secrets } = fromCreateConnection(body);
    await requireMessageTemplates(record);
    const id = context.tenant.random.record("con_");
    await recordDomains(context.tenant, { ...record, id });
    return { record: { ...record, id, former_name: null, ...(await sealSecrets(context.tenant, { id, secrets: {} }, secrets)) } };
  },
  afterWrite: async (row, body, { tenant }) => {
    const { enabled_clients: enabled } = body;
    if (enabled === undefined || enabled === null) return;
    // A client without a list cannot have been in the `enabled_clients` that the caller read, so it stays unchanged.
    const disabled = (list: readonly string[] | null) => (list === null ? undefined : false);
    await offerConnection(tenant, row.id, ({ client_id: id, connections }) => enabled.includes(id) || disabled(connections));
  },
  toChange: async (row, body, { tenant }) => {
    const { record, secrets } = fromUpdateConnection(row, body);
    if (body.options !== undefined) await requireMessageTemplates({ ...row, ...record });
    await recordDomains(tenant, { ...row, ...record }, domainsOf(row));
    // An update without secrets does not write the secret columns, so that it cannot overwrite secrets that `sweep` has
    // re-encrypted.
    return Object.keys(secrets).length === 0 ? record : { ...record, ...(await sealSecrets(tenant, row, secrets)) };
  },
  present: async (rows, { tenant }) => {
    const clients = await allClients(tenant.data);
    return rows.map((row) => toConnection(row, clientsListing(clients, row.id)));
  },
  removeChildren: async (row, tenant, limit) => {
    await removeConnectionChildren(tenant, row, limit);
    return "keep";
  },
});

/** Validates the message templates in the options of a connection. */
async function requireMessageTemplates({ strategy, options }: Pick<Row<"connections">, "strategy" | "options">): Promise<void> {
  const { email, template } = options;
  if (strategy === "sms" && template !== undefined) await requireTemplates({ "options.template": template });
  if (strategy !== "email" || !isObject(email)) return;
  const { body, subject, from } = email;
  await requireTemplates({ "options.email.body": body, "options.email.subject": subject, "options.email.from": from });
}
