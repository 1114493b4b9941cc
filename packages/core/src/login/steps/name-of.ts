import type { Row } from "../../store/schema.ts";

/** The name of a signed-in user on a page. */
export function nameOf(user: Row<"users">): string {
  return user.email || user.name || user.user_id;
}
