import { hasUsableFactor, policyProblem, sendableFactors, type PolicyProblem } from "../../identity/factors/policy-problem.ts";
import { findRelyingParty } from "../../identity/webauthn/relying-party.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { multifactorSettings, type MultifactorSettings } from "../../model/factors/multifactor.ts";
import { verifiedDomains } from "../../tenants/hosts.ts";
import type { Installation } from "../../tenants/installation.ts";
import { TenantSettingsCache } from "../../tenants/settings-cache.ts";
import { fault, ok, warning, type Finding } from "../finding.ts";
import { readyTenants, type ReadyTenant } from "./ready-tenants.ts";

/** A tenant with a policy that users without a factor cannot satisfy. */
interface TenantProblem {
  readonly tenantId: string;
  readonly settings: MultifactorSettings;
  readonly problem: PolicyProblem;
  readonly available: readonly FactorType[];
}

/** The number of tenants that findings name by default. */
const defaultLimit = 20;

/** The maximum number of users that are read to count those without a factor. */
const maximumUsers = 1000;

/**
 * Returns a finding for each tenant with a policy that users without a factor cannot satisfy. Reads all tenants, page by
 * page, and at most 1,000 users of each tenant with a finding.
 * @param limit the maximum number of tenants that are named. One more finding says whether there are others.
 */
export async function checkFactorPolicies(installation: Installation, limit = defaultLimit): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const row of readyTenants(installation)) {
    const finding = await checkTenant(installation, row);
    if (finding === undefined) continue;
    if (findings.length === limit) {
      const cure = "run 'postern doctor --factors', which names all of them";
      return [...findings, warning("factors", `more than ${limit} tenants have a policy that users cannot satisfy`, cure)];
    }
    findings.push(finding);
  }
  return findings.length > 0 ? findings : [ok("factors", "users can satisfy every policy that requires a factor")];
}

async function checkTenant(installation: Installation, row: ReadyTenant): Promise<Finding | undefined> {
  try {
    const problem = await problemOf(installation, row);
    return problem && toFinding(installation, problem, await usersText(installation, problem));
  } catch (error) {
    // The database of one tenant may be unavailable, which must not hide the findings of the others.
    const reason = error instanceof Error ? error.message : String(error);
    return warning("factors", `the policy of the tenant '${row.id}' could not be checked: ${reason}`, "make its database reachable");
  }
}

/** Sends queries only if the factors that need no WebAuthn do not satisfy the policy. */
async function problemOf(installation: Installation, row: ReadyTenant): Promise<TenantProblem | undefined> {
  const settings = multifactorSettings(row);
  const sendable = sendableFactors(installation.host);
  if (policyProblem(settings, sendable) === undefined) return undefined;
  const available = [...sendable, ...(await webauthnFactors(installation, row.id))];
  const problem = policyProblem(settings, available);
  return problem && { tenantId: row.id, settings, problem, available };
}

/** Returns the WebAuthn factors that users of a tenant can use at the issuer or at a custom domain. */
async function webauthnFactors(installation: Installation, tenantId: string): Promise<readonly FactorType[]> {
  const tenant = new TenantSettingsCache(installation, tenantId);
  const supportsWebauthn =
    findRelyingParty(installation.urls, []) !== undefined ||
    (await verifiedDomains(installation, { id: tenantId, data: tenant.data })).length > 0;
  if (!supportsWebauthn) return [];
  return ["webauthn-roaming", "webauthn-platform", ...((await tenant.hasPasskeys()) ? (["passkey"] as const) : [])];
}

/** Returns the number of users without a usable factor, as text. */
async function usersText(installation: Installation, { tenantId, settings, available }: TenantProblem): Promise<string> {
  const users = await installation.scope(tenantId).users.find({
    where: { linked_to: "", deleting_at: null, blocked: false },
    fields: ["user_id", "enrolled_factors"],
    limit: maximumUsers,
  });
  const { length } = users.filter(({ enrolled_factors: enrolled }) => !hasUsableFactor(settings, available, enrolled ?? []));
  if (users.length === maximumUsers) return `at least ${length} users without a usable factor`;
  return `${length} ${length === 1 ? "user" : "users"} without a usable factor`;
}

function toFinding({ host }: Installation, { tenantId, settings, problem }: TenantProblem, users: string): Finding {
  const policy = `the policy '${settings.policies.join("', '")}' of the tenant '${tenantId}'`;
  const api = `postern.tenant('${tenantId}').guardian`;
  const cure =
    `enable authenticator apps: await ${api}.factors.replace('otp', { enabled: true }), ` +
    `or remove the policy: await ${api}.policies.replace([]), see docs/second-factors.md#policies-that-users-cannot-satisfy`;
  if (problem === "no-factor-enabled")
    return warning("factors", `${policy} is not in force, because the tenant enables no factor: ${users} can sign in`, cure);
  const enabled = Object.entries(settings.factors).flatMap(([name, isEnabled]) => (isEnabled ? [name] : []));
  return fault(
    "factors",
    `${policy} cannot be satisfied, because this server can use none of the enabled factors (${enabled.join(", ")}) to protect an account: ${users} cannot sign in`,
    enabled.includes("sms") && host.sms === undefined ? `pass 'messages.sms', or ${cure}` : cure,
  );
}
