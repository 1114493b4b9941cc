import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { claimLifetime, isClaimExpired, verificationRecord } from "../../model/tenant/custom-domains.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

type Domain = Row<"custom_domains">;

const taken = "Another tenant already uses this domain.";

/**
 * Verifies a domain with the host application's verifier. If the domain is verified, enables it for the tenant.
 * Idempotent: a call for a domain that is already `ready` writes the directory entry if a crash prevented it.
 * @returns the stored domain, or undefined if it was deleted in the meantime.
 */
export async function verifyDomain(tenant: RequestTenant, row: Domain): Promise<Domain | undefined> {
  const { custom_domains: domains } = tenant.data;
  const { error_msg: _, ...verification } = row.verification;
  if (row.status === "pending_verification" && !isClaimExpired(row, tenant.now())) {
    const problem = await whyNot(tenant, row);
    const now = tenant.now();
    const set =
      problem === undefined
        ? { verification, status: "ready", verified_at: now, updated_at: now, expires_at: null }
        : { verification: { ...verification, error_msg: problem } };
    await domains.update({ id: row.id, status: "pending_verification" }, { set, add: { revision: 1 } });
  }
  const current = await reread(tenant, row);
  if (current?.status !== "ready") return current;
  if (!(await tenant.directory.reserveHost(row.domain))) {
    // Two tenants can verify the same domain if both can write its DNS records. The tenant that reserves it first gets
    // it.
    const set = {
      status: "pending_verification",
      verification: { ...verification, error_msg: taken },
      verified_at: null,
      expires_at: tenant.now() + claimLifetime,
    };
    await domains.update({ id: row.id, status: "ready" }, { set, add: { revision: 1 } });
  }
  const left = await reread(tenant, row);
  // The domain is not ready, for example because it was deleted in the meantime. Its directory entry must not remain.
  if (left?.status !== "ready") await tenant.directory.releaseHost(row.domain);
  return left;
}

async function reread({ data }: RequestTenant, { id }: Domain): Promise<Domain | undefined> {
  const row = await findOne(data.custom_domains, { id });
  return row;
}

/**
 * Returns why a domain is not verified, as a message for the tenant's administrator, or undefined if it is verified.
 */
async function whyNot(tenant: RequestTenant, row: Domain): Promise<string | undefined> {
  if (tenant.host.domainVerifier === undefined) return "Domain verification is not configured on this server.";
  const { name, value } = verificationRecord(row);
  try {
    const proven = await tenant.host.domainVerifier.verify({
      tenantId: tenant.id,
      domain: row.domain,
      recordName: name,
      recordValue: value,
    });
    return proven ? undefined : "The TXT record was not found.";
  } catch (error) {
    tenant.host.logger.log({ level: "warn", event: "domain-verifier", request_id: tenant.requestInfo.requestId, error });
    return "The TXT record could not be looked up. Try again later.";
  }
}
