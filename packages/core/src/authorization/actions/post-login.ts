import type { ServiceContext } from "../../context.ts";
import type { PostLoginApi, PostLoginEvent } from "../../adapters/actions.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { actionsWith, callAction, type ListedAction } from "../../identity/actions/call-action.ts";
import { metadataEntry } from "../../identity/actions/metadata-entry.ts";
import { addCustomMethods } from "../../identity/sessions/session.ts";
import { boundedMetadata } from "../../identity/users/metadata.ts";
import { PosternError } from "../../errors.ts";
import { mergeSettings } from "../../model/settings.ts";
import { noResult, type GrantActionsResult } from "./action-result.ts";
import { checkClaimsSize, customClaim } from "./custom-claims.ts";
import { authenticationApi, noCommands, type CollectedCommands, type FactorCommand } from "./factor-commands.ts";
import type { Demanded, Redirected } from "./redirected.ts";
import { postLoginEvent, type PostLogin } from "./post-login-event.ts";
import { encodeToken, validateToken } from "./redirect-token.ts";

/** The outcome of running a login's actions. */
type ActionsOutcome =
  /** `user` contains the metadata that the actions set. */
  | { readonly kind: "go-on"; readonly actions?: GrantActionsResult; readonly user: Row<"users"> }
  | { readonly kind: "redirect"; readonly redirected: Redirected }
  /** An action requires factors. `demanded` contains the demands of earlier actions only: the caller resolves `commands`. */
  | { readonly kind: "factors"; readonly commands: readonly FactorCommand[]; readonly demanded: Demanded };

/** The state of a login that takes place in a browser, which an action can redirect. */
interface BrowserLogin {
  /** `state` of the login, if it has one already. */
  readonly state: string | undefined;
}

/** The values that actions set during a run. */
interface Collected {
  readonly idToken: Map<string, Json>;
  readonly accessToken: Map<string, Json>;
  readonly withheld: Set<string>;
  readonly appMetadata: Map<string, Json>;
  readonly userMetadata: Map<string, Json>;
  denied?: string;
  redirectTo?: string;
  readonly commands: CollectedCommands;
}

/** An action's function that has not been called yet. */
type PendingCall = ListedAction & { readonly trigger: "onExecutePostLogin" | "onContinuePostLogin" };

/**
 * Runs the host's post-login actions in their order, before tokens are issued for a user. Reads nothing if there are no
 * actions.
 * @param browser undefined if the request does not come from a browser.
 * @param stopped the redirect that the user has returned from, or the factors that the user has passed. The actions
 * before it do not run again.
 * @throws {PosternError} `access_denied` with the description of an action; `interaction_required` if an action
 * redirects and the user cannot be redirected; `temporarily_unavailable` if an action failed.
 */
export async function runPostLogin(login: PostLogin, browser?: BrowserLogin, stopped?: Redirected | Demanded): Promise<ActionsOutcome> {
  const pending = pendingCalls(login.tenant, stopped);
  if (pending.length === 0 && stopped === undefined) return { kind: "go-on", user: login.user };
  const baseEvent = await postLoginEvent(login);
  const collected = collectedBefore(stopped);
  for (const one of pending) {
    await call(login, one, baseEvent, collected, browser);
    const { denied, redirectTo } = collected;
    if (denied !== undefined) throw new PosternError("access_denied", denied);
    const here = { action: one.name, user_id: login.user.user_id, ...resultOf(collected) };
    const { pending: commands } = collected.commands;
    if (commands.length > 0) return { kind: "factors", commands, demanded: { ...here, demands: [] } };
    if (redirectTo === undefined) continue;
    if (!canRedirect(login, browser)) throw new PosternError("interaction_required", "the user must be redirected to another page first");
    return { kind: "redirect", redirected: { ...here, to: redirectTo } };
  }
  const { atEnd, count } = collected.commands.all;
  if (atEnd !== undefined && count === 0 && !isAtEnd(stopped)) {
    const demanded: Demanded = { action: "", user_id: login.user.user_id, ...resultOf(collected), demands: [], isAtEnd: true };
    return { kind: "factors", commands: [atEnd], demanded };
  }
  const user = await withMetadata(login, collected);
  await recordMethods(login, collected);
  return { kind: "go-on", actions: resultOf(collected).result, user };
}

