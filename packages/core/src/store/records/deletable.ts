import { instant, integer, nullable } from "../description.ts";

/**
 * The fields of a record that can be changed and is deleted in two steps: `deleting_at` is set first, and the row is
 * deleted after the rows that belong to it.
 */
export const deletable = { revision: integer, created_at: instant, updated_at: instant, deleting_at: nullable(instant) } as const;
