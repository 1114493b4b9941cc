import type { ServiceContext } from "../../context.ts";
import type { PostLoginApi, PostLoginEvent } from "../../adapters/actions.ts";
import { changeRow, requireRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { Json, JsonObject } from "../../store/value.ts";
import { actionsWith, callAction, type ListedAction } from "../../identity/actions/call-action.ts";
import { metadataEntry } from "../../identity/actions/metadata-entry.ts";
import { boundedMetadata } from "../../identity/users/metadata.ts";
import { PosternError } from "../../errors.ts";
import { mergeSettings } from "../../model/settings.ts";
import { noResult, type GrantActionsResult } from "./action-result.ts";
import { checkClaimsSize, customClaim } from "./custom-claims.ts";
import type { Redirected } from "./redirected.ts";
import { postLoginEvent, type PostLogin } from "./post-login-event.ts";
import { encodeToken, validateToken } from "./redirect-token.ts";

/** The outcome of running a login's actions. */
type ActionsOutcome =
  /** `user` contains the metadata that the actions set. */
  | { readonly kind: "go-on"; readonly actions?: GrantActionsResult; readonly user: Row<"users"> }
  | { readonly kind: "redirect"; readonly redirected: Redirected };

/** The state of a login that takes place in a browser, which an action can redirect. */
interface BrowserLogin {
  /** `state` of the login, if it has one already. */
  readonly state: string | undefined;
  /** The redirect that the user has returned from. */
  readonly backFrom?: Redirected;
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
}

/** An action's function that has not been called yet. */
type PendingCall = ListedAction & { readonly trigger: "onExecutePostLogin" | "onContinuePostLogin" };

/**
 * Runs the host's post-login actions in their order, before tokens are issued for a user. Reads nothing if there are no
 * actions.
 * @param browser undefined if the request does not come from a browser.
 * @throws {PosternError} `access_denied` with the description of an action; `interaction_required` if an action
 * redirects and the user cannot be redirected; `temporarily_unavailable` if an action failed.
 */
export async function runPostLogin(login: PostLogin, browser?: BrowserLogin): Promise<ActionsOutcome> {
  const pending = pendingCalls(login.tenant, browser?.backFrom);
  if (pending.length === 0 && browser?.backFrom === undefined) return { kind: "go-on", user: login.user };
  const baseEvent = await postLoginEvent(login);
  const collected = collectedBefore(browser?.backFrom);
  for (const one of pending) {
    await call(login, one, baseEvent, collected, browser);
    const { denied, redirectTo } = collected;
    if (denied !== undefined) throw new PosternError("access_denied", denied);
    if (redirectTo === undefined) continue;
    if (!canRedirect(login, browser)) throw new PosternError("interaction_required", "the user must be redirected to another page first");
    return { kind: "redirect", redirected: { action: one.name, user_id: login.user.user_id, to: redirectTo, ...resultOf(collected) } };
  }
  return { kind: "go-on", actions: resultOf(collected).result, user: await withMetadata(login, collected) };
}

/**
 * Returns the functions that have not run yet. After a redirect, the first is the `onContinuePostLogin` of the action
 * that redirected. If that action is no longer in the list, all actions run.
 */
function pendingCalls(context: ServiceContext, backFrom: Redirected | undefined): readonly PendingCall[] {
  const executed = actionsWith(context, "onExecutePostLogin").map((one) => ({ ...one, trigger: "onExecutePostLogin" as const }));
  const leader = executed.find(({ name }) => name === backFrom?.action);
  if (leader === undefined) return executed;
  const continued = actionsWith(context, "onContinuePostLogin").filter(({ at }) => at === leader.at);
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
    user: {
      ...baseEvent.user,
      app_metadata: mergeSettings(baseEvent.user.app_metadata, Object.fromEntries(collected.appMetadata)),
      user_metadata: mergeSettings(baseEvent.user.user_metadata, Object.fromEntries(collected.userMetadata)),
    },
  };
  const api = apiFor(login, event, collected, browser);
  await callAction(login.tenant, trigger, listed, async () => {
    await listed.action[trigger]?.(event, api);
    checkClaimsSize(Object.fromEntries(collected.idToken));
    checkClaimsSize(Object.fromEntries(collected.accessToken));
  });
}

function apiFor(login: PostLogin, event: PostLoginEvent, collected: Collected, browser: BrowserLogin | undefined): PostLoginApi {
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
    multifactor: {
      enable: () => {
        throw new TypeError("multifactor.enable is not supported");
      },
    },
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

function collectedBefore(backFrom: Redirected | undefined): Collected {
  const { result = noResult, app_metadata: app = {}, user_metadata: user = {} } = backFrom ?? {};
  return {
    idToken: new Map(Object.entries(result.id_token)),
    accessToken: new Map(Object.entries(result.access_token)),
    withheld: new Set(result.withheld),
    appMetadata: new Map(Object.entries(app)),
    userMetadata: new Map(Object.entries(user)),
  };
}

function resultOf({ idToken, accessToken, withheld, appMetadata, userMetadata }: Collected): Omit<Redirected, "action" | "user_id" | "to"> {
  return {
    result: { id_token: Object.fromEntries(idToken), access_token: Object.fromEntries(accessToken), withheld: [...withheld] },
    app_metadata: Object.fromEntries(appMetadata),
    user_metadata: Object.fromEntries(userMetadata),
  };
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
