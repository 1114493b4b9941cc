import type { Row } from "../../store/schema.ts";

/** What a page calls somebody who is signed in. */
export function nameOf(user: Row<"users">): string {
  return user.email || user.name || user.user_id;
}
