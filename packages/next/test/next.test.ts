import { afterEach, expect, test, vi } from "vitest";
import { toNextHandlers } from "../src/index.ts";
import type { PosternHandler } from "@postern/core";

// Next.js calls a route handler with a Request and sends the returned Response, so the handlers are tested as plain
// functions. Next.js itself would add a third of a gigabyte to every checkout. In test/servers/next.test.ts, Next.js
// builds and serves the handlers.

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const issuer = "http://localhost:3000/";

/** A Postern that responds with a description of the request that it receives. */
const mirror: PosternHandler = {
  issuer,
  fetch: async (request, extra = {}) =>
    Response.json(
      { method: request.method, url: request.url, body: await request.text(), many: request.headers.get("x-many"), ...extra },
      {
        headers: [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ],
      },
    ),
};

test("returns a handler for every method that Next.js supports", async () => {
  const handlers = toNextHandlers(mirror);
  expect(Object.keys(handlers).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  for (const [method, handle] of Object.entries(handlers)) {
    const response = await handle(new Request("https://example.test/auth/x?q=1", { method, headers: { "x-many": "one, two" } }));
    expect(await response.json()).toEqual({ method, url: "https://example.test/auth/x?q=1", body: "", many: "one, two" });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  }
});

test("passes the requested host, not the address that Next.js listens on", async () => {
  const { POST } = toNextHandlers(mirror);
  const seen = async (host: string) => {
    const request = new Request("http://localhost:3000/auth/x?q=1", { method: "POST", headers: { host }, body: "a=ü" });
    return (await (await POST(request)).json()) as object;
  };
  expect(await seen("login.example.test")).toMatchObject({ url: "http://login.example.test/auth/x?q=1", body: "a=ü" });
  expect(await seen("login.example.test:8443")).toMatchObject({ url: "http://login.example.test:8443/auth/x?q=1" });
  expect(await seen("localhost:3000")).toMatchObject({ url: "http://localhost:3000/auth/x?q=1" });
  expect(await seen("not a host")).toMatchObject({ url: "http://localhost:3000/auth/x?q=1", body: "a=ü" });
});

test("passes the requested path including the base path, which Next.js removes", async () => {
  const { POST } = toNextHandlers(mirror, { basePath: "/shop/eu" });
  const request = new Request("http://localhost:3000/auth/x?q=1", { method: "POST", headers: { host: "example.test" }, body: "a" });
  expect(await (await POST(request)).json()).toMatchObject({ url: "http://example.test/shop/eu/auth/x?q=1", body: "a" });
  for (const basePath of ["shop", "/shop/", "/", "/a?b"]) {
    const { GET } = toNextHandlers(mirror, { basePath });
    await expect(GET(new Request("http://localhost:3000/auth/x"))).rejects.toThrow(/'basePath' must be the value in next\.config/);
  }
});

test("passes a body of 2 MB, and aborts the request's signal when the client disconnects", async () => {
  const { POST } = toNextHandlers(mirror);
  const body = "x".repeat(2 * 1024 * 1024);
  const response = await POST(new Request("http://localhost:3000/x", { method: "POST", headers: { host: "example.test" }, body }));
  expect(((await response.json()) as { body: string }).body.length).toBe(body.length);

  const leave = new AbortController();
  const began = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const slow = toNextHandlers({
    issuer,
    fetch: async ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve());
      began.resolve();
      await aborted.promise;
      return new Response();
    },
  });
  const pending = slow.GET(new Request("http://localhost:3000/x", { headers: { host: "example.test" }, signal: leave.signal }));
  await began.promise;
  leave.abort();
  expect((await pending).status).toBe(200);
});

test("passes a client address only if the host application returns one", async () => {
  const { GET } = toNextHandlers(mirror);
  const request = () => new Request("http://example.test/", { headers: { "x-real-ip": "192.0.2.1" } });
  expect(await (await GET(request())).json()).not.toHaveProperty("clientAddress");
  const named = toNextHandlers(mirror, { clientAddress: ({ headers }) => headers.get("x-real-ip") ?? undefined });
  expect(await (await named.GET(request())).json()).toMatchObject({ clientAddress: "192.0.2.1" });
});

