import { afterEach, expect, test, vi } from "vitest";
import { toNextHandlers } from "../src/index.ts";
import type { PosternHandler } from "@postern/core";

// Next.js calls a route handler with a Request and sends the Response that it returns. So the handlers are tested as the functions that they are;
// Next.js itself, which would add a third of a gigabyte to every checkout, builds and serves them in test/servers/next.test.ts.

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const issuer = "http://localhost:3000/";

/** Says what reached it. */
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

test("there is a handler for every method that Next.js knows", async () => {
  const handlers = toNextHandlers(mirror);
  expect(Object.keys(handlers).sort()).toEqual(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);
  for (const [method, handle] of Object.entries(handlers)) {
    const response = await handle(new Request("https://example.test/auth/x?q=1", { method, headers: { "x-many": "one, two" } }));
    expect(await response.json()).toEqual({ method, url: "https://example.test/auth/x?q=1", body: "", many: "one, two" });
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  }
});

test("the host that was asked for, where Next.js names the one it listens on", async () => {
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

test("the path that was asked for, where the app has a base path, which Next.js takes off", async () => {
  const { POST } = toNextHandlers(mirror, { basePath: "/shop/eu" });
  const request = new Request("http://localhost:3000/auth/x?q=1", { method: "POST", headers: { host: "example.test" }, body: "a" });
  expect(await (await POST(request)).json()).toMatchObject({ url: "http://example.test/shop/eu/auth/x?q=1", body: "a" });
  for (const basePath of ["shop", "/shop/", "/", "/a?b"]) {
    const { GET } = toNextHandlers(mirror, { basePath });
    await expect(GET(new Request("http://localhost:3000/auth/x"))).rejects.toThrow(/'basePath' must be as in next\.config\.ts/);
  }
});

test("2 MB, and a client that leaves", async () => {
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
  const answer = slow.GET(new Request("http://localhost:3000/x", { headers: { host: "example.test" }, signal: leave.signal }));
  await began.promise;
  leave.abort();
  expect((await answer).status).toBe(200);
});

test("the client's address comes from the host alone", async () => {
  const { GET } = toNextHandlers(mirror);
  const request = () => new Request("http://example.test/", { headers: { "x-real-ip": "192.0.2.1" } });
  expect(await (await GET(request())).json()).not.toHaveProperty("clientAddress");
  const named = toNextHandlers(mirror, { clientAddress: ({ headers }) => headers.get("x-real-ip") ?? undefined });
  expect(await (await named.GET(request())).json()).toMatchObject({ clientAddress: "192.0.2.1" });
});

test("what goes on after an answer is told to what keeps the platform awake", async () => {
  const works: Promise<unknown>[] = [];
  const mailing: PosternHandler = {
    issuer,
    fetch: async (_request, { waitUntil } = {}) => {
      waitUntil?.(Promise.resolve("sent"));
      return new Response();
    },
  };
  await toNextHandlers(mailing, { waitUntil: (work) => void works.push(work) }).GET(new Request("http://example.test/"));
  expect(await Promise.all(works)).toEqual(["sent"]);
  expect((await toNextHandlers(mailing).GET(new Request("http://example.test/"))).status).toBe(200);
});

const get = (path = "/auth/x"): Request => new Request(`http://example.test${path}`, { headers: { host: "example.test" } });

test("a function is called by the first request, and once, however many come and however many routes share it", async () => {
  let opened = 0;
  const open = async (): Promise<PosternHandler> => {
    opened++;
    await Promise.resolve();
    return { issuer, fetch: async () => new Response(`service ${opened}`) };
  };
  const [one, other] = [toNextHandlers(open), toNextHandlers(open)];
  expect(opened).toBe(0);
  const answers = await Promise.all([one.GET(get()), one.POST(get()), other.GET(get()), one.GET(get())]);
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array.from(answers, () => "service 1"));
  expect(await (await other.GET(get())).text()).toBe("service 1");
});

test("where a function fails, the request fails with its error and the next one calls it again", async () => {
  let tries = 0;
  const { GET } = toNextHandlers(async () => {
    tries++;
    if (tries === 1) throw new Error("the database is not there yet");
    return mirror;
  });
  const both = await Promise.allSettled([GET(get()), GET(get())]);
  expect(both.map((answer) => answer.status === "rejected" && String(answer.reason))).toEqual(
    Array.from(both, () => "Error: the database is not there yet"),
  );
  expect([(await GET(get())).status, tries]).toEqual([200, 2]);
  expect([(await GET(get())).status, tries]).toEqual([200, 2]);
});

test("a function that throws at once fails the request and not the process", async () => {
  const { GET } = toNextHandlers(() => {
    throw new Error("no secret");
  });
  await expect(GET(get())).rejects.toThrow("no secret");
});

test("a promise is waited for, and its rejection is told to requests alone", async () => {
  const { GET } = toNextHandlers(Promise.resolve(mirror));
  expect((await GET(get())).status).toBe(200);
  const failing = toNextHandlers(Promise.reject(new Error("no database")));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(failing.GET(get())).rejects.toThrow("no database");
});

test("the service of `next dev` outlives a reload of the modules, until its function is another one", async () => {
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

test("two functions with the same text are two services in production", async () => {
  vi.stubEnv("NODE_ENV", "production");
  const named = (name: string) => toNextHandlers(() => ({ issuer, fetch: async () => new Response(name) }));
  const [one, two] = [named("one"), named("two")];
  expect(await (await one.GET(get())).text()).toBe("one");
  expect(await (await two.GET(get())).text()).toBe("two");
});

test("where Next.js stops at the first look at the request, because it only tries to render, nothing is opened", async () => {
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
