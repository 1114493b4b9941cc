import type { ConnectionStrategy, StrategyAttempt, StrategyRequest } from "../../adapters/connection-strategy.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import type { ServiceContext } from "../../context.ts";
import { faultText } from "../../logs/fault-text.ts";
import { assignedDomains, isAuthoritativeFor } from "../../model/connections/strategies/email-authority.ts";
import { readClaims, textIn } from "../../model/connections/strategies/provider.ts";
import { upstreamStrategy } from "../../model/connections/upstream.ts";
import type { Row } from "../../store/schema.ts";
import type { ProviderAttempt } from "./attempt.ts";
import { readAuthTime } from "./auth-time.ts";
import { readProfileEmail } from "./profile-email.ts";
import type { UpstreamClient } from "./provider.ts";
import type { ProviderIdentity } from "./provider-requests.ts";
import { UpstreamError } from "./upstream-error.ts";

/** Timeout in milliseconds for one call of a strategy. */
const timeout = 5000;

/** Returns the strategy of a connection if the host passes it. */
export function passedStrategy(
  { host }: Pick<ServiceContext, "host">,
  { strategy }: Pick<Row<"connections">, "strategy">,
): ConnectionStrategy | undefined {
  return Object.hasOwn(host.strategies, strategy) ? host.strategies[strategy] : undefined;
}

/** Returns whether the options of a connection are complete, so that users can sign in at its provider. */
export function isProviderSetUp(
  context: Pick<ServiceContext, "host">,
  connection: Pick<Row<"connections">, "id" | "strategy" | "options">,
): boolean {
  const { options } = connection;
  const passed = passedStrategy(context, connection);
  if (passed !== undefined) {
    try {
      return passed.isSetUp(options);
    } catch (error) {
      context.host.logger.log({ level: "error", event: "strategy_failed", connection: connection.id, error });
      return false;
    }
  }
  return upstreamStrategy(connection)?.describe(options).place !== undefined && textIn(options, "client_id") !== undefined;
}

/** Returns the URL at the provider of a strategy that the host passes. @throws {UpstreamError} */
export async function passedStrategyUrl(
  upstream: UpstreamClient,
  strategy: ConnectionStrategy,
  attempt: ProviderAttempt,
  { callbackUrl, request }: { readonly callbackUrl: string; readonly request: StrategyRequest },
): Promise<string> {
  const url = await call(upstream, () => strategy.authorizationUrl(toAttempt(upstream, attempt, callbackUrl), request));
  // A URL with another scheme, such as javascript:, could run code in the browser.
  if (!URL.canParse(url) || !["https:", "http:"].includes(new URL(url).protocol))
    throw new UpstreamError("misconfigured", "the strategy returned no http or https URL");
  return new URL(url).href;
}

/** Returns the user in the response to a strategy that the host passes. @throws {UpstreamError} */
export async function readPassedResponse(
  upstream: UpstreamClient,
  strategy: ConnectionStrategy,
  attempt: ProviderAttempt,
  { received, callbackUrl }: { readonly received: URLSearchParams; readonly callbackUrl: string },
): Promise<ProviderIdentity> {
  const { context, connection } = upstream;
  const response = { ...toAttempt(upstream, attempt, callbackUrl), fields: Object.fromEntries(received), now: context.now() };
  return call(upstream, async () => {
    const claims = await strategy.readResponse(response);
    if (claims === "declined") throw new UpstreamError("declined", "the user declined the sign-in");
    const domains = assignedDomains(connection.options);
    const profile = readClaims(claims, (email) => isAuthoritativeFor(email, domains));
    if (profile === undefined) throw new UpstreamError("failed", "the claims of the strategy contain no 'sub'");
    return { profile: readProfileEmail(upstream, profile), claims, tokens: undefined, authenticatedAt: readAuthTime(claims, context) };
  });
}

function toAttempt({ connection, secrets }: UpstreamClient, { state, nonce }: ProviderAttempt, callbackUrl: string): StrategyAttempt {
  const { id, name, options } = connection;
  return {
    connection: { id, name, options },
    secrets: Object.fromEntries(Object.entries(secrets).map(([path, secret]) => [path.slice(1), secret])),
    callbackUrl,
    state,
    nonce,
  };
}

async function call<T>({ context }: UpstreamClient, work: () => T | Promise<T>): Promise<T> {
  try {
    return await withDeadline(async () => work(), timeout, "the strategy", context.host.wait);
  } catch (error) {
    throw error instanceof UpstreamError ? error : new UpstreamError("failed", faultText(error), { cause: error });
  }
}
