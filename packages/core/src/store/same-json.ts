import type { Json } from "./value.ts";

/** Whether two JSON values are equal. The order of members is ignored, because some stores change it. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  if (entries.length !== Object.keys(other).length) return false;
  const members = new Map(Object.entries(other));
  return entries.every(([name, value]) => {
    const member = members.get(name);
    return member !== undefined && sameJson(value, member);
  });
}
