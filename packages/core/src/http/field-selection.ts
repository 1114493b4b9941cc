/** The fields that a caller wants (`fields`), or all but these (`include_fields=false`). */
export interface Selection {
  readonly fields?: string;
  readonly include_fields?: boolean;
}

/** Keeps the selected fields of one resource, of each item of a list, or of each item inside an envelope. Names that do not exist select nothing. */
export function selectFields(body: unknown, { fields, include_fields: include = true }: Selection): unknown {
  if (fields === undefined || fields === "") return body;
  const names = new Set(fields.split(",").map((name) => name.trim()));
  const select = (item: unknown): unknown =>
    typeof item === "object" && item !== null
      ? Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name) === include))
      : item;

  if (Array.isArray(body)) return body.map(select);
  if (!isEnvelope(body)) return select(body);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.map(select) : value]));
}

/** An envelope holds one list, and numbers or a cursor. */
function isEnvelope(body: unknown): body is { readonly [name: string]: unknown } {
  if (typeof body !== "object" || body === null) return false;
  const rest = Object.entries(body).filter(([, value]) => !Array.isArray(value));
  return rest.length < Object.keys(body).length && rest.every(([name]) => ["start", "limit", "length", "total", "next"].includes(name));
}
