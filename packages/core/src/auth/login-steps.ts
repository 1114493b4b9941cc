import type { Row } from "../data/schema.ts";
import { identifierKinds } from "../domain/login/identifier.ts";
import { isPosternError, PosternError, type ErrorCode } from "../errors.ts";
import { readCookie } from "../http/cookies.ts";
import { browserCookie, sessionCookie } from "../login/cookies.ts";
import { rememberConsent, type ConsentSubject } from "../issuing/consent.ts";
import { identifierScreen, nextStep, type Step } from "../login/flow.ts";
import {
  bindLogin,
  findLogin,
  isBoundTo,
  isOwnToken,
  saveProgress,
  wasShownTo,
  type LoginSession,
  type Progress,
} from "../login/login-session.ts";
import type { CreateAccountScreen, FlowProblem, PasswordScreen, Screen } from "../login/screen.ts";
import { readSignedIn, type SignedIn, type Visit } from "../login/interaction.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { AuthorizationRequest } from "../issuing/authorization-request.ts";
import { complete } from "./authorize/complete.ts";
import { respondError } from "./authorize/respond.ts";
import { scopesFor } from "../issuing/scopes.ts";
import { beginSession, type BegunSession } from "../login/begin-session.ts";
import { accountScreen, createAccount, passwordProblem } from "../login/steps/create-account/account.ts";
import { passwordConnection, passwordSignIn } from "../login/password-sign-in.ts";

/** A visit to the login pages, with all that its steps need. */
export interface OpenLogin {
  readonly tenant: Tenant;
  readonly client: Client;
  readonly login: LoginSession;
  readonly request: AuthorizationRequest;
  readonly signedIn: SignedIn | undefined;
  /** The form that was sent was shown to another person than is signed in now: another tab changed who that is. */
  readonly shownToAnother?: boolean;
}

/** What a person can do on a screen. Fields that an action does not need are ignored. */
export interface LoginAction {
  readonly action: string;
  readonly identifier?: string;
  readonly password?: string;
  readonly organization?: string;
}

/** What comes of it: a screen, or the answer to the client. */
export type LoginOutcome =
  | {
      readonly kind: "screen";
      readonly screen: Screen;
      readonly cookies: readonly string[];
      /** The id of the person who is signed in where it is shown. */
      readonly shownTo: string | undefined;
      /** What the screen asks the person to agree to. */
      readonly consent?: ConsentSubject;
      /** What a program is told in place of the screen, where that says more. */
      readonly refusal?: PosternError;
    }
  | { readonly kind: "answer"; readonly response: Response };

/** Opens the visit that a `state` addresses, to look at it. @throws {PosternError} `login_expired` for one that is over, unknown, or another browser's. */
export async function openLogin(tenant: Tenant, httpRequest: Request, state: string): Promise<OpenLogin> {
  const browser = readCookie(httpRequest, tenant.urls, browserCookie(tenant));
  return open(tenant, httpRequest, state, async (login) => (browser === undefined ? undefined : bindLogin(tenant, login, browser)));
}

/**
 * Opens a visit for a step. The token shows that the post comes from a page of this visit in the browser it is bound to. A browser whose cookie was replaced since,
 * by a tab that was opened at the same time, has that page too: there the origin, which no other site can give, stands in for the cookie.
 * @throws {PosternError} `login_expired`, or `forbidden` for a form that its own page did not send.
 */
export async function openForm(tenant: Tenant, httpRequest: Request, state: string, token: string): Promise<OpenLogin> {
  const browser = readCookie(httpRequest, tenant.urls, browserCookie(tenant));
  const origin = httpRequest.headers.get("origin");
  let genuine = false;
  const opened = await open(tenant, httpRequest, state, async (login) => {
    const known = login.record.browser_hash !== null && (await isOwnToken(login, token));
    genuine = known && (origin === null || origin === tenant.urls.origin);
    const own = browser !== undefined && ((await isBoundTo(login, browser)) || (known && origin === tenant.urls.origin));
    return own ? login : undefined;
  });
  if (genuine) return { ...opened, shownToAnother: !(await wasShownTo(opened.login, token, opened.signedIn?.user.user_id)) };
  await tenant.audit({
    type: "f",
    description: "A login form was not sent by its own page.",
    client: { client_id: opened.client.record.client_id, name: opened.client.record.name },
  });
  throw new PosternError("forbidden", "This form was not sent by its own page. Go back and try again.");
}

