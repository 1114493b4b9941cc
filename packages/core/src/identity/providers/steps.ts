import * as oauth from "oauth4webapi";
import { ForbiddenAddressError } from "../../adapters/network.ts";
import { causesOf, faultText } from "../../logs/fault-text.ts";
import { loggedText, loggedUrl, membersOf, readRefusal, type ProviderRefusal } from "./provider-text.ts";
import { RefusedValueError, refusedValueOf, type RefusedValue } from "./refused-value.ts";
import { sendRequest } from "../../telemetry/send-request.ts";
import { UpstreamError, type UpstreamFault } from "./upstream-error.ts";
import type { UpstreamDetails, UpstreamStep } from "../../model/connections/upstream-details.ts";
import type { UpstreamClient } from "./provider.ts";

/** The options for every request that the library sends. */
export interface Asking {
  readonly [oauth.customFetch]: (
    url: string,
    request: oauth.CustomFetchOptions<string, oauth.ProtectedResourceRequestBody>,
  ) => Promise<Response>;
  readonly [oauth.allowInsecureRequests]: true;
  readonly signal: AbortSignal;
}

/** The steps of one interaction with a provider. */
export interface Steps {
  /**
   * Runs a step.
   * @param url the URL to report for a step that sends no request itself.
   * @throws {UpstreamError} with the details of the step.
   */
  run<T>(step: UpstreamStep, work: (asking: Asking) => Promise<T>, url?: string): Promise<T>;
}

/** An interaction with a provider within a time limit. */
interface ProviderInteraction {
  /** Begins the interaction. @param late the signal that aborts the requests of all steps when the time is over. */
  begin(late: AbortSignal): Steps;
  /**
   * Turns an error that ended the interaction outside a step, such as a timeout, into an error of the step that was
   * running.
   */
  toUpstreamError(error: unknown): UpstreamError;
}

/** The latest request that a step sent, and the response to it. */
interface Exchange {
  readonly step: UpstreamStep;
  url?: string;
  status?: number;
  contentType?: string;
  refusal?: ProviderRefusal;
  /** Secrets, codes and tokens that the request contains. */
  secrets: readonly string[];
}

/** Creates a {@link ProviderInteraction}. */
export function createProviderInteraction({ context, secrets }: Pick<UpstreamClient, "context" | "secrets">): ProviderInteraction {
  const known = Object.values(secrets).filter((secret) => typeof secret === "string");
  /** Steps that have not succeeded. */
  const open = new Set<Exchange>();
  const askingOf = (exchange: Exchange, late: AbortSignal): Asking => ({
    [oauth.customFetch]: async (url, { method, headers, body }) => {
      const form = body instanceof URLSearchParams ? body : null;
      exchange.url = loggedUrl(url);
      exchange.secrets = [...known, ...secretsOf(headers, form)];
      const request = new Request(url, { method, headers: { ...headers, "user-agent": "Postern" }, body: form, signal: late });
      const response = await sendRequest(context.host, "identity_provider", request);
      await noteResponse(exchange, response);
      return response;
    },
    // adapters/network.ts decides whether requests without TLS are allowed.
    [oauth.allowInsecureRequests]: true,
    signal: late,
  });
  return {
    begin: (late) => ({
      async run(step, work, url) {
        const exchange: Exchange = { step, secrets: known, ...(url !== undefined && { url: loggedUrl(url) }) };
        open.add(exchange);
        try {
          const result = await work(askingOf(exchange, late));
          open.delete(exchange);
          return result;
        } catch (error) {
          throw describeFailure(exchange, error);
        }
      },
    }),
    toUpstreamError(error) {
      if (error instanceof UpstreamError) return error;
      const running = [...open].at(-1);
      return running === undefined
        ? new UpstreamError(faultOf(error), faultText(error), { cause: error })
        : describeFailure(running, error);
    },
  };
}

const secretParameters = ["client_secret", "client_assertion", "code", "code_verifier", "refresh_token"];

function secretsOf(headers: { readonly [name: string]: string }, form: URLSearchParams | null): readonly string[] {
  const { authorization = "" } = headers;
  return [authorization.replace(/^\w+ /, ""), ...secretParameters.flatMap((name) => form?.getAll(name) ?? [])];
}

async function noteResponse(exchange: Exchange, response: Response): Promise<void> {
  exchange.status = response.status;
  exchange.contentType = response.headers.get("content-type") ?? "";
  if (response.ok) return;
  try {
    const refusal = readRefusal(await response.clone().json());
    if (refusal !== undefined) exchange.refusal = refusal;
  } catch {
    // A body that is not JSON is not reported; the status is.
  }
}

