import type { Row } from "../../store/schema.ts";

/** Returns the name by which pages refer to a signed-in user. */
export function nameOf(user: Row<"users">): string {
  return user.email || user.name || user.user_id;
}
