import type { RequestTenant } from "../../tenants/tenant.ts";
import { phoneMisspelled, withCorrection, type Problem } from "../step.ts";
import { addFactorStep } from "../steps/add-factor/step.ts";

/**
 * Returns the parameters with which the URL of a page reports that it rejected a phone number. The right spelling is
 * encrypted, because URLs are logged, and because a forged URL must not recommend a number.
 * @param owner the id of the session, or the hash of the ticket, that the page belongs to.
 */
export async function rejectedPhone(
  tenant: RequestTenant,
  owner: string,
  correction: string | undefined,
): Promise<{ readonly problem: string; readonly correction?: string }> {
  if (correction === undefined) return { problem: "phone-invalid" };
  return { problem: phoneMisspelled, correction: await tenant.secrets.sealer.seal(placeOf(tenant, owner), correction) };
}

/** Returns the problem that the URL of a page that adds a factor reports. */
export async function addFactorProblem(
  tenant: RequestTenant,
  owner: string,
  { problem: name = "", correction: sealed = "" }: { readonly problem?: string | undefined; readonly correction?: string | undefined },
): Promise<Problem | undefined> {
  const problems = new Map(Object.entries(addFactorStep.problems));
  if (name !== phoneMisspelled) return problems.get(name);
  const correction = await tenant.secrets.sealer.open(placeOf(tenant, owner), sealed).catch(() => undefined);
  return correction === undefined ? problems.get("phone-invalid") : withCorrection(problems.get(name), correction);
}

function placeOf({ id: tenantId }: RequestTenant, owner: string) {
  return { tenantId, collection: "phone_correction", id: owner, field: "correction" };
}
