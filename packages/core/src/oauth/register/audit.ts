import { recordedBody } from "../../logs/recorded-body.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A request that registered a client, or that changed its registration. */
interface RegistrationWrite {
  readonly request: Request;
  readonly body?: unknown;
  readonly description: string;
  /** The status of the response. */
  readonly status: number;
}

/** Audits a registration, as a change through the Management API is audited. */
export async function auditRegistration(
  tenant: RequestTenant,
  { client_id, name }: Row<"clients">,
  { request, body, description, status }: RegistrationWrite,
): Promise<void> {
  const sent = recordedBody(body);
  await tenant.audit({
    type: "sapi",
    description,
    client: { client_id, name },
    details: {
      request: { method: request.method, path: new URL(request.url).pathname, ...(sent !== undefined && { body: sent }) },
      response: { statusCode: status },
    },
  });
}
