import { createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express5, { type ErrorRequestHandler } from "express";
import express4 from "express-4";
import { afterEach, describe, expect, test, vi } from "vitest";
import { toExpressHandler, toNodeHandler } from "../src/index.ts";
import { createPostern, type LogEntry, type PosternHandler } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";

const globals = [globalThis.Request, globalThis.Response];

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
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
    const body = await request.text();
    const headers = new Headers([
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2; Path=/"],
    ]);
    const seen = { method: request.method, path: pathname + search, type: request.headers.get("content-type"), body, ...extra };
    return Response.json(
      {
        ...seen,
        length: request.headers.get("content-length"),
        many: request.headers.get("x-many"),
        encoding: request.headers.get("content-encoding"),
      },
      { headers },
    );
  },
});

const form = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1&b=x%20y&b=z&c%5Bd%5D=%2B" };
const json = { method: "PATCH", headers: { "content-type": "application/json" }, body: '{"a":[1,{"b":"ü"}]}' };

/** The ways to mount the handler. Postern must receive the same request from each of them. */
const mountsOf = (express: typeof express5): Readonly<Record<string, (service: PosternHandler) => RequestListener>> => ({
  "node:http": (service) => toNodeHandler(service),
  "Express, no parsers": (service) => express().use(toExpressHandler(service)),
  "Express, before parsers": (service) => express().use(toExpressHandler(service), express.json(), express.urlencoded({ extended: false })),
  "Express, after parsers": (service) => express().use(express.json(), express.urlencoded({ extended: true }), toExpressHandler(service)),
  "Express, after the parsers for text and bytes": (service) =>
    express().use(express.text({ type: "application/json" }), express.raw({ type: "*/*" }), toExpressHandler(service)),
  "Express, under a path": (service) => express().use("/auth", toExpressHandler(service)),
  "Express, under a path, after parsers": (service) =>
    express()
      .use(express.json(), express.urlencoded({ extended: true }))
      .use("/auth", toExpressHandler(service)),
  "Express, in a router": (service) => express().use("/auth", express.Router().use("/oauth", toExpressHandler(service))),
});

/** The types of Express 4 differ, mostly for paths. The parts that the tests use are the same. */
const versions: Readonly<Record<string, typeof express5>> = { "Express 4": express4 as unknown as typeof express5, "Express 5": express5 };

