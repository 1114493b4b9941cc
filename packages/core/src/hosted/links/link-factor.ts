import { equalInConstantTime } from "../../adapters/digest.ts";
import { checkMailedLink, mailboxOf, primaryOf, requireUsable } from "../../authorization/step-up/mailed-link.ts";
import { decideResetFactor } from "../../authorization/step-up/reset.ts";
import { readCookie, setCookie } from "../../http/cookies.ts";
import { redirectResponse } from "../../http/html.ts";
import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import { linkFactorCookie } from "../../login/cookies.ts";
import { maskedAccount } from "../../login/factors/account-label.ts";
import {
  challengeActions,
  challengePage,
  submitChallenge,
  type ChallengeForm,
  type ChallengeView,
} from "../../login/factors/challenge-form.ts";
import type { FactorContext } from "../../login/factors/context.ts";
import { factorProblem } from "../../login/factors/problems.ts";
import type { MissingFactor } from "../../login/missing-factor.ts";
import { pageResponse } from "../../login/page.ts";
import { drawRecoveryCode } from "../../login/steps/recovery-code/page.tsx";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import { forgotPasswordPage } from "../../tenants/ticket-links.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import type { OpenedTicket } from "./open-ticket.ts";

/** How long a user can continue on the page of a link after they passed a factor, in seconds. */
const passedLifetime = 10 * 60;

/** A page that a link opens, on which a user with a factor must pass it first. */
export interface LinkFactorPage {
  readonly path: `/${string}`;
  /** The text that says what the factor is for. The account follows it. */
  readonly about: "newPasswordFor" | "linkEnrollFor";
  /** Whether the page leads to the page on which users request a link for another account. */
  readonly offersOtherAccount: boolean;
}

/** The actions of the pages for a factor. If their forms are sent after the factor was passed, nothing changes. */
export const linkFactorActions: readonly string[] = [...challengeActions, "other-account", "recovery-code-stored"];

/**
 * Returns the factor that the user must pass before they continue on the page of a link. The mailbox that received the
 * link is no factor. Undefined if the user has no factor, or passed the required ones in this browser for this link.
 * @throws {PosternError} `access_denied` if this server cannot use any of the user's factors now, and the errors of
 * {@link decideResetFactor}.
 */
export async function factorForLink(
  tenant: RequestTenant,
  { ticket, request: { proves_email: provesEmail }, user: account, client }: OpenedTicket,
  request: Request,
): Promise<MissingFactor | undefined> {
  const isReset = ticket.purpose === "reset-password";
  const user = await primaryOf(tenant, account);
  const passed = await passedFor(tenant, ticket.ticket_hash, request);
  const types = passed.map(({ type }) => type);
  const first = mailboxOf(account, tenant.now());
  const { decision, factors } = isReset
    ? await decideResetFactor(tenant, { client, account, user, provedAt: tenant.now(), passed, provesEmail })
    : requireUsable(await checkMailedLink(tenant, user, { first, passed: types, isFor: "change" }));
  return decision.kind === "challenge" ? { user, first, factors, decision } : undefined;
}

/** Whether the user passed a factor in this browser for this link. */
export async function passedFactorForLink(tenant: RequestTenant, { ticket }: OpenedTicket, request: Request): Promise<boolean> {
  return (await passedFor(tenant, ticket.ticket_hash, request)).length > 0;
}

/** A link for which the user must pass a factor. */
interface LinkWithFactor {
  readonly page: LinkFactorPage;
  readonly ticketText: string;
  readonly opened: OpenedTicket;
  readonly missing: MissingFactor;
  readonly request: Request;
}

function contextOf(tenant: RequestTenant, { opened, missing: { user, first, factors } }: LinkWithFactor): FactorContext {
  const { client, ticket, look } = opened;
  return { tenant, user, client, first, factors, boundTo: ticket.ticket_hash, uiLocales: look.uiLocales };
}

/** Returns the page that asks for the factor. Viewing the page sends no code. */
export async function linkFactorPage(tenant: RequestTenant, link: LinkWithFactor, view: ChallengeView): Promise<Response> {
  const { page, ticketText, opened, missing } = link;
  const content = await challengePage(contextOf(tenant, link), missing.decision.types, view, ({ t }) => ({
    problem: factorProblem(view.problem),
    about: { account: maskedAccount(opened.user), about: t.text(page.about) },
    ...(!page.offersOtherAccount && { exit: null }),
  }));
  return pageResponse(tenant, {
    ...opened.look,
    ...content,
    action: tenant.urls.urlFor(page.path),
    hidden: { ticket: ticketText, rendering: tenant.random.token(9), ...content.hidden },
  });
}

/** Returns what a submitted form says about the factor. */
export function linkFactorChoice(body: {
  readonly factor?: string;
  readonly destination?: string;
  readonly current_factor?: string;
  readonly current_destination?: string;
}): Pick<ChallengeForm, "choice" | "current"> {
  const { factor, destination, current_factor: current, current_destination: to } = body;
  return { choice: { factor, destination }, current: { factor: current, destination: to } };
}

/** Handles a form of the page that asks for the factor. A form of another page changes nothing. */
export async function submitLinkFactor(tenant: RequestTenant, link: LinkWithFactor, form: ChallengeForm): Promise<Response> {
  const { page, ticketText: ticket, opened, missing } = link;
  if (form.action === "other-account")
    return redirectResponse(forgotPasswordPage(tenant, opened.client, { uiLocales: opened.look.uiLocales }));
  const toPage = (view: ChallengeView, cookies: readonly string[] = []): Response =>
    redirectResponse(withParameters(tenant.urls.urlFor(page.path), { ticket, ...view }), cookies);
  if (!challengeActions.includes(form.action)) return toPage({});
  const outcome = await submitChallenge(contextOf(tenant, link), missing.decision.types, form);
  if (outcome.kind === "page") return toPage(outcome.view);
  const cookies = await recordPassed(tenant, link, { type: outcome.type, at: outcome.repeats?.at ?? tenant.now() });
  const { nextRecoveryCode: code } = outcome;
  if (code === undefined) return toPage({}, cookies);
  return pageResponse(tenant, {
    ...opened.look,
    name: "recovery-code",
    draw: (drawing) => drawRecoveryCode({ ...drawing, problem: undefined }, { name: "recovery-code", code, isReplacement: true }),
    action: tenant.urls.urlFor(page.path),
    hidden: { ticket },
    cookies,
  });
}

/** Returns a URL with these parameters. Undefined ones are omitted. */
function withParameters(url: string, parameters: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined);
  return `${url}?${new URLSearchParams(given)}`;
}

/** Returns the cookies with which this browser can continue after a factor was passed. */
async function recordPassed(tenant: RequestTenant, { opened, request }: LinkWithFactor, factor: PassedFactor): Promise<string[]> {
  const { ticket_hash: hash } = opened.ticket;
  const passed = [...(await passedFor(tenant, hash, request)), factor];
  return [await markPassed(tenant, hash, passed)];
}

/**
 * Returns the `Set-Cookie` value that lets this browser continue with the link. It contains the factors and their times,
 * and is keyed with the host application's secret, so the holder of the link cannot forge it.
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
