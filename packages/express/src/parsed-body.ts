/** Rebuilds a body that `express.json()`, `urlencoded()`, `text()` or `raw()` parsed. */
export function parsedBody(body: unknown, contentType: string): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  const isForm = contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded";
  return isForm ? new URLSearchParams(fields("", body)).toString() : JSON.stringify(body);
}

/**
 * Returns the form fields for a parsed value. A list stands for a repeated field, and an object for fields such as
 * `name[member]`.
 */
function fields(name: string, value: unknown): [name: string, value: string][] {
  if (Array.isArray(value)) return value.flatMap((item) => fields(name, item));
  if (typeof value !== "object" || value === null) return [[name, String(value ?? "")]];
  return Object.entries(value).flatMap(([member, inner]) => fields(name === "" ? member : `${name}[${member}]`, inner));
}