describe.for(Object.entries(versions))("%s", ([, express]) => {
  describe.for(Object.entries(mountsOf(express)))("%s", ([, mount]) => {
    test("passes the URL, the client address and an empty body", async () => {
      const url = await listen(mount(mirror()));
      const response = await fetch(`${url}/auth/oauth/x%7Cy?q=%20a&q=b`);
      expect(await response.json()).toMatchObject({
        method: "GET",
        path: "/auth/oauth/x%7Cy?q=%20a&q=b",
        body: "",
        clientAddress: "127.0.0.1",
      });
      expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
    });

    test("passes a form with a repeated and a nested field", async () => {
      const url = await listen(mount(mirror()));
      const seen = (await (await fetch(`${url}/auth/oauth/token`, form)).json()) as { body: string };
      expect([...new URLSearchParams(seen.body)]).toEqual([...new URLSearchParams(form.body)]);
      expect(seen).toMatchObject({ method: "POST", path: "/auth/oauth/token", type: "application/x-www-form-urlencoded" });
    });

    test("passes a JSON body", async () => {
      const url = await listen(mount(mirror()));
      const seen = await (await fetch(`${url}/auth/oauth/users`, json)).json();
      expect(seen).toMatchObject({ method: "PATCH", body: json.body, type: "application/json" });
    });

    test("passes all values of a header that is sent several times", async () => {
      const url = await listen(mount(mirror()));
      const seen = await new Promise<string>((resolve, reject) => {
        const sent = httpRequest(
          `${url}/auth/oauth/x`,
          { headers: ["Host", "a.example.test", "X-Many", "one", "X-Many", "two"] },
          (response) => {
            let text = "";
            response.on("data", (chunk) => (text += String(chunk))).on("end", () => resolve(text));
          },
        );
        sent.on("error", reject).end();
      });
      expect(JSON.parse(seen)).toMatchObject({ many: "one, two" });
    });
  });

  test("passes a body of 2 MB, and does not hang if the body is not read", async () => {
    const big = "x".repeat(2 * 1024 * 1024);
    const reads = await listen(express().use(toExpressHandler(mirror())));
    const seen = (await (await fetch(`${reads}/`, { method: "POST", body: big })).json()) as { body: string };
    expect(seen.body.length).toBe(big.length);

    const rejecting = await listen(
      express().use(toExpressHandler({ issuer: "http://localhost/", fetch: async () => new Response("too large", { status: 413 }) })),
    );
    for (let round = 0; round < 3; round++) {
      const response = await fetch(`${rejecting}/`, { method: "POST", body: big });
      expect([response.status, await response.text()]).toEqual([413, "too large"]);
    }
  });

  test("aborts the request's signal when the client disconnects, and serves the next request", async () => {
    const aborted = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const service: PosternHandler = {
      issuer: "http://localhost/",
      fetch: async (request) => {
        if (request.method === "GET") return new Response("still running");
        request.signal.addEventListener("abort", () => aborted.resolve());
        began.resolve();
        await aborted.promise;
        return new Response("unread");
      },
    };
    const url = await listen(express().use(express.json(), toExpressHandler(service)));
    const leave = new AbortController();
    const sent = fetch(url, { ...json, signal: leave.signal });
    await began.promise;
    leave.abort();
    await expect(sent).rejects.toThrow();
    await aborted.promise;
    expect(await (await fetch(url)).text()).toBe("still running");
  });

  test("removes the content encoding of a body that a parser decompressed", async () => {
    const url = await listen(express().use(express.json(), toExpressHandler(mirror())));
    const packed = await new Response(new Blob([json.body]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const response = await fetch(url, { ...json, body: packed, headers: { ...json.headers, "content-encoding": "gzip" } });
    expect(await response.json()).toMatchObject({ body: json.body, length: null, encoding: null });
  });

  test("passes requests outside the issuer's path to the next handler with their URL unchanged", async () => {
    const service = mirror("https://example.test/auth/");
    const app = express().use(toExpressHandler(service));
    app.get("/authors", (request, response) => void response.send(`own ${request.url}`));
    const url = await listen(app);
    expect(await (await fetch(`${url}/authors`)).text()).toBe("own /authors");
    expect(await (await fetch(`${url}/auth/x`)).json()).toMatchObject({ path: "/auth/x" });
  });

  test("passes the issuer's path without its final slash to a handler that serves it, and otherwise to the next handler", async () => {
    const answers = async (servesPathWithoutSlash: boolean): Promise<readonly string[]> => {
      const service = { ...mirror("https://example.test/auth/"), servesPathWithoutSlash };
      const app = express().use(toExpressHandler(service), (_request, response) => void response.send("own"));
      const url = await listen(app);
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
    const url = await listen(express().use("/login", toExpressHandler(postern)));
    expect((await fetch(`${url}/login/authorize?a=1`)).status).toBe(404);
    await vi.waitFor(() =>
      expect(entries).toMatchObject([{ event: "setup", option: "issuer", seen: expect.stringContaining("'/login/authorize'") }]),
    );
  });

  test("passes internal errors, and no other errors, to the error handler", async () => {
    const faults: unknown[] = [];
    const app = express().use(
      "/auth",
      toExpressHandler({
        issuer: "http://localhost/",
        fetch: async (request) => {
          if (request.url.endsWith("fault")) throw new Error("broken");
          return new Response("no", { status: 500 });
        },
      }),
    );
    app.use(((error: Error, request, response, _next) => {
      faults.push([error.message, request.url]);
      response.status(502).send("handled by the app");
    }) satisfies ErrorRequestHandler);
    const url = await listen(app);
    expect((await fetch(`${url}/auth/answer`)).status).toBe(500);
    expect(faults).toEqual([]);
    const response = await fetch(`${url}/auth/fault`);
    expect([response.status, await response.text()]).toEqual([502, "handled by the app"]);
    expect(faults).toEqual([["broken", "/auth/fault"]]);
  });
});

test("toNodeHandler responds with 500 to an internal error and with 400 to an invalid Host", async () => {
  const url = await listen(toNodeHandler({ issuer: "http://localhost/", fetch: () => Promise.reject(new Error("broken")) }));
  expect((await fetch(url)).status).toBe(500);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    httpRequest(url, { headers: { host: "a b" } }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(status).toBe(400);
});

test("does not replace the global Request and Response", async () => {
  const url = await listen(express5().use(toExpressHandler(mirror())));
  await fetch(url);
  expect(globalThis.Request).toBe(globals[0]);
  expect(globalThis.Response).toBe(globals[1]);
});

test("the type of the handler is accepted by both versions", () => {
  expect(typeof express4().use("/auth", toExpressHandler(mirror()))).toBe("function");
  expect(typeof express5().use("/auth", toExpressHandler(mirror()))).toBe("function");
});
