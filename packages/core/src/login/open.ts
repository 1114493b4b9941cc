import { auditClient } from "../logs/audit.ts";
import { PosternError, type PageReason } from "../errors.ts";
import { readCookie } from "../http/cookies.ts";
import { authorizationRequestSchema } from "../authorization/authorization-request.ts";
import { isCallbackStillAllowed } from "../authorization/callbacks.ts";
import { apiOfRequest } from "../authorization/resolve-api.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { browserCookie, readRemembered, sessionCookie } from "./cookies.ts";
import { isOwnForm, renderingOf, wasShownTo } from "./form-token.ts";
import { readBrowserSession, type Interaction } from "./interaction.ts";
import { bindFirst, bindLogin, bindToLaterCookie, findLogin, isBoundTo, isOpen, type LoginSession } from "./login-session.ts";
import { loginProgressSchema } from "./progress.ts";

/** An interaction that cannot continue, with the data for its error page. */
export interface Closed {
  readonly kind: "closed";
  readonly error: PosternError;
  /** The client that the visitor came from. The error page links to it. */
  readonly client: RegisteredClient | undefined;
  readonly uiLocales: string | undefined;
}

/** The result of opening an interaction to show its page. */
type OpenedLogin = { readonly kind: "open"; readonly interaction: Interaction } | Closed;

/** The result of opening an interaction to handle a submitted form. */
type OpenedForm =
  | {
      readonly kind: "open";
      readonly interaction: Interaction;
      /** The id of the rendering that the submitted form comes from. */
      readonly rendering: string | undefined;
      /**
       * Whether the form was rendered for a different user than the one who is signed in now. That happens if the user
       * signs in with another account in another tab.
       */
      readonly shownToAnother: boolean;
    }
  | Closed;

/** Opens the interaction that a `state` refers to, to show its page. An interaction that connects an account has no page. */
export async function openInteraction(tenant: RequestTenant, request: Request, state: string): Promise<OpenedLogin> {
  return openInBrowser(tenant, request, state, (login) => !connectsAccount(login));
}

/** Opens the interaction of a browser that returns from an identity provider. */
export async function openAtCallback(tenant: RequestTenant, request: Request, state: string): Promise<OpenedLogin> {
  return openInBrowser(tenant, request, state, (login) => !isUnopenedTicket(login));
}

async function openInBrowser(
  tenant: RequestTenant,
  request: Request,
  state: string,
  isAllowed: (login: LoginSession) => boolean,
): Promise<OpenedLogin> {
  const browser = readCookie(request, tenant.urls, browserCookie(tenant));
  return open(tenant, request, state, async (login) =>
    browser === undefined || !isAllowed(login) ? undefined : bindLogin(tenant, login, browser),
  );
}

/** Whether a login session belongs to a client that connects an account. */
function connectsAccount({ request }: Pick<LoginSession, "request">): boolean {
  return request["ending"] === "connected-account";
}

/** Whether a login session waits for the browser that brings the ticket of the My Account API. */
function isUnopenedTicket(login: LoginSession): boolean {
  return login.browser_hash === null && connectsAccount(login);
}

/**
 * Opens the interaction of a ticket that the My Account API returned, and binds it to the browser. A ticket can be opened
 * once, also in the same browser.
 * @param browser the value of the cookie that binds login sessions to the browser.
 */
export async function openConnectTicket(tenant: RequestTenant, request: Request, ticket: string, browser: string): Promise<OpenedLogin> {
  return open(
    tenant,
    request,
    ticket,
    async (login) => (isUnopenedTicket(login) ? bindFirst(tenant, login, browser) : undefined),
    ticketUsed(),
  );
}

/**
 * Opens the interaction that a submitted form belongs to. The token in the form proves that the form comes from a page
 * of this login session, in the browser that the session is bound to. A tab that was opened at the same time may have
 * replaced the browser's cookie since then. In that case the `Origin` header, which no other site can forge, takes the
 * place of the cookie.
 * @throws {PosternError} `forbidden` if the form was not submitted from its own page.
 */
