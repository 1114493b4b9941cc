import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createOutboundFetch } from "./network.ts";

const requested: string[] = [];
const handlers: { readonly [path: string]: RequestListener } = {
  "/echo": (request, response) => {
    void text(request).then((body) => {
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ method: request.method, agent: request.headers["user-agent"], body }));
    });
  },
  "/nothing": (_, response) => void response.writeHead(204).end(),
  "/redirect": (_, response) => void response.writeHead(302, { location: "/echo" }).end(),
  "/endless": (_, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      response.once("drain", more);
    };
    more();
  },
  "/silent": () => {},
};
const server = createServer((request, response) => {
  requested.push(request.url ?? "");
  handlers[request.url ?? ""]?.(request, response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const local = createOutboundFetch(["127.0.0.1", "::1"]);
const guarded = createOutboundFetch();
const at = (path: string, host = "127.0.0.1"): Request => new Request(`http://${host}:${port}${path}`);

describe("sends no request to a server whose IP address is not public", () => {
  test.each([
    ["loopback", `http://127.0.0.1:${port}/echo`],
    ["loopback in hexadecimal", `http://0x7f.1:${port}/echo`],
    ["loopback as one number", `http://2130706433:${port}/echo`],
    ["loopback in IPv6", `http://[::1]:${port}/echo`],
    ["loopback as IPv4-mapped IPv6", `http://[::ffff:127.0.0.1]:${port}/echo`],
    ["a host name that resolves to loopback", `http://localhost:${port}/echo`],
    ["the unspecified address", `http://0.0.0.0:${port}/echo`],
    ["a private network", "https://10.0.0.1/"],
    ["another private network", "https://192.168.1.1/"],
    ["the metadata service of a cloud", "http://169.254.169.254/latest/meta-data/"],
    ["link-local IPv6", "https://[fe80::1]/"],
    ["unique local IPv6", "https://[fd00::1]/"],
    ["carrier-grade NAT", "https://100.64.0.1/"],
    ["IPv4 translated to IPv6", "https://[64:ff9b::7f00:1]/"],
    ["multicast", "https://224.0.0.1/"],
  ])("%s", async (_, url) => {
    const before = requested.length;
    await expect(guarded(new Request(url))).rejects.toMatchObject({ name: "ForbiddenAddressError" });
    expect(requested.length).toBe(before);
  });

  test("unless the address is explicitly allowed", async () => {
    await expect(createOutboundFetch(["127.0.0.2"])(at("/echo"))).rejects.toThrow("is not public");
    expect((await local(at("/echo"))).status).toBe(201);
    expect((await createOutboundFetch(["127.0.0.0/8", "::1"])(at("/echo", "localhost"))).status).toBe(201);
  });
});

test("sends requests to public addresses only by https", async () => {
  await expect(guarded(new Request("http://192.0.32.7/"))).rejects.toThrow("must be requested by https");
  await expect(guarded(new Request("data:text/plain,x"))).rejects.toMatchObject({ name: "ForbiddenAddressError" });
});

test("sends method, headers and body, and returns status, headers and body", async () => {
  const response = await local(
    new Request(at("/echo"), { method: "POST", headers: { "user-agent": "Postern" }, body: new URLSearchParams({ a: "b" }) }),
  );
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
  expect(await response.json()).toEqual({ method: "POST", agent: "Postern", body: "a=b" });
  expect((await local(at("/nothing"))).status).toBe(204);
});

test("does not follow redirects", async () => {
  expect((await local(at("/redirect"))).status).toBe(302);
});

test("rejects when a response exceeds the maximum size or when the request is aborted", async () => {
  await expect(local(at("/endless"))).rejects.toThrow("longer than 1048576 bytes");
  const controller = new AbortController();
  const waiting = local(new Request(at("/silent"), { signal: controller.signal }));
  setTimeout(() => controller.abort(), 50);
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test("rejects if no server listens at the address", async () => {
  await expect(local(new Request("http://127.0.0.1:1/"))).rejects.toThrow("ECONNREFUSED");
});

describe.runIf(navigator.userAgent === "Cloudflare-Workers")("on Workers", () => {
  const respondWith = async (upstream: Response): Promise<Response> => {
    vi.stubGlobal("fetch", vi.fn<typeof fetch>().mockResolvedValue(upstream));
    onTestFinished(() => void vi.unstubAllGlobals());
    return guarded(new Request("https://provider.example/"));
  };

  test("calls fetch without following redirects", async () => {
    const response = await respondWith(new Response("here", { status: 302, headers: { location: "/there" } }));
    expect([response.status, response.headers.get("location"), await response.text()]).toEqual([302, "/there", "here"]);
    expect(fetch).toHaveBeenCalledWith(expect.anything(), { redirect: "manual" });
    expect((await respondWith(new Response(null, { status: 204 }))).body).toBeNull();
  });

  test("rejects when a response exceeds the maximum size", async () => {
    const chunk = new Uint8Array(65_536);
    const response = await respondWith(new Response(new ReadableStream({ pull: (body) => body.enqueue(chunk) })));
    await expect(response.text()).rejects.toThrow("longer than 1048576 bytes");
  });
});
