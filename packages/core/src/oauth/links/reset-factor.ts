import { equalInConstantTime } from "../../adapters/digest.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import { codeTargets, type CodeTarget } from "../../identity/factors/factor-code.ts";
import { maskAddress } from "../../identity/factors/mask-address.ts";
import type { PassedFactor } from "../../identity/sessions/session.ts";
import type { FactorGuess } from "../../identity/factors/verify-factor.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import { checkFactorCode } from "../../login/check-factor-code.ts";
import { linkFactorCookie } from "../../login/cookies.ts";
import { decideResetFactor, primaryOf, type MissingFactor } from "../../login/missing-factor.ts";
import { pageResponse } from "../../login/page.ts";
import { drawFactor } from "../../login/steps/factor/page.tsx";
import { factorStep } from "../../login/steps/factor/step.ts";
import { drawRecoveryCode } from "../../login/steps/recovery-code/page.tsx";
import { sendFactorCode } from "../../messages/send-factor-code.ts";
import { factorTypeSchema, type FactorType, toApiFactorType } from "../../model/factors/factor-types.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { OpenedTicket } from "./open-ticket.ts";

/** How long a user can set a new password after they passed a factor, in seconds. */
const passedLifetime = 10 * 60;

/** The path of the page that resets a password. */
const path = "/u/reset-password";

/** The factors that this page supports. Security keys require the hosted login. */
const supported: readonly FactorType[] = ["totp", "phone", "recovery-code"];

/** The parameters in the URL of the page. */
export interface ResetFactorView {
  /** The factor that the user chose. */
  readonly factor?: string | undefined;
  /** Present if a code was sent. */
  readonly sent?: string | undefined;
  readonly problem?: string | undefined;
}

/**
 * Returns the factor that the user must pass before they set a new password. The mailbox that received the link is no
 * factor. Undefined if the user has no factor, or passed the required ones in this browser for this link.
 * @throws {PosternError} the errors of {@link decideResetFactor}.
 */
export async function factorForReset(
  tenant: RequestTenant,
  { ticket, user: account, client }: OpenedTicket,
  request: Request,
): Promise<MissingFactor | undefined> {
  const user = await primaryOf(tenant, account);
  const passed = await passedFor(tenant, ticket.ticket_hash, request);
  const { decision, factors } = await decideResetFactor(tenant, { client, account, user, provedAt: tenant.now(), passed });
  if (decision.kind !== "challenge") return undefined;
  const types = decision.types.filter((type) => supported.includes(type));
  if (types.length === 0) {
    throw new PosternError("access_denied", "This account requires a security key. Reset the password on the sign-in page of the app.");
  }
  return { user, factors, decision: { kind: "challenge", types } };
}

/** Returns the page that asks for the factor. Viewing the page sends no code. */
export async function resetFactorPage(
  tenant: RequestTenant,
  { ticketText, opened, missing }: ResetWithFactor,
  { factor, sent, problem = "" }: ResetFactorView,
): Promise<Response> {
  const type = chosenType(missing, factor);
  const target = targetOf(missing, type);
  const problems = new Map(Object.entries(factorStep.problems));
  return pageResponse(tenant, {
    ...opened.look,
    name: "factor",
    draw: (drawing) => ({
      problem: problems.has(problem),
      ...drawFactor(
        { ...drawing, problem: problems.get(problem) },
        {
          name: "factor",
          factor: type,
          others: missing.decision.types.filter((other) => other !== type),
          ...(target && { sentTo: maskAddress(target.address), ...(sent !== undefined && { sent: true, resendIn: 0 }) }),
        },
      ),
    }),
    action: tenant.urls.urlFor(path),
    hidden: { ticket: ticketText, current_factor: type },
  });
}

/** A reset for which the user must pass a factor. */
interface ResetWithFactor {
  readonly ticketText: string;
  readonly opened: OpenedTicket;
  readonly missing: MissingFactor;
  readonly request: Request;
}

/** A submitted form of the page. */
interface FactorForm {
  readonly action: string;
  readonly code: string;
  /** The factor to use instead of the current one. */
  readonly factor?: string | undefined;
  /** The factor of the page with the form. */
  readonly current?: string | undefined;
}

