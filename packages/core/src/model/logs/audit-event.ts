import type { JsonObject } from "../../store/value.ts";
import type { AuditEventType } from "./audit-event-types.ts";

/** An event for the tenant's log. Never contains a secret, a token, a code or a password. */
export interface AuditEvent {
  /** Auth0's code, for example `seccft`. */
  readonly type: AuditEventType;
  readonly description?: string;
  readonly client?: { readonly client_id: string; readonly name: string; readonly external_client_id?: string };
  readonly user?: { readonly user_id: string; readonly name: string };
  readonly connection?: { readonly id: string; readonly name: string; readonly strategy: string };
  readonly organization?: { readonly id: string; readonly name: string };
  readonly audience?: string;
  readonly scope?: string;
  readonly details?: JsonObject;
}
