import { boundedMap } from "../store/bounded-map.ts";
import { sha256 } from "../adapters/digest.ts";

/** A JSON document that many callers fetch. It is serialized once and has an entity tag (RFC 9110 section 8.8.3). */
export class Document {
  readonly text: string;
  readonly etag: string;

  constructor(text: string, etag: string) {
    this.text = text;
    this.etag = etag;
  }

  /** Whether the caller already has the document, according to its `If-None-Match` header. */
  matchesIfNoneMatch(ifNoneMatch: string | null): boolean {
    return ifNoneMatch !== null && ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === this.etag || tag.trim() === "*");
  }
}

/** A cache of documents. A document's name must contain everything that the document's content depends on. */
export interface Documents {
  get(name: string, build: () => object | Promise<object>): Promise<Document>;
}

/** Maximum total size of the cached documents, in bytes. */
const maxBytes = 16 * 1024 * 1024;

/** Creates {@link Documents}. It caches the 1,000 most recently used documents, with a total size of at most 16 MiB. */
export function createDocuments(): Documents {
  const documents = boundedMap<Document>({ entries: 1000, bytes: maxBytes });
  return {
    async get(name, build) {
      const known = documents.get(name);
      if (known !== undefined) return known;
      const text = JSON.stringify(await build());
      const document = new Document(text, `"${await sha256(text)}"`);
      documents.set(name, document, (name.length + text.length) * 2);
      return document;
    },
  };
}