async function open(
  tenant: Tenant,
  httpRequest: Request,
  state: string,
  prove: (login: LoginSession) => Promise<LoginSession | undefined>,
): Promise<OpenLogin> {
  const [found, signedIn] = await Promise.all([
    findLogin(tenant, state),
    readSignedIn(tenant, readCookie(httpRequest, tenant.urls, sessionCookie(tenant))),
  ]);
  const login = found && (await prove(found));
  const client = login && (await tenant.client(login.record.client_id));
  if (login === undefined || client === undefined) {
    throw new PosternError("login_expired", "This sign-in has expired or began in another browser. Go back to the app and start again.");
  }
  return { tenant, client, login, request: AuthorizationRequest.parse(login.record.request), signedIn };
}

/** What the visit asks now. What makes an answer impossible is told to the client, as at `/authorize`. */
export async function currentStep(open: OpenLogin, cookies: readonly string[] = []): Promise<LoginOutcome> {
  const { tenant, client, request, login, signedIn } = open;
  const visit: Visit = { tenant, client, demands: request, progress: login.progress, browser: signedIn };
  try {
    const step: Step = await nextStep(visit, scopesFor(tenant, client, request));
    if (step.kind === "screen") return await show(open, step, cookies);
    return { kind: "answer", response: await complete(tenant, client, request, step, cookies) };
  } catch (thrown) {
    if (!isPosternError(thrown) || thrown.status >= 500) throw thrown;
    return refuse(open, thrown.code, thrown.message, cookies);
  }
}

async function refuse(
  { tenant, client, request, signedIn }: OpenLogin,
  error: ErrorCode,
  description: string,
  cookies: readonly string[] = [],
): Promise<LoginOutcome> {
  await tenant.audit({
    type: "f",
    description,
    client: { client_id: client.record.client_id, name: client.record.name },
    ...(signedIn && { user: { user_id: signedIn.user.user_id, name: signedIn.user.name } }),
  });
  return { kind: "answer", response: respondError(tenant, request, { code: error, message: description }, cookies) };
}

/** What somebody says yes to, and nobody else may say it for them. */
const agreements: ReadonlySet<string> = new Set(["continue-as", "accept-invitation", "select-organization", "accept"]);

/**
 * Takes a step. What does not fit the screen changes nothing and shows what is asked now: a stale page goes on where the visit is,
 * and one that asked another person is shown again, to the one who is signed in now.
 */
export async function takeStep(
  open: OpenLogin,
  { action, identifier = "", password = "", organization = "" }: LoginAction,
): Promise<LoginOutcome> {
  if (open.shownToAnother === true && agreements.has(action)) return currentStep(open);
  switch (action) {
    case "continue": {
      const typed = identifier.trim();
      if (typed === "" || typed.length > 320) return identifierMissing(open);
      return advance(open, (progress) => ({ ...progress, identifier: typed }));
    }
    case "change-identifier":
      return advance(open, ({ identifier: _, ...rest }) => rest);
    case "sign-in":
      return signIn(open, identifier === "" ? (open.login.progress.identifier ?? "") : identifier.trim(), password);
    case "have-account":
      return advance(open, (progress) => ({ ...progress, has_account: true }));
    case "create-account":
      return signUp(open, password);
    case "continue-as": {
      const chosen = open.signedIn?.user.user_id;
      return chosen === undefined ? currentStep(open) : advance(open, (progress) => ({ ...progress, chosen }));
    }
    case "other-account":
      return advance(open, ({ identifier: _, user_id: __, ...rest }) => ({ ...rest, chosen: "" }));
    case "accept-invitation": {
      const joinedBy = open.signedIn?.user.user_id;
      return joinedBy === undefined ? currentStep(open) : advance(open, (progress) => ({ ...progress, joined_by: joinedBy }));
    }
    case "select-organization":
      // Which of them they are a member of is looked up when the answer is made: another's id is as good as none.
      return advance(open, (progress) => ({ ...progress, organization_id: organization }));
    case "accept":
      return accept(open);
    case "deny":
      return refuse(open, "access_denied", "User did not authorize the request");
    default:
      return currentStep(open);
  }
}

/** The password connection of a visit. Undefined where there is none for it. */
async function connectionOf({ tenant, client, request, login }: OpenLogin): Promise<Row<"connections"> | undefined> {
  return passwordConnection(tenant, client, request.connection, request.organization?.id ?? login.progress.organization_id);
}

