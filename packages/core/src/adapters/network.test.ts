import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createOutboundFetch } from "./network.ts";

const asked: string[] = [];
const answers: { readonly [path: string]: RequestListener } = {
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
  asked.push(request.url ?? "");
  answers[request.url ?? ""]?.(request, response);
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

describe("addresses that are not public are not asked", () => {
  test.each([
    ["of this machine", `http://127.0.0.1:${port}/echo`],
    ["of this machine, in other words", `http://0x7f.1:${port}/echo`],
    ["of this machine, as one number", `http://2130706433:${port}/echo`],
    ["of this machine, by IPv6", `http://[::1]:${port}/echo`],
    ["of this machine, as IPv4 inside IPv6", `http://[::ffff:127.0.0.1]:${port}/echo`],
    ["by a name that stands for this machine", `http://localhost:${port}/echo`],
    ["that stand for any", `http://0.0.0.0:${port}/echo`],
    ["of a private network", "https://10.0.0.1/"],
    ["of another private network", "https://192.168.1.1/"],
    ["of the metadata service of a cloud", "http://169.254.169.254/latest/meta-data/"],
    ["link-local, by IPv6", "https://[fe80::1]/"],
    ["unique local", "https://[fd00::1]/"],
    ["shared by carriers", "https://100.64.0.1/"],
    ["translated from IPv4", "https://[64:ff9b::7f00:1]/"],
    ["multicast", "https://224.0.0.1/"],
  ])("%s", async (_, url) => {
    const before = asked.length;
    await expect(guarded(new Request(url))).rejects.toMatchObject({ name: "ForbiddenAddressError" });
    expect(asked.length).toBe(before);
  });

  test("but for those that are allowed one by one", async () => {
    await expect(createOutboundFetch(["127.0.0.2"])(at("/echo"))).rejects.toThrow("is not public");
    expect((await local(at("/echo"))).status).toBe(201);
    expect((await createOutboundFetch(["127.0.0.0/8", "::1"])(at("/echo", "localhost"))).status).toBe(201);
  });
});

test("public addresses are asked by https alone", async () => {
  await expect(guarded(new Request("http://192.0.32.7/"))).rejects.toThrow("by https alone");
  await expect(guarded(new Request("data:text/plain,x"))).rejects.toMatchObject({ name: "ForbiddenAddressError" });
});

test("method, headers and body go there, and status, headers and body come back", async () => {
  const response = await local(
    new Request(at("/echo"), { method: "POST", headers: { "user-agent": "Postern" }, body: new URLSearchParams({ a: "b" }) }),
  );
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ["a=1", "b=2"]]);
  expect(await response.json()).toEqual({ method: "POST", agent: "Postern", body: "a=b" });
  expect((await local(at("/nothing"))).status).toBe(204);
});

test("redirects are not followed", async () => {
  expect((await local(at("/redirect"))).status).toBe(302);
});

test("what never ends is cut off, and what is given up on ends", async () => {
  await expect(local(at("/endless"))).rejects.toThrow("longer than 1048576 bytes");
  const giveUp = new AbortController();
  const waiting = local(new Request(at("/silent"), { signal: giveUp.signal }));
  setTimeout(() => giveUp.abort(), 50);
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test("a server that is not there is an error", async () => {
  await expect(local(new Request("http://127.0.0.1:1/"))).rejects.toThrow("ECONNREFUSED");
});

describe.runIf(navigator.userAgent === "Cloudflare-Workers")("on Workers", () => {
  const answeredBy = async (answer: Response): Promise<Response> => {
    vi.stubGlobal("fetch", vi.fn<typeof fetch>().mockResolvedValue(answer));
    onTestFinished(() => void vi.unstubAllGlobals());
    return guarded(new Request("https://provider.example/"));
  };

  test("fetch is asked, and follows no redirects", async () => {
    const response = await answeredBy(new Response("here", { status: 302, headers: { location: "/there" } }));
    expect([response.status, response.headers.get("location"), await response.text()]).toEqual([302, "/there", "here"]);
    expect(fetch).toHaveBeenCalledWith(expect.anything(), { redirect: "manual" });
    expect((await answeredBy(new Response(null, { status: 204 }))).body).toBeNull();
  });

  test("what never ends is cut off", async () => {
    const chunk = new Uint8Array(65_536);
    const response = await answeredBy(new Response(new ReadableStream({ pull: (body) => body.enqueue(chunk) })));
    await expect(response.text()).rejects.toThrow("longer than 1048576 bytes");
  });
});
