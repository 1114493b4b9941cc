import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const issuer = "http://localhost:3000/";
const user = { connection: "Username-Password-Authentication", email: "ada@example.test", password: "Correct-horse-battery-1" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-custom-"));
  vi.stubEnv("DATA_FILE", join(folder, "data/postern.log"));
  vi.stubEnv("PORT", "0");
  vi.stubEnv("ISSUER", issuer);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

/** Starts the example in the same way as a new process, runs a function, and stops the example. */
async function withRunningExample<T>(run: (call: Call) => Promise<T>): Promise<T> {
  vi.resetModules();
  const { server } = await import("./standalone.ts");
  if (!server.listening) await once(server, "listening");
  // The address of a server that listens on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  try {
    return await run(await openApi(`http://127.0.0.1:${port}/`));
  } finally {
    const closed = once(server, "close");
    server.close().closeAllConnections();
    await closed;
  }
}

/** Requests a token. @returns a function that calls the API with it. */
async function openApi(url: string): Promise<Call> {
  const form = {
    grant_type: "client_credentials",
    client_id: "backend",
    client_secret: "for-development-only",
    audience: `${issuer}api/v2/`,
  };
  const response = await fetch(`${url}oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const { access_token } = (await response.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  return async (method, path, body) => (await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json();
}

test("Postern runs on the adapter, and a second process reads the data that the first one stored", async () => {
  const known = expect.objectContaining({ email: user.email }) as object;
  const keys = await withRunningExample(async (call) => {
    expect(await call("POST", "api/v2/users", user)).toEqual(known);
    return call("GET", ".well-known/jwks.json");
  });
  await withRunningExample(async (call) => {
    expect(await call("GET", "api/v2/users")).toEqual([known]);
    expect(await call("GET", ".well-known/jwks.json")).toEqual(keys);
  });
});
