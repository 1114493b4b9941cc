import type { JsonObject } from "../../store/value.ts";

/** Whether the `metadata` of a record excludes it from inheritance and from copies in child tenants. */
export function isNeverInherited({ metadata }: JsonObject): boolean {
  return typeof metadata === "object" && metadata !== null && "sync" in metadata && String(metadata.sync) === "false";
}
