import type { CodeAddress } from "../../identity/login/code-address.ts";
import type { Tenant } from "../../tenants/tenant.ts";

/** What the address of a link to sign in by holds. What the client asked for is kept with the code. */
export interface VerifyLink {
  readonly clientId: string;
  /** The name of the connection. */
  readonly connection: string;
  readonly address: CodeAddress;
  /** Left out: the link is over, and says why. */
  readonly code?: string;
  /** Of the code, so that the link uses the tries of this code. */
  readonly linkKey?: string;
  readonly problem?: string;
}

/** The address that a link to sign in by leads to. */
export function verifyLink({ urls }: Tenant, { clientId, connection, address, code, linkKey, problem }: VerifyLink): string {
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
