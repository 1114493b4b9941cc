import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import { enrollableFactors } from "../../identity/factors/factor-policy.ts";
import { enrollmentLifetime, findFactor, isPendingFactor, type Factor } from "../../identity/factors/factors.ts";
import { areFactorsFrozen, frozenFactors } from "../../identity/factors/frozen-factors.ts";
import { stateOfTicket } from "../../identity/tickets/ticket.ts";
import { enrollmentCookie } from "../../login/cookies.ts";
import { isSecondFactor, readSituation } from "../../authorization/step-up/situation.ts";
import { mailboxOf } from "../../authorization/step-up/mailed-link.ts";
import type { MissingFactor } from "../../login/missing-factor.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { SealedPlace } from "../../store/sealed.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { OpenedTicket } from "./open-ticket.ts";
import { factorForLink } from "./link-factor.ts";

/** The state of an enrollment link, which decides the page that the visitor sees. */
export type EnrollmentState =
  /** The link is no longer valid. `isEnrolled`: the user has a factor, and the link does not allow another one. */
  | { readonly kind: "ended"; readonly isEnrolled?: true }
  /** This browser added a factor with the link. `recoveryCode`: the user has not stored it yet. */
  | { readonly kind: "done"; readonly recoveryCode: string | undefined }
  /** The user must pass an enrolled factor first. */
  | { readonly kind: "challenge"; readonly missing: MissingFactor }
  | OpenEnrollment;

/** A link with which the user can add a factor now. */
export interface OpenEnrollment {
  readonly kind: "open";
  /** The factors that the user may add. */
  readonly options: readonly FactorType[];
  /** The unconfirmed factor that the user adds with this browser. */
  readonly factor: Factor | undefined;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
}

/**
 * Returns what the visitor of an enrollment link can do now. Changes nothing.
 * @throws {PosternError} `access_denied` if the user must pass a factor that this server cannot use now, or if the user's
 * factors are frozen.
 */
export async function readEnrollment(tenant: RequestTenant, opened: OpenedTicket, request: Request): Promise<EnrollmentState> {
  const { ticket, request: wanted, user, state } = opened;
  if (user.blocked || user.linked_to !== "") return { kind: "ended" };
  const own = await ownFactor(tenant, opened, request);
  const isUsedHere = state === "used" && own !== undefined && wanted.used_for === own.id;
  if (isUsedHere && own.confirmed_at !== null) return { kind: "done", recoveryCode: await openRecoveryCodeOf(tenant, opened) };
  // A crash can leave a used ticket whose factor is not confirmed. The same browser confirms it with another code.
  const isOpen = state === "good" || (isUsedHere && stateOfTicket(tenant, { ...ticket, consumed_at: null }, user) === "good");
  if (!isOpen) return { kind: "ended" };
  if (areFactorsFrozen(tenant, user)) throw frozenFactors();
  const { situation, factors } = await readSituation({
    tenant,
    user,
    first: mailboxOf(user, tenant.now()),
    trustedBrowser: undefined,
  });
  if (wanted.allows_more_factors !== true && factors.some(({ type }) => isSecondFactor(type))) return { kind: "ended", isEnrolled: true };
  const options = enrollableFactors(situation).filter((type) => wanted.factor === undefined || wanted.factor === type);
  if (options.length === 0) return { kind: "ended" };
  const missing = await factorForLink(tenant, opened, request);
  if (missing !== undefined) return { kind: "challenge", missing };
  const isAdded = own !== undefined && isPendingFactor(tenant, own) && options.some((type) => type === own.type);
  return { kind: "open", options, factor: isAdded ? own : undefined, factors };
}

/** Returns the factor that this browser adds or added with the link. The holder of the link cannot forge the cookie. */
async function ownFactor(tenant: RequestTenant, { ticket, user }: OpenedTicket, request: Request): Promise<Factor | undefined> {
  const [at = "", type = "", id = "", proof = ""] = (readCookie(request, tenant.urls, enrollmentCookie(tenant)) ?? "").split(".");
  const factorId = `${type}|${id}`;
  if (!equalInConstantTime(proof, await proofOf(tenant, ticket.ticket_hash, factorId, at))) return undefined;
  if (tenant.now() - Number(at) > enrollmentLifetime) return undefined;
  return findFactor(tenant.data, user.user_id, factorId);
}

/** Returns the `Set-Cookie` value that lets this browser, and no other one, continue with the factor that it adds. */
export async function rememberEnrollment(tenant: RequestTenant, { ticket }: OpenedTicket, factorId: string): Promise<string> {
  const at = String(tenant.now());
  const value = [at, ...factorId.split("|"), await proofOf(tenant, ticket.ticket_hash, factorId, at)].join(".");
  return setCookie(tenant.urls, enrollmentCookie(tenant), value, { maxAge: enrollmentLifetime / 1000, sameSite: "Lax" });
}

/** Returns the `Set-Cookie` value that makes this browser forget the factor that it adds. */
export function forgetEnrollment(tenant: RequestTenant): string {
  return setCookie(tenant.urls, enrollmentCookie(tenant), "", { maxAge: 0, sameSite: "Lax" });
}

function proofOf(tenant: RequestTenant, ticketHash: string, factorId: string, at: string): Promise<string> {
  return tenant.secrets.fingerprints.of("enrollment of a factor", tenant.id, ticketHash, factorId, at);
}

/** Returns the place of the encrypted recovery code in a ticket. */
export function recoveryCodePlace(tenant: RequestTenant, { ticket }: OpenedTicket): SealedPlace {
  return { tenantId: tenant.id, collection: "tickets", id: ticket.ticket_hash, field: "recovery_code" };
}

/** Returns the recovery code that the ticket contains, if it is the user's valid one. */
async function openRecoveryCodeOf(tenant: RequestTenant, opened: OpenedTicket): Promise<string | undefined> {
  const code = await sealedRecoveryCode(tenant, opened);
  if (code === undefined) return undefined;
  const stored = (await readConfirmedFactors(tenant, opened.user)).find(({ type }) => type === "recovery-code");
  return stored?.code_hash === (await sha256(code)) ? code : undefined;
}

/** Decrypts the recovery code in the ticket. Undefined if the ticket has no recovery code, or if no key decrypts it. */
export async function sealedRecoveryCode(tenant: RequestTenant, opened: OpenedTicket): Promise<string | undefined> {
  const { recovery_code: sealed } = opened.request;
  if (sealed === undefined) return undefined;
  return tenant.secrets.sealer.open(recoveryCodePlace(tenant, opened), sealed).catch(() => undefined);
}
