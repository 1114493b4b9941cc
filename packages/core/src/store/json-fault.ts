/** Maximum nesting depth of JSON in a request. Metadata of real tenants stays below ten. */
const maximumDepth = 64;

/**
 * Checks a value from a request for parts that no database may receive: NUL and lone surrogates, which PostgreSQL
 * rejects and other databases change; numbers that JSON cannot express; and nesting that is too deep.
 * @returns a description of the problem; undefined if the value is valid.
 */
export function findFault(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\0")) return "text must not contain NUL characters";
    return value.isWellFormed() ? undefined : "text must be well-formed Unicode";
  }
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "a number is out of range";
  if (value === null || typeof value !== "object") return undefined;
  if (depth >= maximumDepth) return `must not nest deeper than ${maximumDepth} levels`;
  for (const [key, member] of Object.entries(value)) {
    const fault = findFault(key, depth) ?? findFault(member, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
