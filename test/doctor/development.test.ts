import type { LogEntry } from "@postern/core";
import { expect, test } from "vitest";
import { createTestPostern, type TestOptions } from "../support/postern.ts";

/** An issuer on a port on which no process listens. */
const unreachableIssuer = "http://localhost:49151/";

async function openWithLog(
  options: TestOptions,
): Promise<{ readonly doctorEntries: () => readonly LogEntry[]; readonly get: (path: string) => Promise<Response> }> {
  const entries: LogEntry[] = [];
  const { postern } = await createTestPostern({ ...options, logger: { log: (entry) => entries.push(entry) } });
  return {
    doctorEntries: () => entries.filter(({ event }) => event === "doctor"),
    get: (path) => postern.fetch(new Request(new URL(path, postern.issuer))),
  };
}

test("in development, the doctor runs once after the first response and logs its findings", async () => {
  const { doctorEntries, get } = await openWithLog({ development: true, issuer: unreachableIssuer });
  expect(doctorEntries()).toEqual([]);
  await get(".well-known/openid-configuration");
  await expect.poll(doctorEntries).not.toEqual([]);
  expect(doctorEntries()).toContainEqual({
    level: "warn",
    event: "doctor",
    check: "connection",
    message: expect.stringContaining("does not respond"),
    cure: expect.any(String),
  });
  const before = doctorEntries().length;
  await get(".well-known/openid-configuration");
  await get("no-such-page");
  expect(doctorEntries()).toHaveLength(before);
});

test("a service that is closed before the doctor finishes logs no findings", async () => {
  const entries: LogEntry[] = [];
  const { postern } = await createTestPostern({
    development: true,
    issuer: unreachableIssuer,
    logger: { log: (entry) => entries.push(entry) },
  });
  const response = postern.fetch(new Request(`${unreachableIssuer}.well-known/openid-configuration`));
  await postern.close();
  await response;
  await postern.doctor();
  expect(entries.filter(({ event }) => event === "doctor")).toEqual([]);
});

test("outside development, the doctor does not run by itself and errors contain no links", async () => {
  const { doctorEntries, get } = await openWithLog({ issuer: unreachableIssuer });
  await get(".well-known/openid-configuration");
  expect(await (await get("oauth/none")).json()).toEqual({ error: "not_found", error_description: expect.any(String) });
  expect(await (await get("authorize?client_id=none")).text()).not.toContain("docs/errors.md");
  expect(doctorEntries()).toEqual([]);
});

test("in development, errors link to their explanation", async () => {
  const { call, postern } = await createTestPostern({ development: true, issuer: unreachableIssuer });
  const page = "https://github.com/postern/postern/blob/main/docs/errors.md";
  const callback = "https://app.example.test/callback";
  const settings = { name: "App", app_type: "spa", callbacks: [callback] } as const;
  await postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings }] });

  const atToken = await call("POST", "/oauth/token", { body: { grant_type: "authorization_code", client_id: "app", code: "none" } });
  expect(atToken.body).toMatchObject({ error_uri: `${page}#at-the-token-endpoint` });

  // On a page, the description is a link.
  const errorPage = await call("GET", "/authorize?client_id=none&response_type=code");
  expect(errorPage.body).toContain(`<a href="${page}#at-the-authorization-endpoint">the client is unknown</a>`);

  const parameters = new URLSearchParams({ client_id: "app", response_type: "code", redirect_uri: callback, scope: "openid" });
  const redirect = await call("GET", `/authorize?${parameters}`);
  expect(new URL(redirect.headers.get("location") ?? "").searchParams.get("error_uri")).toBe(`${page}#at-the-authorization-endpoint`);

  // The Management API has only the error members that Auth0's SDKs know.
  expect((await call("GET", "/api/v2/users")).body).not.toHaveProperty("error_uri");
});
