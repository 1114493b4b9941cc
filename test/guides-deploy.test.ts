import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { blocksOf, examples } from "./support/guides.ts";
import { freePort } from "./support/free-port.ts";

/** Runs the files of docs/deploy.md as they are printed. */

const root = join(import.meta.dirname, "..");
const code = (heading: string, file: string): string => {
  const found = examples("deploy", heading, "ts").find((block) => block.includes(file));
  if (found === undefined) throw new Error(`docs/deploy.md has no block with '${file}' below '${heading}'`);
  return found;
};

/** Stands for the `postern.config.ts` of the app, with the options that the guide describes. */
const config = `
import { createPostern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { mail } from "./mail.ts";
export const appUrl = process.env.APP_URL ?? "";
const postern = createPostern({
  issuer: new URL("auth/", appUrl).href,
  data: createMemoryAdapter(),
  crypto: { secret: process.env.POSTERN_SECRET ?? "" },
  defaultTenantId: "main",
  messages: { mail },
  trustedProxies: ["127.0.0.1"],
});
export async function openPostern() {
  await postern.seed({ tenantId: "main", user: { email: "ada@example.com", password: "correct horse battery" } });
  return postern;
}
`;

const server = (): string => `
import express from "express";
import { toExpressHandler } from "@postern/express";
import { appUrl, openPostern } from "./postern.config.ts";
import { readiness, runJobs } from "./production.ts";
const app = express();
app.use(toExpressHandler(await openPostern()));
const { HOST = "127.0.0.1", PORT = "3000" } = process.env;
${code("Add health checks, jobs and the stop", "app.listen")}
`;

test("the app of docs/deploy.md responds to health checks, sends mail and stops on SIGTERM", { timeout: 120_000 }, async () => {
  const sent: unknown[] = [];
  const mailService = createServer((request, response) => {
    let text = "";
    request
      .on("data", (part: Buffer) => (text += part.toString()))
      .on("end", () => {
        sent.push({ authorization: request.headers.authorization, ...(JSON.parse(text) as object) });
        response.end();
      });
  }).listen(0);
  await once(mailService, "listening");
  onTestFinished(() => void mailService.close());

  const program = await bundle();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env["PATH"] ?? "",
    NODE_ENV: "production",
    PORT: String(port),
    APP_URL: "https://app.example.test/",
    POSTERN_SECRET: "Xo7-mV2qLk9_aTfZ4hRsWc8yEjNb1uPd",
    MAIL_URL: `http://127.0.0.1:${(mailService.address() as AddressInfo).port}/`,
    MAIL_KEY: "key-of-the-mail-provider",
    MAIL_FROM: "login@example.com",
  };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    if (child.exitCode === null && child.kill("SIGKILL")) await ended;
  });
  const statusOf = (path: string): Promise<number> =>
    fetch(`${origin}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(() => statusOf("/live"), { timeout: 60_000 }).toBe(204);
  expect(await statusOf("/ready")).toBe(200);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ email: "ada@example.com", connection: "Username-Password-Authentication" });
  expect((await fetch(`${origin}/auth/dbconnections/change_password`, { method: "POST", headers, body })).status).toBe(200);
  const expected = { authorization: "Bearer key-of-the-mail-provider", to: "ada@example.com", from: "login@example.com" };
  await expect.poll(() => sent, { timeout: 10_000 }).toMatchObject([expected]);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

/** Bundles the guide's files with the sources of the packages. @returns the program's path. */
async function bundle(): Promise<string> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = {
    "mail.ts": code("Send mail, and trust the proxy", "MailSender"),
    "production.ts": code("Add health checks, jobs and the stop", "runJobs(server"),
    "postern.config.ts": config,
    "server.ts": server(),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const outfile = join(folder, "server.mjs");
  await build({
    entryPoints: [join(folder, "server.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return outfile;
}

test("the container file of docs/deploy.md uses a version of Node that the packages support, and listens on all addresses", () => {
  const [text = ""] = blocksOf("deploy")
    .filter(({ language }) => language === "dockerfile")
    .map((block) => block.code);
  const { engines } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  const [, image = ""] = /^FROM node:(\d+)/m.exec(text) ?? [];
  const [, minimum = ""] = /^>=(\d+)/.exec(engines.node) ?? [];
  expect(Number(image)).toBeGreaterThan(Number(minimum));
  expect(text).toContain("HOST=0.0.0.0");
  expect(text).toMatch(/^CMD \["node", "server\.ts"\]$/m);
});