test("passes work that continues after the response to waitUntil", async () => {
  const pendingWork: Promise<unknown>[] = [];
  const mailing: PosternHandler = {
    issuer,
    fetch: async (_request, { waitUntil } = {}) => {
      waitUntil?.(Promise.resolve("sent"));
      return new Response();
    },
  };
  await toNextHandlers(mailing, { waitUntil: (work) => void pendingWork.push(work) }).GET(new Request("http://example.test/"));
  expect(await Promise.all(pendingWork)).toEqual(["sent"]);
  expect((await toNextHandlers(mailing).GET(new Request("http://example.test/"))).status).toBe(200);
});

const get = (path = "/auth/x"): Request => new Request(`http://example.test${path}`, { headers: { host: "example.test" } });

test("calls openPostern on the first request, and only once for all requests and routes", async () => {
  let opened = 0;
  const open = async (): Promise<PosternHandler> => {
    opened++;
    await Promise.resolve();
    return { issuer, fetch: async () => new Response(`service ${opened}`) };
  };
  const [one, other] = [toNextHandlers(open), toNextHandlers(open)];
  expect(opened).toBe(0);
  const responses = await Promise.all([one.GET(get()), one.POST(get()), other.GET(get()), one.GET(get())]);
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array.from(responses, () => "service 1"));
  expect(await (await other.GET(get())).text()).toBe("service 1");
});

test("fails the request if openPostern fails, and calls openPostern again on the next request", async () => {
  let tries = 0;
  const { GET } = toNextHandlers(async () => {
    tries++;
    if (tries === 1) throw new Error("the database is not available yet");
    return mirror;
  });
  const both = await Promise.allSettled([GET(get()), GET(get())]);
  expect(both.map((response) => response.status === "rejected" && String(response.reason))).toEqual(
    Array.from(both, () => "Error: the database is not available yet"),
  );
  expect([(await GET(get())).status, tries]).toEqual([200, 2]);
  expect([(await GET(get())).status, tries]).toEqual([200, 2]);
});

test("a function that throws synchronously fails the request, not the process", async () => {
  const { GET } = toNextHandlers(() => {
    throw new Error("no secret");
  });
  await expect(GET(get())).rejects.toThrow("no secret");
});

test("accepts a promise of a service, and a rejected promise fails requests but not the process", async () => {
  const { GET } = toNextHandlers(Promise.resolve(mirror));
  expect((await GET(get())).status).toBe(200);
  const failing = toNextHandlers(Promise.reject(new Error("no database")));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(failing.GET(get())).rejects.toThrow("no database");
});

test("in `next dev`, the service survives a module reload until its function changes", async () => {
  vi.stubEnv("NODE_ENV", "development");
  let opened = 0;
  const load = async () => {
    vi.resetModules();
    return (await import("../src/index.ts")).toNextHandlers;
  };
  const open = () => () => ({ issuer, fetch: async () => new Response(String(++opened)) });
  const before = (await load())(open());
  const after = (await load())(open());
  await before.GET(get());
  expect(await (await after.GET(get())).text()).toBe("2");

  const edited = (await load())(() => ({ issuer, fetch: async () => new Response("edited") }));
  expect(await (await edited.GET(get())).text()).toBe("edited");
});

test("opens two services for two functions with the same text in production", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const named = (name: string) => toNextHandlers(() => ({ issuer, fetch: async () => new Response(name) }));
  const [one, two] = [named("one"), named("two")];
  expect(await (await one.GET(get())).text()).toBe("one");
  expect(await (await two.GET(get())).text()).toBe("two");
});

test("does not open the service when Next.js stops prerendering at the first access to the request", async () => {
  let opened = 0;
  const { GET } = toNextHandlers(() => {
    opened++;
    return mirror;
  });
  const prerendered = new Proxy(get(), {
    get: () => {
      throw new Error("this route is not static");
    },
  });
  await expect(GET(prerendered)).rejects.toThrow("this route is not static");
  expect(opened).toBe(0);
});