function isAtEnd(stopped: Redirected | Demanded | undefined): boolean {
  return stopped !== undefined && "isAtEnd" in stopped;
}

/**
 * Returns the functions that have not run yet. After a redirect, the first is the `onContinuePostLogin` of the action
 * that redirected. If that action is no longer in the list, all actions run.
 */
function pendingCalls(context: ServiceContext, stopped: Redirected | Demanded | undefined): readonly PendingCall[] {
  if (isAtEnd(stopped)) return [];
  const executed = actionsWith(context, "onExecutePostLogin").map((one) => ({ ...one, trigger: "onExecutePostLogin" as const }));
  const leader = executed.find(({ name }) => name === stopped?.action);
  if (leader === undefined) return executed;
  const isRedirect = stopped !== undefined && "to" in stopped;
  const continued = !isRedirect ? [] : actionsWith(context, "onContinuePostLogin").filter(({ at }) => at === leader.at);
  return [...continued.map((one) => ({ ...one, trigger: "onContinuePostLogin" as const })), ...executed.filter(({ at }) => at > leader.at)];
}

function canRedirect({ request }: PostLogin, browser: BrowserLogin | undefined): boolean {
  return browser !== undefined && request?.prompt.includes("none") !== true;
}

async function call(
  login: PostLogin,
  { trigger, ...listed }: PendingCall,
  baseEvent: Omit<PostLoginEvent, "secrets">,
  collected: Collected,
  browser: BrowserLogin | undefined,
): Promise<void> {
  const event: PostLoginEvent = {
    ...baseEvent,
    secrets: listed.action.secrets ?? {},
    authentication: { methods: [...baseEvent.authentication.methods, ...recordedMethods(login, collected)] },
    user: {
      ...baseEvent.user,
      app_metadata: mergeSettings(baseEvent.user.app_metadata, Object.fromEntries(collected.appMetadata)),
      user_metadata: mergeSettings(baseEvent.user.user_metadata, Object.fromEntries(collected.userMetadata)),
    },
  };
  const api = apiFor(login, event, collected, { browser, trigger });
  await callAction(login.tenant, trigger, listed, async () => {
    await listed.action[trigger]?.(event, api);
    if (collected.redirectTo !== undefined && collected.commands.pending.length > 0)
      throw new TypeError("an action cannot redirect and require a factor in one call");
    checkClaimsSize(Object.fromEntries(collected.idToken));
    checkClaimsSize(Object.fromEntries(collected.accessToken));
  });
}

/** Returns the custom authentication methods that are not stored yet. */
function recordedMethods({ tenant }: PostLogin, { commands }: Collected): PostLoginEvent["authentication"]["methods"] {
  const timestamp = new Date(tenant.now()).toISOString();
  return commands.all.recorded.map((name) => ({ name, timestamp }));
}

/** The way in which an action is called. */
interface CallPlace {
  readonly browser: BrowserLogin | undefined;
  readonly trigger: PendingCall["trigger"];
}