function describeFailure(exchange: Exchange, error: unknown): UpstreamError {
  // A nested step has described the error already.
  if (error instanceof UpstreamError && error.details !== undefined) return error;
  const { url, status, secrets } = exchange;
  const step = stepOf(exchange, error);
  const clean = (text: string): string => loggedText(text, secrets);
  const refusal = refusalOf(exchange, error);
  const refused = refusedValueOf(error);
  const details: UpstreamDetails = {
    step,
    ...(url !== undefined && { url }),
    ...(status !== undefined && { status }),
    ...(refusal && { error: clean(refusal.error) }),
    ...(refusal?.error_description !== undefined && { error_description: clean(refusal.error_description) }),
    ...(refused && describeValue(refused, clean)),
  };
  const reason = reasonOf(exchange, details, error);
  const message = url === undefined ? `${step}: ${reason}` : `${step} (${url}): ${reason}`;
  return new UpstreamError(faultOf(error), message, { details, ...(!hasResponseInCause(error) && { cause: error }) });
}

/** Returns the step that an error belongs to, because one request may serve several steps. */
function stepOf({ step, status }: Exchange, error: unknown): UpstreamStep {
  if (error instanceof RefusedValueError) return error.step;
  if (!(error instanceof Error) || (status ?? 200) !== 200) return step;
  if (step === "token" && /JWT|ID Token|JWE|id_token/.test(error.message)) return "id_token";
  return step === "jwks" && "signature" in membersOf(error.cause) ? "id_token" : step;
}

function refusalOf({ refusal }: Exchange, error: unknown): ProviderRefusal | undefined {
  if (refusal !== undefined) return refusal;
  if (error instanceof oauth.AuthorizationResponseError) return readRefusal(error);
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return error.cause.map(({ parameters }) => readRefusal(parameters)).find((found) => found !== undefined);
  // GitHub sends errors with the status 200.
  return error instanceof oauth.OperationProcessingError ? readRefusal(membersOf(error.cause)["body"]) : undefined;
}

function describeValue({ claim, expected, received, now }: RefusedValue, clean: (text: string) => string) {
  const text = (value: unknown): string =>
    clean(isTexts(value) ? value.join(", ") : typeof value === "string" ? value : JSON.stringify(value));
  return {
    claim,
    ...(expected !== undefined && { expected: text(expected) }),
    ...(received !== undefined && { received: text(received) }),
    ...(now !== undefined && typeof received === "number" && { clock_difference: Math.round(received - now) }),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function reasonOf({ status, contentType = "" }: Exchange, details: UpstreamDetails, error: unknown): string {
  const { error: code, error_description: description, claim, expected, received, clock_difference: difference } = details;
  const refusal = [code, description].filter((text) => text !== undefined).join(": ");
  if (status !== undefined && status !== 200) return [httpStatus(status, contentType), refusal].filter(Boolean).join(", ");
  if (refusal !== "") return refusal;
  if (difference !== undefined) {
    const order = difference < 0 ? "before" : "after";
    return `'${claim}' is ${Math.abs(difference)} seconds ${order} the clock of this server (${messageOf(error)}). Compare it with the clock of the provider`;
  }
  if (claim === "kid") return `no suitable key with the id ${quoted(received)} (${messageOf(error)})`;
  if (claim !== undefined) {
    const expectation = expected === undefined ? "" : `, expected ${quoted(expected)}`;
    return `'${claim}' is ${quoted(received)}${expectation} (${messageOf(error)})`;
  }
  if (error instanceof oauth.OperationProcessingError && error.code === oauth.RESPONSE_IS_NOT_JSON)
    return `HTTP 200 with the content type ${quoted(loggedText(contentType, []))}, expected JSON`;
  return messageOf(error);
}

function httpStatus(status: number, contentType: string): string {
  if (status >= 300 && status < 400) return `HTTP ${status}, a redirect, which is not followed`;
  return /\bhtml\b/.test(contentType) ? `HTTP ${status} with an HTML page` : `HTTP ${status}`;
}

function quoted(text: string | undefined): string {
  return text === undefined ? "missing" : `"${text}"`;
}

/**
 * Returns the message of an error without its causes, because the causes of library errors and JSON errors quote the
 * response.
 */
function messageOf(error: unknown): string {
  if (error instanceof SyntaxError) return "the response is not JSON";
  if (hasResponseInCause(error)) return ownWords[error.message] ?? error.message;
  const code = [...causesOf(error)].map((cause) => membersOf(cause)["code"]).find((found) => typeof found === "string");
  const text = faultText(error);
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}

/** Replacements for messages of the library that do not name the problem. */
const ownWords: { readonly [message: string]: string } = {
  "JWE decryption is not configured": "the ID token is encrypted, which is not supported",
};

const quotingErrors = [
  oauth.OperationProcessingError,
  oauth.UnsupportedOperationError,
  oauth.ResponseBodyError,
  oauth.WWWAuthenticateChallengeError,
  oauth.AuthorizationResponseError,
  RefusedValueError,
  SyntaxError,
  UpstreamError,
];

/** Returns whether the cause of an error may contain tokens. Such an error is not logged as a cause. */
function hasResponseInCause(error: unknown): error is Error {
  return quotingErrors.some((type) => error instanceof type);
}

function faultOf(error: unknown): UpstreamFault {
  if (error instanceof UpstreamError) return error.fault;
  if (error instanceof oauth.AuthorizationResponseError && error.error === "access_denied") return "declined";
  return [...causesOf(error)].some((cause) => cause instanceof ForbiddenAddressError) ? "misconfigured" : "failed";
}
