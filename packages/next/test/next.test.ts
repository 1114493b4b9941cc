import { expect, test } from "vitest";
import { toNextHandlers, type Service } from "../src/index.ts";

// Next.js calls a route handler with a Request and sends the Response that it returns: that is its whole contract here. So the handlers are tested as the
// functions that they are. Next.js itself would add 300 MB to every checkout and test nothing of ours but that export.

/** Says what reached it. */
const mirror: Service = {
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

test("2 MB, and a client that leaves", async () => {
  const { POST } = toNextHandlers(mirror);
  const body = "x".repeat(2 * 1024 * 1024);
  const response = await POST(new Request("http://localhost:3000/x", { method: "POST", headers: { host: "example.test" }, body }));
  expect(((await response.json()) as { body: string }).body.length).toBe(body.length);

  const leave = new AbortController();
  const began = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const slow = toNextHandlers({
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
