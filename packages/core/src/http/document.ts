import { boundedMap } from "../store/bounded-map.ts";
import { sha256 } from "../adapters/digest.ts";

/** A JSON document that many callers fetch, serialised once, with its validator (RFC 9110 section 8.8.3). */
export class Document {
  readonly text: string;
  readonly etag: string;

  constructor(text: string, etag: string) {
    this.text = text;
    this.etag = etag;
  }

  /** Whether a caller already has it, by its `If-None-Match`. */
  isKnownBy(ifNoneMatch: string | null): boolean {
    return ifNoneMatch !== null && ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === this.etag || tag.trim() === "*");
  }
}

/** Keeps documents by a name that says everything their content depends on. */
export interface Documents {
  get(name: string, build: () => object | Promise<object>): Promise<Document>;
}

/** Maximum size of the documents that are kept, in bytes. */
const maxBytes = 16 * 1024 * 1024;

/** Creates {@link Documents} that keep the 1,000 most recently used, of 16 MiB together. */
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
