import type { JsonObject } from "../../store/value.ts";

/** Whether the `metadata` of a record says that it stays with its tenant: neither inherited nor copied. */
export function isNeverInherited({ metadata }: JsonObject): boolean {
  return typeof metadata === "object" && metadata !== null && "sync" in metadata && String(metadata.sync) === "false";
}
