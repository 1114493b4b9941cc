import { boolean, instant, integer, nullable, object, string, strings } from "../src/store/description.ts";
import type { SearchTable } from "../src/store/q/fields.ts";

/** The fields of a collection with a field of each kind, for tests of the `q` parameter. */
export const fields = {
  email: string(320),
  name: string(300),
  nickname: nullable(string(300)),
  logins_count: integer,
  last_login: instant,
  created_at: instant,
  blocked: boolean,
  tags: strings,
  app_metadata: object,
};

/** The fields that `q` can search. */
export const table: SearchTable = {
  fields: {
    email: { field: "email", type: "folded", missing: "" },
    name: { field: "name", type: "string", contains: true },
    nickname: { field: "nickname", type: "string" },
    logins_count: { field: "logins_count", type: "integer" },
    last_login: { field: "last_login", type: "instant", missing: 0 },
    created_at: { field: "created_at", type: "instant" },
    blocked: { field: "blocked", type: "boolean" },
    "identities.provider": { field: "name", type: "string" },
    tags: { field: "tags", type: "string" },
    app_metadata: { field: "app_metadata", type: "object", contains: true },
    plan: { field: "app_metadata", path: ["plan"], type: "string" },
  },
  words: [
    { field: "email", type: "folded", missing: "" },
    { field: "name", type: "string", contains: true },
  ],
};
