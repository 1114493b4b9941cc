import type { JsonObject } from "../../store/value.ts";

/** Whether the `metadata` of a resource excludes it from inheritance by child tenants and from being copied to them. */
export function isNeverInherited({ metadata }: JsonObject): boolean {
  return typeof metadata === "object" && metadata !== null && "sync" in metadata && String(metadata.sync) === "false";
}
