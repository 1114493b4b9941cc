import type { LogEntry } from "@postern/core";
import { expect, test } from "vitest";
import { createTestPostern, type TestOptions } from "../support/postern.ts";

/** A service at an address where nothing listens. */
const nowhere = "http://localhost:49151/";

async function logging(
  options: TestOptions,
): Promise<{ readonly found: () => readonly LogEntry[]; readonly get: (path: string) => Promise<Response> }> {
  const entries: LogEntry[] = [];
  const { postern } = await createTestPostern({ ...options, logger: { log: (entry) => entries.push(entry) } });
  return {
    found: () => entries.filter(({ event }) => event === "doctor"),
    get: (path) => postern.fetch(new Request(new URL(path, postern.issuer))),
  };
}

test("in development the doctor looks once, after the first answer, and logs what is wrong", async () => {
  const { found, get } = await logging({ development: true, issuer: nowhere });
  expect(found()).toEqual([]);
  await get(".well-known/openid-configuration");
  await expect.poll(found).not.toEqual([]);
  expect(found()).toContainEqual({
    level: "warn",
    event: "doctor",
    check: "connection",
    message: expect.stringContaining("does not answer"),
    cure: expect.any(String),
  });
  const before = found().length;
  await get(".well-known/openid-configuration");
  await get("no-such-page");
  expect(found()).toHaveLength(before);
});

test("a service that is closed meanwhile tells of nothing", async () => {
  const entries: LogEntry[] = [];
  const { postern } = await createTestPostern({ development: true, issuer: nowhere, logger: { log: (entry) => entries.push(entry) } });
  const answered = postern.fetch(new Request(`${nowhere}.well-known/openid-configuration`));
  await postern.close();
  await answered;
  await postern.doctor();
  expect(entries.filter(({ event }) => event === "doctor")).toEqual([]);
});

test("elsewhere it looks when it is asked, and errors lead nowhere", async () => {
  const { found, get } = await logging({ issuer: nowhere });
  await get(".well-known/openid-configuration");
  expect(await (await get("oauth/none")).json()).toEqual({ error: "not_found", error_description: expect.any(String) });
  expect(await (await get("authorize?client_id=none")).text()).not.toContain("docs/errors.md");
  expect(found()).toEqual([]);
});

test("in development errors say where they are explained", async () => {
  const { call, postern } = await createTestPostern({ development: true, issuer: nowhere });
  const page = "https://github.com/postern/postern/blob/main/docs/errors.md";
  const callback = "https://app.example.test/callback";
  const settings = { name: "App", app_type: "spa", callbacks: [callback] } as const;
  await postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings }] });

  const atToken = await call("POST", "/oauth/token", { body: { grant_type: "authorization_code", client_id: "app", code: "none" } });
  expect(atToken.body).toMatchObject({ error_uri: `${page}#at-the-token-endpoint` });

  // What a person sees: the description itself leads there.
  const drawn = await call("GET", "/authorize?client_id=none&response_type=code");
  expect(drawn.body).toContain(`<a href="${page}#at-the-authorization-endpoint">the client is unknown</a>`);

  const asked = new URLSearchParams({ client_id: "app", response_type: "code", redirect_uri: callback, scope: "openid" });
  const sentBack = await call("GET", `/authorize?${asked}`);
  expect(new URL(sentBack.headers.get("location") ?? "").searchParams.get("error_uri")).toBe(`${page}#at-the-authorization-endpoint`);

  // The Management API answers what the vendor's SDKs know.
  expect((await call("GET", "/api/v2/users")).body).not.toHaveProperty("error_uri");
});
