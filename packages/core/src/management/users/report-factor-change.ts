import type { FactorEvents } from "../../model/factors/kinds/kind.ts";
import { auditUser } from "../../logs/audit.ts";
import { notifyAdministeredChange } from "../../messages/factor-mails.ts";
import type { FactorChange } from "../../messages/mails/factor-changed.ts";
import { factorKind, factorTypeSchema, toApiFactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The outcome of a change, which names the type of its audit event, and the description. */
const events: { readonly [change in FactorChange]: readonly [outcome: keyof FactorEvents, description: string] } = {
  added: ["enrolled", "An administrator added a second factor."],
  removed: ["removed", "An administrator removed a second factor."],
  updated: ["updated", "An administrator changed a second factor."],
  replaced: ["enrolled", "An administrator replaced the recovery code."],
};

/** A factor that an administrator changed, as it was stored. */
type ChangedFactor = Pick<Row<"factors">, "type" | "confirmed_at"> & Partial<Pick<Row<"factors">, "id" | "address">>;

/**
 * Reports a change of a user's factors by an administrator: an audit event for each factor, and one message to the user.
 * Factors that were never confirmed are ignored, because the user could not authenticate with them. Without another
 * factor, nothing is reported.
 * @param user the account before the change.
 */
export async function reportFactorChange(
  tenant: RequestTenant,
  user: Row<"users">,
  change: FactorChange,
  factors: readonly ChangedFactor[],
): Promise<void> {
  const types = factors.filter(({ confirmed_at: confirmed }) => confirmed !== null).map(({ type }) => factorTypeSchema.parse(type));
  if (types.length === 0) return;
  const notice = await notifyAdministeredChange(tenant, user, { change, types }, factors);
  const [outcome, description] = events[change];
  await Promise.all(
    types.map((type) =>
      tenant.audit({
        type: factorKind(type).events[outcome],
        description,
        details: { authenticator: { type: toApiFactorType(type) }, ...notice },
        ...auditUser(user),
      }),
    ),
  );
}
