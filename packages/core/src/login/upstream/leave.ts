import { sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../data/schema.ts";
import { attemptOf } from "../../domain/upstream/attempt.ts";
import { UpstreamError } from "../../domain/upstream/upstream-error.ts";
import { isPosternError } from "../../errors.ts";
import type { Interaction } from "../interaction.ts";
import { stateOf } from "../login-session.ts";
import type { Taken } from "../step.ts";
import { authTimeParameters, requireKnowableAuthTime } from "./auth-time.ts";
import { authorizationUrl, usesIdToken } from "../../domain/upstream/ask-provider.ts";

/** Where providers send people back to. */
export const callbackPath = "/login/callback";

/** Ways to providers that one login may have open: of more, the oldest are forgotten. */
const mostOpen = 5;

/** Sends somebody to the provider of a connection. What comes back is bound to this login, its browser and the connection. */
export async function leaveTo(interaction: Interaction, connection: Row<"connections">, typed?: string): Promise<Taken> {
  const { tenant, login, request } = interaction;
  if (login === undefined) throw new Error("who is sent away comes back to a login session");
  const { environment, urls } = tenant;
  const state = `${stateOf(tenant, login)}.${environment.ids.token(24)}`;
  const open = { state_hash: await sha256(state), connection_id: connection.id, at: environment.clock.now() };
  try {
    const sent = {
      redirectUri: urls.urlFor(callbackPath),
      loginHint: typed ?? interaction.progress.identifier ?? request.login_hint ?? request.invitation?.email,
      uiLocales: request.ui_locales,
      scope: request.connection_scope,
      more: { ...upstreamParameters(connection, request), ...authTimeParameters(request) },
    };
    // Without an ID token there is no auth_time: the user is not sent there in vain.
    if (!usesIdToken(connection)) requireKnowableAuthTime(request, connection);
    const client = await tenant.upstreamClient(connection);
    const leave = await authorizationUrl(client, await attemptOf(environment.fingerprints, state), sent, environment.wait);
    return { leave, change: (progress) => ({ ...progress, upstream: [...(progress.upstream ?? []), open].slice(-mostOpen) }) };
  } catch (error) {
    if (isPosternError(error) && error.code === "unmet_authentication_requirements") await recordUnmet(interaction, connection, error);
    if (!(error instanceof UpstreamError)) throw error;
    return failed(interaction, connection, error);
  }
}

/** Parameters that the options of a connection take from our own request (`upstream_params`: by their names there, an alias of ours or a value), and what the vendor's clients name. */
function upstreamParameters(
  connection: Row<"connections">,
  request: Interaction["request"],
): { readonly [name: string]: string | undefined } {
  const { upstream_params: configured } = connection.options;
  const ours: { readonly [name: string]: string | undefined } = {
    login_hint: request.login_hint,
    ui_locales: request.ui_locales,
    screen_hint: request.screen_hint,
    access_type: request.access_type,
    max_age: request.max_age?.toString(),
  };
  const named = typeof configured === "object" && configured !== null && !Array.isArray(configured) ? Object.entries(configured) : [];
  return {
    access_type: request.access_type,
    ...Object.fromEntries(
      named.flatMap(([name, parameter]) => {
        if (typeof parameter !== "object" || parameter === null) return [];
        const value =
          "value" in parameter
            ? parameter.value
            : "alias" in parameter && typeof parameter.alias === "string"
              ? ours[parameter.alias]
              : undefined;
        return typeof value === "string" ? [[name, value]] : [];
      }),
    ),
  };
}

/**
 * Records why a provider does not satisfy what a request requires of the time of authentication. The client is told the
 * same.
 */
export async function recordUnmet({ tenant, client }: Interaction, connection: Row<"connections">, { message }: Error): Promise<void> {
  const { id, name, strategy } = connection;
  await tenant.audit({
    type: "fc",
    description: message,
    client: { client_id: client.record.client_id, name: client.record.name },
    connection: { id, name, strategy },
  });
}

/** What came of a way to a provider that led to nobody: on record with its reason, and said to the person without it. */
export function failed({ tenant, client }: Interaction, connection: Row<"connections">, error: UpstreamError): Taken {
  const { id, name, strategy } = connection;
  if (error.fault !== "declined")
    tenant.environment.logger.log({
      level: "warn",
      event: "upstream_failed",
      tenant_id: tenant.id,
      connection: id,
      error: error.cause ?? error,
    });
  const recorded = tenant.audit({
    type: error.fault === "declined" ? "f" : "fc",
    description: error.message,
    client: { client_id: client.record.client_id, name: client.record.name },
    connection: { id, name, strategy },
  });
  return { problem: error.fault === "declined" ? "provider-declined" : "provider-failed", recorded };
}
