import { ascii, collection, instant, integer, object } from "../description.ts";

export const customTexts = collection({
  name: "custom_texts",
  about: "A tenant's own words for one prompt of the login pages in one language, by screen and by key, all as the vendor names them.",
  scope: "tenant",
  fields: { language: ascii(16), prompt: ascii(64), texts: object, updated_at: instant },
  key: ["language", "prompt"],
  unique: [],
  indexes: [],
  sortable: [],
});

export const keptDocuments = collection({
  name: "kept_documents",
  about:
    "What the vendor's tools write, read and write back, and nothing here goes by: page templates, partials, how screens are rendered.",
  scope: "tenant",
  fields: { kind: ascii(32), name: ascii(160), content: object, revision: integer, updated_at: instant },
  key: ["kind", "name"],
  unique: [],
  indexes: [],
  sortable: [],
});
