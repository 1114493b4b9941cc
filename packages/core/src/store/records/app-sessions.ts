import { collection, hash, id, instant, integer, text, userId } from "../description.ts";

export const appSessionRecords = collection({
  name: "app_sessions",
  about:
    "A session of a host application that passes a session store to `@postern/app`. `content` is encrypted with the app's secret and the id of the session, " +
    "which only the browser's cookie contains. `sid` is the session at the tenant, `sub` the user.",
  scope: "global",
  fields: {
    id_hash: hash,
    tenant_id: id,
    client_id: id,
    sid: id,
    sub: userId,
    content: text,
    revision: integer,
    created_at: instant,
    updated_at: instant,
    expires_at: instant,
  },
  key: ["id_hash"],
  unique: [],
  indexes: [
    ["tenant_id", "client_id", "sid"],
    ["tenant_id", "client_id", "sub"],
  ],
  sortable: [],
  expiry: "expires_at",
  optional: true,
});