function apiFor(login: PostLogin, event: PostLoginEvent, collected: Collected, { browser, trigger }: CallPlace): PostLoginApi {
  const { tenant, user, scope } = login;
  const redirectLogin = { tenant, userId: user.user_id, state: browser?.state, request: event.request };
  return {
    access: { deny: (reason) => void (collected.denied = String(reason)) },
    idToken: { setCustomClaim: (name, value) => void collected.idToken.set(...customClaim(name, value)) },
    accessToken: {
      setCustomClaim: (name, value) => void collected.accessToken.set(...customClaim(name, value)),
      removeScope: (value) => {
        if (value === "openid") throw new TypeError("the scope 'openid' cannot be removed, because a login requires it");
        if (scope.includes(value)) collected.withheld.add(value);
      },
      addScope: (value) => {
        if (!scope.includes(value)) throw new TypeError(`the scope '${value}' is not granted, and actions cannot grant scopes`);
        collected.withheld.delete(value);
      },
    },
    user: {
      setAppMetadata: (key, value) => void collected.appMetadata.set(...metadataEntry(key, value)),
      setUserMetadata: (key, value) => void collected.userMetadata.set(...metadataEntry(key, value)),
    },
    redirect: {
      canRedirect: () => canRedirect(login, browser),
      sendUserTo: (url, { query = {} } = {}) => void (collected.redirectTo = addressOf(url, query)),
      encodeToken: (token) => encodeToken(redirectLogin, token),
      validateToken: (token) => validateToken(redirectLogin, token),
    },
    ...authenticationApi(collected.commands, trigger),
  };
}

/** Returns the URL of a page with query parameters. @throws {TypeError} if the URL is not an http or https URL. */
function addressOf(url: string, query: { readonly [name: string]: string }): string {
  const pageUrl = URL.canParse(url) ? new URL(url) : undefined;
  if (pageUrl === undefined || (pageUrl.protocol !== "https:" && pageUrl.protocol !== "http:"))
    throw new TypeError("sendUserTo requires the https or http URL of a page");
  for (const [name, value] of Object.entries(query)) pageUrl.searchParams.set(name, value);
  return pageUrl.href;
}

function collectedBefore(stopped: Redirected | Demanded | undefined): Collected {
  const { result = noResult, app_metadata: app = {}, user_metadata: user = {}, authentication = noCommands } = stopped ?? {};
  return {
    idToken: new Map(Object.entries(result.id_token)),
    accessToken: new Map(Object.entries(result.access_token)),
    withheld: new Set(result.withheld),
    appMetadata: new Map(Object.entries(app)),
    userMetadata: new Map(Object.entries(user)),
    commands: { all: authentication, pending: [] },
  };
}

function resultOf({
  idToken,
  accessToken,
  withheld,
  appMetadata,
  userMetadata,
  commands,
}: Collected): Omit<Redirected, "action" | "user_id" | "to"> {
  return {
    result: { id_token: Object.fromEntries(idToken), access_token: Object.fromEntries(accessToken), withheld: [...withheld] },
    app_metadata: Object.fromEntries(appMetadata),
    user_metadata: Object.fromEntries(userMetadata),
    authentication: commands.all,
  };
}

/** Stores the custom authentication methods in the session. If the session was revoked, nothing is stored. */
async function recordMethods({ tenant, session }: PostLogin, { commands }: Collected): Promise<void> {
  const { recorded } = commands.all;
  if (session !== undefined && recorded.length > 0) await addCustomMethods(tenant, session, recorded);
}

/** Stores the metadata that actions set, and returns the user with that metadata. */
async function withMetadata({ tenant, user }: PostLogin, { appMetadata, userMetadata }: Collected): Promise<Row<"users">> {
  if (appMetadata.size + userMetadata.size === 0) return user;
  const merged = (stored: JsonObject, set: Map<string, Json>): JsonObject =>
    set.size === 0 ? stored : mergeSettings(stored, Object.fromEntries(set));
  const change = (row: Row<"users">): Partial<Row<"users">> => ({
    ...boundedMetadata(
      tenant.config.metadataBytes,
      { app_metadata: merged(row.app_metadata, appMetadata), user_metadata: merged(row.user_metadata, userMetadata) },
      row,
    ),
    updated_at: tenant.now(),
  });
  const where = { user_id: user.user_id, linked_to: "" };
  const changedUser = (): PosternError => new PosternError("access_denied", "the user was deleted or linked by another request");
  const { app_metadata, user_metadata, updated_at } = requireRow(await changeRow(tenant.data.users, where, change), "user", changedUser);
  return { ...user, app_metadata, user_metadata, updated_at };
}
