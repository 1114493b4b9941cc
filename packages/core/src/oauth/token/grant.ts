import * as z from "zod";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import type { TokenResponse } from "./token-response.ts";

/** A grant of the token endpoint. */
export interface TokenGrant {
  /**
   * Other identifiers of the grant. They are accepted in requests and in the `grant_types` of clients. Discovery and
   * the OpenAPI document omit them.
   */
  readonly aliases?: readonly string[];
  /** The type of the audit event for a rejected request. */
  readonly failureEvent: AuditEventType;
  /** The parameters in addition to the client's credentials. Unknown parameters are ignored (RFC 6749 section 3.2). */
  readonly parameters: z.ZodObject;
  exchange(parameters: object, context: ClientContext): Promise<TokenResponse>;
}

/** Declares a grant. The schema parses its parameters. */
export function grant<const P extends z.ZodObject>(definition: Omit<TokenGrant, "parameters" | "exchange"> & { readonly parameters: P }) {
  return (exchange: (parameters: z.output<P>, context: ClientContext) => Promise<TokenResponse>): TokenGrant => ({
    ...definition,
    // The token endpoint passes the output of `parameters`.
    exchange: exchange as (parameters: object, context: ClientContext) => Promise<TokenResponse>,
  });
}
