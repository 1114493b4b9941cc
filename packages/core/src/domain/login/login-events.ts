import type { Row } from "../../data/schema.ts";
import type { AuditEvent } from "../audit.ts";
import { loggedName, type Identifier } from "./identifier.ts";

/** Who tried to log in, and where. `user` is undefined where no account has the identifier. */
export interface Attempt {
  readonly connection: Row<"connections">;
  readonly identifier: Identifier;
  /** The primary account. */
  readonly user: Row<"users"> | undefined;
}

/** The audit events of password logins, without the client: the caller knows it. */
export const loginEvents = {
  succeeded: (attempt: Attempt): AuditEvent => ({ type: "s", ...parties(attempt) }),
  wrongPassword: (attempt: Attempt): AuditEvent => ({
    type: attempt.user === undefined ? "fu" : "fp",
    description: "Wrong email or password.",
    ...parties(attempt),
  }),
  blocked: (attempt: Attempt): AuditEvent => ({ type: "f", description: "The user is blocked.", ...parties(attempt) }),
  throttled: (attempt: Attempt): AuditEvent => ({ type: "f", description: "Too many failed logins.", ...parties(attempt) }),
  throttleEngaged: (attempt: Attempt): AuditEvent => ({
    type: "limit_wc",
    description: "Password logins are refused for a while: too many failed.",
    ...parties(attempt),
  }),
};

function parties({ connection: { id, name, strategy }, identifier, user }: Attempt): Pick<AuditEvent, "connection" | "user"> {
  return {
    connection: { id, name, strategy },
    user: user === undefined ? { user_id: "", name: loggedName(identifier) } : { user_id: user.user_id, name: user.name },
  };
}
