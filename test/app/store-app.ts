import { appSessions, createSessions, type Sessions, type SessionOptions, type SessionStore } from "@postern/app";
import type { DataAdapter } from "@postern/core/adapter";
import { createManualClock, type ManualClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { fakeHasher } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { clientSecret, createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppBrowser, type AppWithSessions, type RequestHandler } from "./app-browser.ts";

/** An app whose sessions are in a store. */
export interface AppWithStore extends AppWithSessions {
  readonly data: DataAdapter;
  readonly store: SessionStore;
  readonly clock: ManualClock;
  /** The paths of the requests that the app sends to the service. */
  readonly requests: string[];
  /**
   * Opens another process of the app and of the service, on the same data. Requests with the header `x-process: 2` go
   * to it.
   */
  openSecondProcess(): Promise<Sessions>;
  /** Creates an organization with the user Ada as a member. @returns its id. */
  createOrganization(name: string): Promise<string>;
}

/** The parts of an app that a test can replace. */
export interface StoreAppOptions {
  readonly options?: Partial<SessionOptions>;
  /** The connections of the two processes to the database. Default: a database in memory. */
  readonly connections?: readonly [DataAdapter, DataAdapter];
  /** Wraps the store. */
  readonly wrap?: (store: SessionStore) => SessionStore;
  /** The service's connections to other servers. */
  readonly network?: TestOptions["network"];
  /** Wraps the function that sends the app's requests to the service. */
  readonly send?: (send: TestPostern["postern"]["fetch"]) => TestPostern["postern"]["fetch"];
}

/**
 * Responds with the signed-in user. At `/token`, also with the access token for the organization and the API in the
 * query, or with the code of the error.
 */
export const storePages =
  (sessions: Sessions): RequestHandler =>
  async (request) => {
    const own = await sessions.handle(request);
    if (own !== undefined) return own;
    const lines: string[] = [];
    const exchange = { url: request.url, headers: request.headers, setCookie: (line: string) => void lines.push(line) };
    const { pathname, searchParams } = new URL(request.url);
    const body = pathname === "/token" ? await tokenOf(sessions, exchange, searchParams) : await userOf(sessions, exchange);
    const response = Response.json(body);
    for (const line of lines) response.headers.append("set-cookie", line);
    return response;
  };

async function userOf(sessions: Sessions, exchange: Parameters<Sessions["getSession"]>[0]): Promise<object> {
  return { email: (await sessions.getSession(exchange))?.user.email ?? null };
}

async function tokenOf(sessions: Sessions, exchange: Parameters<Sessions["getSession"]>[0], query: URLSearchParams): Promise<object> {
  const [audience, organization] = [query.get("audience"), query.get("organization")];
  const options = { ...(audience !== null && { audience }), ...(organization !== null && { organization }) };
  try {
    return { token: (await sessions.getAccessToken(exchange, options)) ?? null };
  } catch (error) {
    if (error instanceof Error && error.name === "AccessTokenError" && "code" in error) return { error: error.code };
    throw error;
  }
}

/** Opens an {@link AppWithStore}, with a client that allows organizations. */
export async function openStoreApp({
  options = {},
  connections,
  network,
  wrap = (store) => store,
  send = (fetch) => fetch,
}: StoreAppOptions = {}): Promise<AppWithStore> {
  const inMemory = createMemoryAdapter({ strict: true });
  const [data, secondData] = connections ?? [inMemory, inMemory];
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const now = (): number => clock.now();
  const store = appSessions(data, { now });
  const requests: string[] = [];
  let second: RequestHandler | undefined;
  let sessions: Sessions | undefined;
  const opened = await openApp(
    {},
    () => async (request) => {
      const first = sessions && storePages(sessions);
      const handle = request.headers.get("x-process") === "2" ? second : first;
      return handle?.(request) ?? new Response("no such process", { status: 500 });
    },
    { data, testing: { clock }, ...(network && { network }) },
  );
  const { service, client } = opened;
  const open = ({ postern }: Pick<TestPostern, "postern">, usedStore: SessionStore): Sessions => {
    const fetch = send(postern.fetch);
    return createSessions({
      postern: {
        issuer: postern.issuer,
        tenant: postern.tenant,
        fetch: (request, extra) => {
          requests.push(new URL(request.url).pathname);
          return fetch(request, extra);
        },
      },
      tenantId: "main",
      clientId: client.clientId,
      clientSecret,
      appUrl,
      secret,
      now,
      store: wrap(usedStore),
      ...options,
    });
  };
  sessions = open(service, store);
  await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, { organization_usage: "allow" });
  return {
    ...opened,
    sessions,
    data,
    store,
    clock,
    requests,
    async openSecondProcess() {
      const otherService = await createTestPostern({ data: secondData, testing: { clock }, crypto: { hasher: fakeHasher } });
      const other = open(otherService, appSessions(secondData, { now }));
      second = storePages(other);
      return other;
    },
    async createOrganization(name) {
      const organizations = organizationsBy(service.manage);
      const id = await organizations.create(name);
      await organizations.addMembers(id, service.ada);
      return id;
    },
  };
}

/** Returns the value of the session cookie. */
export function appSessionCookie({ cookies }: AppBrowser): string {
  return cookies.get("__Host-app_session.0") ?? "";
}

/** Returns a browser with the cookies of another one, such as those that a thief copied. */
export function copyOf(app: AppWithSessions, browser: AppBrowser): AppBrowser {
  const copy = app.openBrowser();
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  return copy;
}

/** Returns the JSON of a page. */
export async function readPage(browser: AppBrowser, path: string, process = 1): Promise<{ readonly [name: string]: unknown }> {
  const response = await browser.send(path, { headers: { "x-process": String(process) } });
  return (await response.json()) as { readonly [name: string]: unknown };
}