/** A screen. One that asks who it is says by what accounts are known, and nobody is asked for a password that no connection takes. */
async function show(open: OpenLogin, step: Extract<Step, { kind: "screen" }>, cookies: readonly string[] = []): Promise<LoginOutcome> {
  const { screen } = step;
  const outcome = { ...step, cookies, shownTo: open.signedIn?.user.user_id };
  if (screen.name !== "identifier" && screen.name !== "password") return outcome;
  const connection = await connectionOf(open);
  if (connection === undefined) return refuse(open, "access_denied", "no password connection is enabled for the client", cookies);
  if (screen.name === "password") return outcome;
  return { ...outcome, screen: (await accountScreen(open, connection)) ?? { ...screen, kinds: identifierKinds(connection) } };
}

async function identifierMissing(open: OpenLogin): Promise<LoginOutcome> {
  return show(open, { kind: "screen", screen: { ...identifierScreen(undefined), problem: "identifier-missing" } });
}

function problemAt(
  { signedIn }: OpenLogin,
  screen: PasswordScreen | CreateAccountScreen,
  problem: FlowProblem,
  refusal?: PosternError,
): LoginOutcome {
  return { kind: "screen", screen: { ...screen, problem }, cookies: [], shownTo: signedIn?.user.user_id, ...(refusal && { refusal }) };
}

/** Notes a step, and says what comes next. */
async function advance(open: OpenLogin, change: (progress: Progress) => Progress, cookies: readonly string[] = []): Promise<LoginOutcome> {
  return currentStep({ ...open, login: await saveProgress(open.tenant, open.login, change) }, cookies);
}

async function signIn(open: OpenLogin, identifier: string, password: string): Promise<LoginOutcome> {
  const { tenant, client } = open;
  if (identifier === "" || identifier.length > 320) return identifierMissing(open);
  const passwordScreen: PasswordScreen = { name: "password", identifier };
  if (password === "") return problemAt(open, passwordScreen, "password-missing");
  const connection = await connectionOf(open);
  if (connection === undefined) return refuse(open, "access_denied", "no password connection is enabled for the client");

  const begin = (userId: string, account: Row<"users">): Promise<BegunSession> => beginSession(open, userId, account, connection);
  const result = await passwordSignIn(tenant, client, connection, { identifier, password }, begin);
  if (result.kind !== "signed-in") await result.recorded;
  switch (result.kind) {
    case "wrong-credentials":
      return problemAt(open, passwordScreen, "wrong-credentials");
    case "throttled":
      return problemAt(open, passwordScreen, "too-many-attempts");
    case "refused":
      return problemAt(open, passwordScreen, "too-many-attempts", result.error);
    case "blocked":
      return problemAt(open, passwordScreen, "blocked");
    case "signed-in": {
      const [outcome] = await Promise.all([proceed(open, result.user, identifier, result.begun), result.recorded]);
      return outcome;
    }
  }
}

/** Makes the account of somebody who is invited, and goes on as them. */
async function signUp(open: OpenLogin, password: string): Promise<LoginOutcome> {
  const connection = await connectionOf(open);
  const screen = connection && (await accountScreen(open, connection));
  if (connection === undefined || screen === undefined) return currentStep(open);
  const problem = passwordProblem(connection, screen, password);
  if (problem !== undefined) return problemAt(open, screen, problem);
  const made = await createAccount(open, connection, screen, password);
  return made === undefined ? currentStep(open) : proceed(open, made.user, screen.email, made.begun);
}

/** Goes on as somebody who proved themselves on this visit. */
async function proceed(open: OpenLogin, user: Row<"users">, identifier: string, { session, cookies }: BegunSession): Promise<LoginOutcome> {
  const noted = session.clients.includes(open.client.record.client_id);
  const proved = { identifier, user_id: user.user_id, authenticated_at: session.authenticated_at };
  const signedIn: SignedIn = { user, session, ...(noted && { noted }) };
  return advance({ ...open, signedIn }, (progress) => ({ ...progress, ...proved }), cookies);
}

async function accept(open: OpenLogin): Promise<LoginOutcome> {
  const { tenant, signedIn } = open;
  const outcome = await currentStep(open);
  if (outcome.kind !== "screen" || outcome.consent === undefined || signedIn === undefined) return outcome;
  await rememberConsent(tenant, outcome.consent);
  return advance(open, (progress) => ({ ...progress, consented_by: signedIn.user.user_id }));
}
