import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import { attemptOf } from "../../identity/providers/attempt.ts";
import { passedStrategy, passedStrategyUrl } from "../../identity/providers/passed-strategy.ts";
import { UpstreamError, type UpstreamFault } from "../../identity/providers/upstream-error.ts";
import { isPosternError, type PosternError } from "../../errors.ts";
import { reportUpstreamFailure } from "../../tenants/upstream-failure.ts";
import type { Interaction } from "../interaction.ts";
import { stateOf } from "../login-session.ts";
import type { ActionResult } from "../step.ts";
import { authorizationUrl, usesIdToken } from "../../identity/providers/provider-requests.ts";
import { requireKnowableAuthTime, requiresNewAuthentication } from "./auth-time.ts";
import { upstreamParameters } from "./upstream-parameters.ts";

/** The path of the redirect URI that Postern uses with every provider. */
export const callbackPath = "/login/callback";

/**
 * The maximum number of attempts at identity providers that a login session stores. A further attempt replaces the
 * oldest one.
 */
const maximumAttempts = 5;

/** Returns the `state` of the login in the `state` of an attempt. */
export function loginStateOf(state: string): string {
  return state.slice(0, Math.max(0, state.lastIndexOf(".")));
}

/**
 * Starts a sign-in attempt at a connection's identity provider. The `state` parameter binds the callback to the login
 * session, its browser and the connection.
 * @param identifier the identifier that the visitor entered. Default: the identifier in the login session, otherwise
 * the one in the client's request.
 */
export async function redirectToProvider(
  interaction: Interaction,
  connection: Row<"connections">,
  identifier?: string,
): Promise<ActionResult> {
  const { tenant, login, request } = interaction;
  if (login === undefined) throw new Error("a redirect to a provider requires a login session");
  const { urls } = tenant;
  const state = `${stateOf(tenant, login)}.${tenant.random.token(24)}`;
  const attempt = { state_hash: await sha256(state), connection_id: connection.id, at: tenant.now() };
  try {
    const hint = identifier ?? interaction.progress.identifier ?? request.login_hint ?? request.invitation?.email;
    const strategy = passedStrategy(tenant, connection);
    // A connection without ID tokens never receives `auth_time`. A request that requires it fails before the redirect.
    if (strategy === undefined && !usesIdToken(connection)) requireKnowableAuthTime(request, connection);
    const client = await tenant.upstreamClient(connection);
    const derived = await attemptOf(tenant.secrets.fingerprints, state);
    const redirectUri = urls.urlFor(callbackPath);
    const redirectTo =
      strategy === undefined
        ? await authorizationUrl(
            client,
            derived,
            { redirectUri, scope: request.connection_scope, more: upstreamParameters(connection, request, hint) },
            tenant.host.wait,
          )
        : await passedStrategyUrl(client, strategy, derived, {
            callbackUrl: redirectUri,
            request: { loginHint: hint, requiresNewAuthentication: requiresNewAuthentication(request), maxAge: request.max_age },
          });
    return {
      redirectTo,
      change: (progress) => ({ ...progress, upstream: [...(progress.upstream ?? []), attempt].slice(-maximumAttempts) }),
    };
  } catch (error) {
    if (isPosternError(error) && error.code === "unmet_authentication_requirements") await recordUnmet(interaction, connection, error);
    if (!(error instanceof UpstreamError)) throw error;
    return providerFailure(interaction, connection, error);
  }
}

/**
 * Records why a provider cannot meet a request's requirements for the time of authentication. The client receives the
 * same description without the times.
 */
export async function recordUnmet({ tenant, client }: Interaction, connection: Row<"connections">, error: PosternError): Promise<void> {
  const { message, detail } = error;
  await reportUpstreamFailure(tenant, client, connection, {
    message: detail === undefined ? message : `${message}: ${detail}`,
    fault: "failed",
    cause: undefined,
  });
}

/**
 * Reports a failed sign-in at a provider, with the reason, to the operator. Returns the problem for the visitor, which
 * does not contain the reason.
 */
export function providerFailure({ tenant, client }: Interaction, connection: Row<"connections">, error: UpstreamError): ProviderFailure {
  return { problem: problemOf(error.fault), recorded: reportUpstreamFailure(tenant, client, connection, error) };
}

/** The result of a sign-in that failed at the provider. */
export interface ProviderFailure extends Pick<ActionResult, "recorded"> {
  readonly problem: "provider-declined" | "provider-failed";
}

/** Returns the problem that the visitor sees. */
export function problemOf(fault: UpstreamFault): ProviderFailure["problem"] {
  return fault === "declined" ? "provider-declined" : "provider-failed";
}
