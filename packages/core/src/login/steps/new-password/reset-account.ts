import type { Row } from "../../../store/schema.ts";
import type { Taken } from "../../step.ts";

/** The account changed since: the person asks for another code. */
export const over: Taken = { change: ({ reset: _, ...progress }) => ({ ...progress, aim: "reset-password" }) };

/** An account whose password may be set. */
export interface ResetFound {
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
}
