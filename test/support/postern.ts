import { consoleLogger, createPostern, type CryptoOptions, type LogEntry, type Postern, type PosternOptions } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createManualClock, type ManualClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { blockedParts } from "../../packages/core/test/page-policy.ts";
import { recordAdapterCalls } from "./record-calls.ts";

/** A Postern with two tenants, a client that manages each, and a manual clock. */
export interface TestPostern {
  readonly postern: Postern;
  readonly data: DataAdapter;
  readonly clock: ManualClock;
  /** The errors that the service logged. A test that does not expect errors requires that there are none. */
  readonly faults: readonly LogEntry[];
  /** Sends a request to the service, and parses the JSON response. */
  call(method: string, path: string, options?: ApiCallOptions): Promise<ApiResponse>;
  /** Requests an access token for the Management API. */
  token(tenantId?: "main" | "other"): Promise<string>;
}

/** Options of a {@link TestPostern}. Missing options, also those within a group, get defaults. */
export type TestOptions = Partial<Omit<PosternOptions, "crypto">> & { readonly crypto?: Partial<CryptoOptions> };

export interface ApiCallOptions {
  readonly token?: string;
  readonly headers?: { readonly [name: string]: string };
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; a string if it is not JSON. */
  readonly body: unknown;
}

export const issuer = "https://id.example.test/";
export const managementAudience = `${issuer}api/v2/`;
export const clientSecret = "a-secret-that-is-long-enough-for-tests";

/**
 * Creates a {@link TestPostern} on `data`. The default is a database in memory that requires an index for every query.
 * Responses are validated against their schemas, and pages against their Content-Security-Policy.
 */
export async function createTestPostern(options: TestOptions = {}): Promise<TestPostern> {
  const { data = createMemoryAdapter({ strict: true }), crypto, testing, ...rest } = options;
  const { clock = createManualClock(Date.UTC(2026, 0, 1)) } = testing ?? {};
  const faults: LogEntry[] = [];
  const created = createPostern({
    issuer,
    data: recordAdapterCalls(data),
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256", ...crypto },
    defaultTenantId: "main",
    controlPlane: { tenantId: "main" },
    testing: { checkReplies: true, ...testing, clock },
    logger: {
      log(entry) {
        if (entry.level !== "error") return;
        faults.push(entry);
        consoleLogger.log(entry);
      },
    },
    ...rest,
  });
  const { fetch: send } = created;
  // Waits for work that continues after the response, such as sending emails, before the test continues.
  const fetch: Postern["fetch"] = async (request, extra) => {
    const works: Promise<unknown>[] = [];
    const response = await send(request, { waitUntil: (work) => void works.push(work), ...extra });
    await Promise.all(works);
    await checkPolicy(request, response, created.issuer);
    return response;
  };
  const postern: Postern = Object.assign(created, { fetch });
  for (const tenantId of ["main", "other"]) {
    const settings = { name: "Manager", app_type: "non_interactive" } as const;
    await postern.seed({ tenantId, clients: [{ clientId: `${tenantId}-manager`, secret: clientSecret, settings, managesTenant: true }] });
  }

  const call = async (method: string, path: string, { token, headers, body }: ApiCallOptions = {}): Promise<ApiResponse> => {
    const response = await postern.fetch(
      new Request(postern.issuer + path.slice(1), {
        method,
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
      { clientAddress: "192.0.2.1" },
    );
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  };

  return {
    postern,
    data,
    faults,
    // A custom clock replaces the manual one. Such a test does not advance the clock.
    clock: "advance" in clock ? (clock as ManualClock) : createManualClock(clock.now()),
    call,
    async token(tenantId = "main") {
      const { body } = await call("POST", "/oauth/token", {
        body: {
          grant_type: "client_credentials",
          client_id: `${tenantId}-manager`,
          client_secret: clientSecret,
          audience: `${postern.issuer}api/v2/`,
        },
      });
      if (typeof body === "object" && body !== null && "access_token" in body && typeof body.access_token === "string")
        return body.access_token;
      throw new Error(`no token: ${JSON.stringify(body)}`);
    },
  };
}

/** Requires that a page's Content-Security-Policy allows everything on the page. */
async function checkPolicy({ url: requested, method }: Request, response: Response, issuer: string): Promise<void> {
  if (response.headers.get("content-type")?.startsWith("text/html") !== true || response.body === null) return;
  const policy = response.headers.get("content-security-policy");
  // Behind a proxy that ends TLS, the request has another protocol than the page in the browser.
  const url = requested.replace(/^https?:/, new URL(issuer).protocol);
  const blocked = policy === null ? ["no policy"] : blockedParts(await response.clone().text(), policy, url);
  if (blocked.length > 0)
    throw new Error(`the Content-Security-Policy blocks parts of the page at ${method} ${url}: ${blocked.join("\n")}`);
}

function parse(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