export async function openForm(tenant: RequestTenant, request: Request, state: string, token: string): Promise<OpenedForm> {
  const browser = readCookie(request, tenant.urls, browserCookie(tenant));
  const origin = request.headers.get("origin");
  let genuine = false;
  const opened = await open(tenant, request, state, async (login) => {
    const known = login.browser_hash !== null && (await isOwnForm(login, token));
    genuine = known && (origin === null || origin === tenant.urls.origin);
    if (browser === undefined || connectsAccount(login)) return undefined;
    if (await isBoundTo(login, browser)) return login;
    // The browser requests the next pages with its current cookie.
    return known && origin === tenant.urls.origin ? bindToLaterCookie(tenant, login, browser) : undefined;
  });
  if (opened.kind === "closed") return opened;
  const { interaction } = opened;
  const { login, client } = interaction;
  if (genuine && login !== undefined) {
    const shownToAnother = !(await wasShownTo(login, token, interaction.browser?.user.user_id));
    return { kind: "open", interaction, rendering: renderingOf(token), shownToAnother };
  }
  await tenant.audit({
    type: "f",
    description: "A login form was not submitted from its own page.",
    ...auditClient(client),
  });
  throw new PosternError("forbidden", "This form was not submitted from its own page. Go back and try again.");
}

/**
 * Opens an interaction.
 * @param prove returns the login session if the browser may open it.
 * @param refusal the error if the browser may not open it. Default: {@link expired}.
 */
async function open(
  tenant: RequestTenant,
  request: Request,
  state: string,
  prove: (login: LoginSession) => Promise<LoginSession | undefined>,
  refusal?: PosternError,
): Promise<OpenedLogin> {
  const [found, browser] = await Promise.all([
    findLogin(tenant, state),
    readBrowserSession(tenant, readCookie(request, tenant.urls, sessionCookie(tenant))),
  ]);
  const authorization = found && authorizationRequestSchema.parse(found.request);
  const client = found && (await tenant.client(found.client_id));
  if (client !== undefined) tenant.requestInfo.trace?.noteClient(client.record.client_id);
  const closedWith = (error: PosternError): Closed => ({ kind: "closed", error, client, uiLocales: authorization?.ui_locales });
  const closed = (reason?: PageReason): Closed => closedWith(expired(reason));
  if (found === undefined || authorization === undefined || client === undefined || !isOpen(tenant, found)) return closed();
  if (!isCallbackStillAllowed(client, authorization)) return closed();
  const login = await prove(found);
  if (login === undefined && refusal !== undefined) return closedWith(refusal);
  if (login === undefined) {
    // The browser of a bound login session has sent its cookie before, so either the browser was restarted or this is
    // another browser. Only an unbound login session can mean that cookies are blocked.
    const never = found.browser_hash === null && readCookie(request, tenant.urls, browserCookie(tenant)) === undefined;
    return closed(never ? "cookies-blocked" : undefined);
  }
  const progress = loginProgressSchema.parse(login.progress);
  const remembered = readRemembered(tenant, request);
  const api = apiOfRequest(tenant, authorization.audience);
  return { kind: "open", interaction: { tenant, client, request: authorization, api, login, progress, browser, remembered, cookies: [] } };
}

/** Returns the error for a ticket of the My Account API that a browser opened before. */
export function ticketUsed(): PosternError {
  return new PosternError("login_expired", "This link was opened already. If the account is not connected, start again in the app.");
}

function expired(reason: PageReason | undefined): PosternError {
  const description =
    reason === "cookies-blocked"
      ? "The browser sent no cookie of this site. Allow cookies, go back to the app and start again."
      : "This sign-in has expired or began in another browser. Go back to the app and start again.";
  return new PosternError("login_expired", description, reason === undefined ? {} : { reason });
}
