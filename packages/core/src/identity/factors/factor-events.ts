import type { TenantContext } from "../../context.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { factorKind, toApiFactorType, type FactorType } from "../../model/factors/factor-types.ts";
import type { FactorEvents } from "../../model/factors/kinds/kind.ts";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";

/** The user whose factor is used or changed, and the client of the flow. */
export interface FactorOwner {
  /** The primary account, as it was before a change of its factors. */
  readonly user: Row<"users">;
  /** Undefined on the pages that belong to no client, such as the account pages. */
  readonly client: RegisteredClient | undefined;
}

/** An outcome of an action of the user, see `FactorEvents`. */
type OwnOutcome = Exclude<keyof FactorEvents, "updated">;

const descriptions: { readonly [outcome in OwnOutcome]: string } = {
  passed: "The user passed a second factor.",
  wrong: "The code or response of a second factor was wrong.",
  rejected: "The first code or response of a new second factor was wrong.",
  locked: "A second factor is locked: too many attempts failed.",
  throttled: "An attempt with a second factor was rejected, because too many failed before.",
  started: "The user started to add a second factor.",
  enrolled: "The user added a second factor.",
  removed: "The user removed a second factor.",
};

/**
 * Writes the audit event of what a user did with a factor. Rules call this function, so that the event does not depend on
 * the page or endpoint.
 * @param details further details of the event.
 */
export async function auditFactor(
  tenant: TenantContext,
  { user, client }: FactorOwner,
  type: FactorType,
  outcome: OwnOutcome,
  details: JsonObject = {},
): Promise<void> {
  await tenant.audit({
    type: factorKind(type).events[outcome],
    description: descriptions[outcome],
    details: { ...factorDetails(type, outcome), ...details },
    ...auditClient(client),
    ...auditUser(user),
  });
}

/** An attempt with a factor that failed. */
interface FailedAttempt {
  readonly type: FactorType;
  readonly outcome: "wrong" | "rejected";
  /** Whether the user has no attempt left for now, see `FactorAttempt`. */
  readonly isLast: boolean;
  /** Further details of the event of the outcome. */
  readonly details?: JsonObject;
}

/** Writes the audit events of a failed attempt. If it was the last one that is allowed for now, an email tells the user. */
export async function auditFailure(
  tenant: TenantContext,
  owner: FactorOwner,
  { type, outcome, isLast, details }: FailedAttempt,
): Promise<void> {
  if (isLast) tenant.messages.sendFactorLockedMail(owner.user, owner.client);
  await auditFactor(tenant, owner, type, outcome, details);
  if (isLast) await auditFactor(tenant, owner, type, "locked");
}

/** Returns the details that name the factor. Auth0's events of enrollments have another member than those of attempts. */
function factorDetails(type: FactorType, outcome: OwnOutcome): JsonObject {
  const name = toApiFactorType(type);
  return outcome === "started" || outcome === "enrolled" || outcome === "removed" ? { authenticator: { type: name } } : { factor: name };
}
