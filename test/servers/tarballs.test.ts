import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { copyTarballs, npmEnv } from "./support/packed.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";

/** Installs the packages as they are published, in apps like those of their users. */
const run = promisify(execFile);
const packages = ["core", "app", "kysely", "memory", "express", "hono", "next", "testing"] as const;

let registry: Registry;
let tarballs: string;
beforeAll(async () => {
  tarballs = mkdtempSync(join(tmpdir(), "postern-tarballs-"));
  registry = await serveRegistry(await copyTarballs(packages, tarballs));
}, 300_000);
afterAll(async () => {
  await registry.close();
  rmSync(tarballs, { recursive: true });
});

function folderWith(files: { readonly [name: string]: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-app-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ".npmrc": registry.npmrc, ...files })) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs a command. @throws {Error} with the command's output if it fails. */
async function command(name: string, args: readonly string[], folder: string): Promise<string> {
  const running = run(name, [...args], { cwd: folder, env: npmEnv, maxBuffer: 16 * 1024 * 1024 });
  const { stdout } = await running.catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${name} ${args.join(" ")}\n${failure.stdout}\n${failure.stderr}`);
  });
  return stdout;
}

/** The service, sessions and an in-process API call, which every app below contains. */
const common = `
import { createPostern, type Postern } from "@postern/core";
import { createSessions, createTokenCheck } from "@postern/app";
import { createMemoryAdapter } from "@postern/memory";

const postern: Postern = createPostern({ issuer: "http://localhost:3000/auth/", data: createMemoryAdapter(), crypto: { secret: "for-development-only-0123456789abcdef" }, defaultTenantId: "main" });
await postern.seed({ tenantId: "main", clients: [{ clientId: "app", settings: { name: "App", app_type: "regular_web", token_endpoint_auth_method: "none", callbacks: ["http://localhost:3000/callback"] } }] });
const appUrl = "http://localhost:3000/";
const sessions = createSessions({ postern, tenantId: "main", clientId: "app", appUrl, secret: "for-development-only-0123456789abcdef" });
const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
const made = await postern.tenant("main").users.create({ connection: "Username-Password-Authentication", email: "a@example.com", password: "correct horse battery" });
const id: string = made.user_id;
console.log(id, check);
`;

const apps: { readonly [name: string]: string } = {
  "adapter.ts": `import { defineAdapter, type AnyRow, type Collection, type CollectionDescription, type DataAdapter } from "@postern/core/adapter";
declare const open: (description: CollectionDescription) => Collection<AnyRow>;
export const data: DataAdapter = defineAdapter(open);
`,
  "node.ts": `import { createServer } from "node:http";
import { toNodeHandler } from "@postern/express";
import { openDatabase } from "@postern/kysely/url";
${common}
createServer(toNodeHandler(postern)).listen(0);
export const open = openDatabase;
export const me = async (request: Request): Promise<string> => {
  const session = await sessions.requireSession(request);
  return session instanceof Response ? "" : session.user.sub;
};
`,
  "express.ts": `import express from "express";
import { toExpressSessions, requireToken, toExpressHandler, toExpressRootHandler } from "@postern/express";
${common}
const auth = toExpressSessions(sessions, appUrl);
const app = express();
app.use(toExpressRootHandler(postern), toExpressHandler(postern), auth.routes);
app.get("/me", auth.requireSession, async (request, response) => {
  response.send((await auth.getSession(request, response))?.user.email);
});
const read = requireToken(check, ["read:invoices"]);
app.get("/invoices", read, (request, response) => void response.json({ of: read.claims(request).sub }));
`,
  "hono.ts": `import { Hono } from "hono";
import { toHonoSessions, requireToken, toHonoHandler, toHonoRootHandler } from "@postern/hono";
${common}
const auth = toHonoSessions(sessions, appUrl);
const app = new Hono();
app.use(toHonoRootHandler(postern), auth.routes);
app.all("/auth/*", toHonoHandler(postern));
app.get("/me", auth.requireSession, (c) => c.text(c.get("session").user.email ?? ""));
app.get("/invoices", requireToken(check, ["read:invoices"]), (c) => c.json(c.get("token").sub));
export default app;
`,
  "next.ts": `import { after, type NextRequest } from "next/server.js";
import { cookies, headers } from "next/headers.js";
import { redirect } from "next/navigation.js";
import { toNextSessions, toNextHandlers, toNextRootHandlers } from "@postern/next";
${common}
export const { GET, POST } = toNextHandlers(() => postern, { basePath: "/shop", waitUntil: after });
export const root = toNextRootHandlers(() => postern);
export const auth = toNextSessions(sessions, appUrl, { cookies, headers, redirect });
export const proxy = (request: NextRequest) => auth.refresh(request);
export const page = async () => (await auth.requireSession("/me")).user.name;
`,
  "next-glue.ts": `import { toNextSessions, toNextHandlers, type NextFunctions } from "@postern/next";
${common}
declare const next: NextFunctions;
export const { GET, POST } = toNextHandlers(() => postern);
export const auth = toNextSessions(sessions, appUrl, next);
`,
  "testing.ts": `import { createManualClock, type ManualClock } from "@postern/core/testing";
import { createTestIdp } from "@postern/testing";
import { createIsolationCases, type IsolationCase, type TenantAccess } from "@postern/testing/isolation";
export const clock: ManualClock = createManualClock();
export const cases = (owner: TenantAccess, stranger: TenantAccess): Promise<readonly IsolationCase[]> => createIsolationCases({ owner, stranger });
await using idp = await createTestIdp({ callback: "http://localhost:3000/callback" });
const { accessToken } = await idp.signIn(await idp.createUser({ name: "Ada" }));
export const token: string = accessToken;
`,
};

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: "es2022",
  lib: ["es2023", "esnext.disposable", "dom", "dom.iterable"],
  types: ["node"],
  noEmit: true,
};

describe("an app in strict TypeScript", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "postern-strict-"));
    for (const [name, text] of Object.entries(apps)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, ".npmrc"), registry.npmrc);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const compilers = { "TypeScript 5.9": "ts5", "TypeScript 6": "ts6", "TypeScript 7": "ts7" } as const;
  const aliases = ["ts5@npm:typescript@~5.9.0", ...(isNightly ? ["ts6@npm:@typescript/typescript6@6"] : []), "ts7@npm:typescript@7"];

  const ownPackages = packages.map((name) => `@postern/${name}`);
  const otherPackages = [
    "express@5",
    "@types/express@5",
    "@types/node@24",
    "hono@4",
    "next@16",
    "react@19",
    "react-dom@19",
    "@types/react@19",
  ];
  let installing: Promise<unknown> | undefined;
  /** The packages are installed once for all tests. */
  const installed = (): Promise<unknown> =>
    (installing ??= command("npm", ["install", "--no-audit", "--no-fund", ...ownPackages, ...otherPackages, ...aliases], folder));

  /**
   * The files by their compiler settings. The types of Next.js do not compile in a strict app, so they need
   * `skipLibCheck`.
   */
  const programs = {
    "for Node, Express, Hono, adapters and tests": Object.keys(apps).filter((file) => file !== "next.ts"),
    "for Next.js": ["next.ts"],
  };

  describe.each(Object.entries(compilers))("with %s", (version, compiler) => {
    test.for(Object.entries(programs))("compiles the files %s", { timeout: 300_000 }, async ([name, files], { skip }) => {
      // `.ci/run` compiles with the oldest and the newest version.
      if (!isNightly && version === "TypeScript 6") skip(onlyNightly);
      await fromRegistry("what the apps install", skip, installed);
      // Bundler resolution is the same as nodenext for packages with `exports`, so one compiler checks it.
      const resolutions = compiler === "ts7" ? { nodenext: "nodenext", bundler: "esnext" } : { nodenext: "nodenext" };
      for (const [moduleResolution, module] of Object.entries(resolutions)) {
        const config = `${compiler}.${moduleResolution}.${files.length}.json`;
        const skipLibCheck = name === "for Next.js";
        writeFileSync(
          join(folder, config),
          JSON.stringify({ compilerOptions: { ...strict, skipLibCheck, module, moduleResolution }, files }),
        );
        const tsc = compiler === "ts6" ? "tsc6" : "tsc";
        await command(process.execPath, [join("node_modules", compiler, "bin", tsc), "-p", config], folder);
      }
    });
  });
});

/** Requests discovery from a service, in CommonJS. */
const commonJs = `
const { createPostern } = require("@postern/core");
const { openDatabase } = require("@postern/kysely/url");
const { toNodeHandler } = require("@postern/express");
const { createServer } = require("node:http");
const server = createServer((request, response) => handler(request, response)).listen(0, "127.0.0.1");
let handler;
server.on("listening", async () => {
  const issuer = "http://127.0.0.1:" + server.address().port + "/";
  // No driver is installed, so this uses the runtime's own.
  const data = await openDatabase("sqlite:./data/app.db");
  await data.migrate();
  const postern = createPostern({ issuer, data, crypto: { secret: "for-development-only-0123456789abcdef" }, defaultTenantId: "main" });
  await postern.seed({ tenantId: "main" });
  handler = toNodeHandler(postern);
  const found = await (await fetch(issuer + ".well-known/openid-configuration")).json();
  console.log(found.issuer === issuer ? "it responds" : JSON.stringify(found));
  server.close();
  await data.close();
});
`;

const managers: { readonly [name: string]: { readonly command: readonly string[]; readonly files?: { readonly [name: string]: string } } } =
  {
    npm: { command: ["npm", "install", "--no-audit", "--no-fund"] },
    pnpm: { command: ["npx", "-y", "pnpm@12", "add"], files: { "pnpm-workspace.yaml": "minimumReleaseAge: 0\n" } },
    // yarn caches packages by name and version. A separate cache contains no older build of the same version.
    yarn: { command: ["npx", "-y", "yarn@1", "add", "--no-lockfile", "--ignore-engines", "--cache-folder", ".yarn-cache"] },
  };

test.for(Object.entries(managers))(
  "a CommonJS app that was installed with %s runs",
  { timeout: 300_000 },
  async ([name, manager], { skip }) => {
    // npm installs packages side by side like yarn. pnpm hides the packages that a package does not declare.
    if (!isNightly && name === "yarn") skip(onlyNightly);
    const { command: install, files } = manager;
    const [program = "", ...args] = install;
    const folder = folderWith({ "package.json": JSON.stringify({ private: true, version: "1.0.0" }), "app.js": commonJs, ...files });
    await fromRegistry(name, skip, () =>
      command(program, [...args, "@postern/core", "@postern/app", "@postern/kysely", "@postern/express"], folder),
    );
    expect(await command(process.execPath, ["app.js"], folder)).toBe("it responds\n");
  },
);
