import type { Row } from "../../store/schema.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { providerClockTolerance } from "../../identity/providers/attempt.ts";
import { PosternError } from "../../errors.ts";
import type { AuthorizationRequest } from "../../authorization/authorization-request.ts";
import type { Interaction } from "../interaction.ts";

type Demand = Pick<AuthorizationRequest, "prompt" | "max_age">;

/**
 * Whether a request requires that the user authenticates again, regardless of existing sessions. `max_age=0` means the
 * same as `prompt=login` (OpenID Connect Core section 15.1).
 */
export function requiresNewAuthentication({ prompt, max_age: maxAge }: Demand): boolean {
  return prompt.includes("login") || maxAge === 0;
}

/** Whether a request limits how long ago the user may have authenticated. */
function limitsAuthTime(request: Demand): boolean {
  return request.max_age !== undefined || request.prompt.includes("login");
}

/**
 * The parameters in the authorization request to the provider that decide whether the user authenticates again there.
 */
interface AuthTimeParameters {
  readonly prompt?: string;
  readonly max_age?: string;
}

/**
 * Returns the parameters that pass the client's requirements for the time of authentication on to the provider.
 * `max_age` accompanies `prompt=login`, because a provider must then send `auth_time` (OpenID Connect Core section 2);
 * `prompt=login` accompanies `max_age=0`, because some providers ignore `max_age`.
 * @param configured the parameters that the connection is configured to send: their prompts are added, and a lower
 * `max_age` takes precedence.
 */
export function authTimeParameters(request: Demand, configured: AuthTimeParameters = {}): AuthTimeParameters {
  if (!limitsAuthTime(request)) return {};
  const ages = [request.max_age ?? 0, ...(/^\d+$/.test(configured.max_age ?? "") ? [Number(configured.max_age)] : [])];
  const prompts = (configured.prompt ?? "").split(" ").filter((prompt) => prompt !== "" && prompt !== "none");
  return {
    max_age: String(Math.min(...ages)),
    ...(requiresNewAuthentication(request) && { prompt: [...new Set([...prompts, "login"])].join(" ") }),
  };
}

/** The times by which the time of authentication in a provider's response is checked. */
interface ProviderAnswer {
  /** `auth_time` in the ID token, in milliseconds since 1970. Undefined if the provider does not send it. */
  readonly authenticatedAt: number | undefined;
  /** When the browser was redirected to the provider, in milliseconds since 1970. */
  readonly leftAt: number;
}

/**
 * Returns when the user authenticated at the provider. If the provider sends no `auth_time`, the time is unknown,
 * unless the connection accepts the time of the callback instead.
 * @throws {PosternError} `unmet_authentication_requirements` if the request limits the time of authentication, and that
 * time is unknown or too early.
 */
export function providerAuthTime(
  { tenant, request }: Pick<Interaction, "tenant" | "request">,
  connection: Pick<Row<"connections">, "options">,
  { authenticatedAt, leftAt }: ProviderAnswer,
): AuthTime {
  const now = tenant.now();
  if (authenticatedAt === undefined) {
    requireKnowableAuthTime(request, connection);
    return { at: now, isKnown: acceptsCallback(connection) };
  }
  const earliest = Math.max(requiresNewAuthentication(request) ? leftAt : 0, now - (request.max_age || Infinity) * 1000);
  if (authenticatedAt < earliest - providerClockTolerance * 1000) {
    throw new PosternError(
      "unmet_authentication_requirements",
      "the identity provider did not authenticate the user again, as 'prompt' or 'max_age' requires",
      { detail: describeAuthTime(authenticatedAt, earliest) },
    );
  }
  // Later, the request is compared with the session. A difference between the clocks, or the fraction of a second that
  // auth_time lacks, must not make the request fail then.
  return { at: Math.min(now, Math.max(authenticatedAt, earliest)), isKnown: true };
}

/**
 * Rejects a request that limits the time of authentication, for a provider that does not send that time, unless the
 * connection accepts the time of the callback instead.
 * @throws {PosternError} `unmet_authentication_requirements`.
 */
export function requireKnowableAuthTime(request: Demand, connection: Pick<Row<"connections">, "options">): void {
  if (!limitsAuthTime(request) || acceptsCallback(connection)) return;
  throw new PosternError(
    "unmet_authentication_requirements",
    "the identity provider does not say when the user authenticated (auth_time), which 'prompt=login' and 'max_age' require",
  );
}

function acceptsCallback({ options }: Pick<Row<"connections">, "options">): boolean {
  return options["allow_callback_auth_time"] === true;
}

/** Describes an `auth_time` that is too early. Both parameters are in milliseconds since 1970. */
function describeAuthTime(received: number, earliest: number): string {
  const [seconds, required] = [Math.floor(received / 1000), Math.ceil(earliest / 1000)];
  return `'auth_time' is ${seconds}, expected at least ${required} by the clock of this server (${required - seconds} seconds earlier)`;
}
