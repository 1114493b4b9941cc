import type { CodeAddress } from "../../identity/login/code-address.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The content of a sign-in link. The parameters that the client sent are stored with the code. */
interface VerifyLink {
  readonly clientId: string;
  /** The name of the connection. */
  readonly connection: string;
  readonly address: CodeAddress;
  /** Omitted if the link can no longer be used. `problem` then contains the reason. */
  readonly code?: string;
  /** The link key of the code. With the key, attempts through the link count as attempts for this code. */
  readonly linkKey?: string;
  readonly problem?: string;
}

/** Returns the URL of a sign-in link. */
export function verifyLink({ urls }: RequestTenant, { clientId, connection, address, code, linkKey, problem }: VerifyLink): string {
  const parameters = new URLSearchParams({
    client_id: clientId,
    connection,
    [address.channel === "email" ? "email" : "phone_number"]: address.text,
    ...(code !== undefined && { verification_code: code }),
    ...(linkKey !== undefined && { link_key: linkKey }),
    ...(problem !== undefined && { problem }),
  });
  return `${urls.urlFor("/passwordless/verify_redirect")}?${parameters}`;
}
