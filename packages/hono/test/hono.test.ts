import { request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toHonoHandler } from "../src/index.ts";
import { createPostern, type LogEntry, type PosternHandler } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(app: Hono): Promise<string> {
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  closers.push(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Returns a Postern that responds with a description of the request that it receives. */
const mirror = (issuer = "http://localhost:3000/"): PosternHandler => ({
  issuer,
  fetch: async (request, extra = {}) => {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers([
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2; Path=/"],
    ]);
    const seen = { method: request.method, path: pathname + search, type: request.headers.get("content-type"), body: await request.text() };
    return Response.json({ ...seen, many: request.headers.get("x-many"), ...extra }, { headers });
  },
});

const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1&b=x%20y&b=z" };
const json = { method: "PATCH", headers: { "content-type": "application/json" }, body: '{"a":[1,{"b":"ü"}]}' };

/** Returns middleware of a host application, which reads the body before the handler. */
const reading =
  (read: "json" | "formData" | "text" | "arrayBuffer"): MiddlewareHandler =>
  async ({ req }, next) => {
    const isForm = req.header("content-type") === form.headers["content-type"];
    if (read === "text" || read === "arrayBuffer") await req[read]();
    else if (isForm) await (read === "json" ? req.parseBody() : req.formData());
    else if (req.method === "PATCH") await req.json();
    await next();
  };

const mounts: Readonly<Record<string, (service: PosternHandler) => Hono>> = {
  "app.all at the root": (service) => new Hono().all("*", toHonoHandler(service)),
  "app.all under a path": (service) => new Hono().all("/auth/*", toHonoHandler(service)),
  "app.use": (service) => new Hono().use(toHonoHandler(service)),
  "app.route": (service) => new Hono().route("/auth", new Hono().all("*", toHonoHandler(service))),
  "after parsers": (service) => new Hono().use(reading("json")).all("*", toHonoHandler(service)),
  "after middleware that read a form": (service) => new Hono().use(reading("formData")).all("*", toHonoHandler(service)),
  "after middleware that read text": (service) => new Hono().use(reading("text")).all("*", toHonoHandler(service)),
  "after middleware that read bytes": (service) => new Hono().use(reading("arrayBuffer")).all("*", toHonoHandler(service)),
};

describe.for(Object.entries(mounts))("%s", ([, mount]) => {
  test("passes the URL, the client address and several cookies", async () => {
    const url = await listen(mount(mirror()));
    const response = await fetch(`${url}/auth/x%7Cy?q=%20a&q=b`);
    expect(await response.json()).toMatchObject({ method: "GET", path: "/auth/x%7Cy?q=%20a&q=b", body: "", clientAddress: "127.0.0.1" });
    expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
  });

  test("passes a form with a repeated field, and JSON", async () => {
    const url = await listen(mount(mirror()));
    const seen = (await (await fetch(`${url}/auth/oauth/token`, form)).json()) as { body: string };
    expect([...new URLSearchParams(seen.body)]).toEqual([...new URLSearchParams(form.body)]);
    expect(seen).toMatchObject({ method: "POST", type: form.headers["content-type"] });
    expect(await (await fetch(`${url}/auth/users`, json)).json()).toMatchObject({ method: "PATCH", body: json.body });
  });

  test("passes all values of a header that is sent several times", async () => {
    const url = await listen(mount(mirror()));
    const seen = await new Promise<string>((resolve, reject) => {
      const sent = httpRequest(`${url}/auth/x`, { headers: ["Host", "a.example.test", "X-Many", "one", "X-Many", "two"] }, (response) => {
        let text = "";
        response.on("data", (chunk) => (text += String(chunk))).on("end", () => resolve(text));
      });
      sent.on("error", reject).end();
    });
    expect(JSON.parse(seen)).toMatchObject({ many: "one, two" });
  });

  test("passes a body of 2 MB", async () => {
    const url = await listen(mount(mirror()));
    const body = "x".repeat(2 * 1024 * 1024);
    const seen = (await (await fetch(`${url}/auth/big`, { method: "POST", body })).json()) as { body: string };
    expect(seen.body.length).toBe(body.length);
  });
});

test("works with app.mount if replaceRequest is false", async () => {
  const app = new Hono();
  app.mount("/auth", (request: Request) => mirror().fetch(request), { replaceRequest: false });
  const url = await listen(app);
  expect(await (await fetch(`${url}/auth/x`)).json()).toMatchObject({ path: "/auth/x" });
});

test("passes requests outside the issuer's path to the next handler", async () => {
  const app = new Hono().use(toHonoHandler(mirror("https://example.test/auth/"))).get("/authors", (context) => context.text("own"));
  const url = await listen(app);
  expect(await (await fetch(`${url}/authors`)).text()).toBe("own");
  expect(await (await fetch(`${url}/auth/x`)).json()).toMatchObject({ path: "/auth/x" });
});

test("passes the issuer's path without its final slash to a handler that serves it, and otherwise to the next handler", async () => {
  const answers = async (servesPathWithoutSlash: boolean): Promise<readonly string[]> => {
    const service = { ...mirror("https://example.test/auth/"), servesPathWithoutSlash };
    const url = await listen(new Hono().use(toHonoHandler(service)).get("*", (context) => context.text("own")));
    return Promise.all(["/auth?a=1", "/aut", "/authx"].map(async (path) => (await fetch(url + path)).text()));
  };
  expect(await answers(false)).toEqual(["own", "own", "own"]);
  expect(await answers(true)).toEqual([expect.stringContaining('"/auth?a=1"'), "own", "own"]);
});

test("logs a handler that is mounted on a wrong path", async () => {
  const entries: LogEntry[] = [];
  const logger = { log: (entry: LogEntry) => void entries.push(entry) };
  const crypto = { secret: "0f8a6c1e-7b64-4d0e-9a53-5d2f8c1b7e90" };
  const postern = createPostern({ issuer: "https://example.test/auth/", data: createMemoryAdapter(), crypto, logger });
  const url = await listen(new Hono().all("/login/*", toHonoHandler(postern)));
  expect((await fetch(`${url}/login/authorize?a=1`)).status).toBe(404);
  await vi.waitFor(() =>
    expect(entries).toMatchObject([{ event: "setup", option: "issuer", seen: expect.stringContaining("'/login/authorize'") }]),
  );
});

test("explains the error for a body that was read through c.req.raw", async () => {
  const app = new Hono().use(async ({ req }, next) => {
    await req.raw.text();
    await next();
  });
  app.all("*", toHonoHandler(mirror()));
  app.onError((error, context) => context.text(error.message, 500));
  const url = await listen(app);
  expect(await (await fetch(url, form)).text()).toContain("mount Postern first");
});

test("aborts the request's signal when the client disconnects", async () => {
  const began = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const service: PosternHandler = {
    issuer: "http://localhost/",
    fetch: async (request) => {
      request.signal.addEventListener("abort", () => aborted.resolve());
      began.resolve();
      await aborted.promise;
      return new Response("unread");
    },
  };
  const url = await listen(new Hono().use(reading("json")).all("*", toHonoHandler(service)));
  const leave = new AbortController();
  const sent = fetch(url, { ...json, signal: leave.signal });
  await began.promise;
  leave.abort();
  await expect(sent).rejects.toThrow();
  await aborted.promise;
});

test("reads the client address from the server of each runtime, or from the clientAddress option", async () => {
  const app = new Hono().all("*", toHonoHandler(mirror()));
  const seen = async (env: object | undefined) => (await (await app.request("/x", {}, env)).json()) as { clientAddress?: string };
  expect(await seen({ remoteAddr: { hostname: "192.0.2.1" } })).toMatchObject({ clientAddress: "192.0.2.1" });
  expect(await seen({ requestIP: () => ({ address: "192.0.2.2" }) })).toMatchObject({ clientAddress: "192.0.2.2" });
  expect(await seen({ server: { requestIP: () => ({ address: "192.0.2.3" }) } })).toMatchObject({ clientAddress: "192.0.2.3" });
  expect(await seen(undefined)).not.toHaveProperty("clientAddress");

  const named = new Hono().all("*", toHonoHandler(mirror(), { clientAddress: ({ req }) => req.header("cf-connecting-ip") }));
  const response = await named.request("/x", { headers: { "cf-connecting-ip": "192.0.2.4" } });
  expect(await response.json()).toMatchObject({ clientAddress: "192.0.2.4" });
});

test("passes work that continues after the response to the platform's waitUntil, if the platform has one", async () => {
  const pendingWork: Promise<unknown>[] = [];
  const mailing: PosternHandler = {
    issuer: "http://localhost:3000/",
    fetch: async (_request, { waitUntil } = {}) => {
      waitUntil?.(Promise.resolve("sent"));
      return new Response();
    },
  };
  const app = new Hono().all("*", toHonoHandler(mailing));
  const platform = { waitUntil: (work: Promise<unknown>) => void pendingWork.push(work), passThroughOnException: () => {}, props: {} };
  await app.request("/x", {}, {}, platform);
  expect(await Promise.all(pendingWork)).toEqual(["sent"]);
  expect((await app.request("/x")).status).toBe(200);
});
