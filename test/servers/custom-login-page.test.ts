import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { challenge } from "../support/flow.ts";

let browser: Browser;
let origin: string;
let close: () => void;
beforeAll(async () => {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  // A server that listens on a port has an address of this type.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  vi.stubEnv("PORT", String(port));
  vi.stubEnv("DATABASE_URL", "sqlite::memory:");
  origin = `http://localhost:${port}`;
  const { server } = await import("../../examples/own-pages/server.ts");
  close = () => server.close().closeAllConnections();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  close();
  vi.unstubAllEnvs();
});

test("a user signs in on the host's custom login page after a wrong password", async () => {
  const page = await browser.newPage();
  const refused: string[] = [];
  page.on("console", (message) => void (message.text().includes("Content Security Policy") && refused.push(message.text())));
  const request = { client_id: "app", response_type: "code", redirect_uri: `${origin}/signed-in`, scope: "openid", state: "s" };
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  await page.goto(`${origin}/auth/authorize?${new URLSearchParams({ ...request, ...pkce })}`);
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await page.getByLabel("identifier").fill("me@example.com");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("wrong-credentials").waitFor();
  await page.getByLabel("password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${origin}/signed-in?**`);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ code: expect.any(String), state: "s" });
  expect(refused).toEqual([]);
});