/** Handles a form of the page that asks for the factor. A form of another page changes nothing. */
export async function submitResetFactor(tenant: RequestTenant, reset: ResetWithFactor, form: FactorForm): Promise<Response> {
  const { ticketText: ticket, opened, missing } = reset;
  const type = chosenType(missing, form.action === "choose-factor" ? form.factor : form.current);
  const toPage = (parameters: { readonly [name: string]: string }, cookies: readonly string[] = []): Response =>
    redirectResponse(`${tenant.urls.urlFor(path)}?${new URLSearchParams({ ticket, ...parameters })}`, cookies);
  switch (form.action) {
    case "other-account":
      return redirectResponse(forgotPasswordPage(tenant, opened.client, { uiLocales: opened.look.uiLocales }));
    case "choose-factor":
    case "send-factor-code":
      return toPage({ factor: type, ...(await sendCode(tenant, reset, type)) });
    case "enter-factor-code":
      break;
    default:
      return toPage({});
  }
  if (form.code.trim() === "") return toPage({ factor: type, problem: "code-missing" });
  const guess = guessed(reset, type);
  const verdict = guess && (await checkFactorCode(tenant, opened.client, { user: missing.user, code: form.code, factor: guess }));
  if (verdict === undefined || verdict.kind === "wrong") return toPage({ factor: type, sent: "1", problem: "wrong-code" });
  if (verdict.kind === "throttled") return toPage({ factor: type, sent: "1", problem: "too-many-attempts" });
  await tenant.audit({
    type: "gd_auth_succeed",
    description: "The user passed a second factor to reset the password.",
    details: { factor: toApiFactorType(type) },
    ...auditClient(opened.client),
    ...auditUser(missing.user),
  });
  const { ticket_hash: hash } = opened.ticket;
  const passed = [...(await passedFor(tenant, hash, reset.request)), { type, at: tenant.now() }];
  const cookies = [await markPassed(tenant, hash, passed)];
  const { nextRecoveryCode: code } = verdict;
  if (code === undefined) return toPage({}, cookies);
  return pageResponse(tenant, {
    ...opened.look,
    name: "recovery-code",
    draw: (drawing) => drawRecoveryCode({ ...drawing, problem: undefined }, { name: "recovery-code", code }),
    action: tenant.urls.urlFor(path),
    hidden: { ticket },
    cookies,
  });
}

/** Sends a code, if the factor uses codes that are sent. @returns the parameters for the URL of the page. */
async function sendCode(
  tenant: RequestTenant,
  { opened, missing }: ResetWithFactor,
  type: FactorType,
): Promise<{ readonly [name: string]: string }> {
  const target = targetOf(missing, type);
  if (target === undefined) return {};
  const place = { purpose: "factor", loginId: opened.ticket.ticket_hash } as const;
  const { client, look } = opened;
  try {
    await sendFactorCode(tenant, { client, user: missing.user, target, place, uiLocales: look.uiLocales });
  } catch (error) {
    if (!isPosternError(error) || error.code !== "TOO_MANY_REQUESTS") throw error;
    return { problem: "too-many-codes" };
  }
  return { sent: "1" };
}

function chosenType({ decision: { types } }: MissingFactor, named: string | undefined): FactorType {
  const type = types.find((one) => one === named) ?? types[0];
  if (type === undefined) throw new Error("a challenge lists at least one factor");
  return type;
}

function targetOf({ user, factors }: MissingFactor, type: FactorType): CodeTarget | undefined {
  return type === "phone" ? codeTargets(user, factors, type)[0] : undefined;
}

function guessed({ opened, missing }: ResetWithFactor, type: FactorType): FactorGuess["factor"] | undefined {
  if (type === "totp") return { type, candidates: missing.factors.filter((factor) => factor.type === "totp") };
  if (type === "recovery-code") return { type };
  const target = targetOf(missing, type);
  if (target === undefined) return undefined;
  const place = { purpose: "factor", clientId: opened.client?.record.client_id ?? "", loginId: opened.ticket.ticket_hash } as const;
  return { type: target.type, target, place };
}

/**
 * Returns the `Set-Cookie` value that lets this browser set a new password with the link. It contains the factors and
 * their times, and is keyed with the host application's secret, so the holder of the link cannot forge it.
 */
async function markPassed(tenant: RequestTenant, ticketHash: string, passed: readonly PassedFactor[]): Promise<string> {
  const text = passed.map(({ type, at }) => `${type}_${at}`).join("~");
  const value = `${text}.${await proofOf(tenant, ticketHash, text)}`;
  return setCookie(tenant.urls, linkFactorCookie(tenant), value, { maxAge: passedLifetime, sameSite: "Lax" });
}

/** Returns the factors that the user passed in this browser for this link, within {@link passedLifetime}. */
async function passedFor(tenant: RequestTenant, ticketHash: string, request: Request): Promise<readonly PassedFactor[]> {
  const [text = "", proof = ""] = (readCookie(request, tenant.urls, linkFactorCookie(tenant)) ?? "").split(".");
  if (text === "" || !equalInConstantTime(proof, await proofOf(tenant, ticketHash, text))) return [];
  const earliest = tenant.now() - passedLifetime * 1000;
  return text.split("~").flatMap((one) => {
    const [named, at] = one.split("_");
    const type = factorTypeSchema.safeParse(named);
    return type.success && Number(at) >= earliest ? [{ type: type.data, at: Number(at) }] : [];
  });
}

function proofOf(tenant: RequestTenant, ticketHash: string, passed: string): Promise<string> {
  return tenant.secrets.fingerprints.of("password link factor", tenant.id, ticketHash, passed);
}
