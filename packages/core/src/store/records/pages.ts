import { ascii, collection, instant, integer, nullable, object, seal } from "../description.ts";

export const customTexts = collection({
  name: "custom_texts",
  about: "A tenant's custom texts for one prompt of the login pages in one language, by screen and key, with Auth0's names.",
  scope: "tenant",
  fields: { language: ascii(16), prompt: ascii(64), texts: object, updated_at: instant },
  key: ["language", "prompt"],
  unique: [],
  indexes: [],
  sortable: [],
});

/**
 * `secrets` contains the secrets of a document by name, each encrypted. It is null if the document has none. `content`
 * contains everything else.
 */
export const storedDocuments = collection({
  name: "stored_documents",
  about:
    "Settings that are stored for compatibility with Auth0's tools and have no effect in Postern: page templates, partials, the rendering of screens, " +
    "and accounts at services that send codes or notifications for factors. Secrets are encrypted.",
  scope: "tenant",
  fields: { kind: ascii(32), name: ascii(160), content: object, secrets: nullable(object), seal, revision: integer, updated_at: instant },
  key: ["kind", "name"],
  unique: [],
  indexes: [],
  sortable: [],
  sealed: "secrets",
});
