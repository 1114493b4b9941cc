import type { Row } from "../../store/schema.ts";
import { claimLifetime, isOver, verificationRecord } from "../../model/tenant/custom-domains.ts";
import type { Tenant } from "../../tenants/tenant.ts";

type Domain = Row<"custom_domains">;

const taken = "The domain is taken.";

/**
 * Asks the host whether a domain is proven, and lets it answer for the tenant where it is. Repeatable: also for a domain that is ready, where a crash
 * came before the directory knew of it.
 * @returns the domain as it is then; undefined where it was removed meanwhile.
 */
export async function verifyDomain(tenant: Tenant, row: Domain): Promise<Domain | undefined> {
  const { custom_domains: domains } = tenant.data;
  const { error_msg: _, ...verification } = row.verification;
  if (row.status === "pending_verification" && !isOver(row, tenant.now())) {
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
    // Two tenants can prove one domain, where both may write its records: the first to do so has it.
    const set = {
      status: "pending_verification",
      verification: { ...verification, error_msg: taken },
      verified_at: null,
      expires_at: tenant.now() + claimLifetime,
    };
    await domains.update({ id: row.id, status: "ready" }, { set, add: { revision: 1 } });
  }
  const left = await reread(tenant, row);
  // Removed between the two: its removal may have come before the entry.
  if (left?.status !== "ready") await tenant.directory.releaseHost(row.domain);
  return left;
}

async function reread({ data }: Tenant, { id }: Domain): Promise<Domain | undefined> {
  const [row] = await data.custom_domains.find({ where: { id }, limit: 1 });
  return row;
}

/** Why a domain is not proven, in words for its administrator; undefined where it is. */
async function whyNot(tenant: Tenant, row: Domain): Promise<string | undefined> {
  if (tenant.host.domainVerifier === undefined) return "This installation does not verify domains by itself.";
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
