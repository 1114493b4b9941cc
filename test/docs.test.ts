import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { anchorOf, groups } from "../docs/.vitepress/pages.ts";
import { nextFiles } from "../packages/cli/src/templates/next.ts";
import { freePort } from "./support/free-port.ts";

const root = join(import.meta.dirname, "..");

/** Every documentation page, as its path below the root. */
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "test/bench/README.md",
  "test/clusters/README.md",
  ...new Set(["docs", "docs/decisions", "docs/design", "packages", "examples"].flatMap(pagesIn)),
];

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { withFileTypes: true });
  const own = names.filter(({ name }) => name.endsWith(".md")).map(({ name }) => `${folder}/${name}`);
  const below = names.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}/README.md`);
  return [...own, ...below.filter((page) => existsSync(join(root, page)))];
}

const read = (page: string): string => readFileSync(join(root, page), "utf8");

/** Returns the TypeScript blocks of a page. */
function snippetsOf(page: string): string[] {
  return [...read(page).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}

/** Returns the anchors of a page's headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

test.each(pages)("every link on %s has a target", (page) => {
  const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link).filter((link) => !/^(https?|mailto):/.test(link));
  const broken = links.filter((link) => {
    const [path = "", anchor] = link.split("#", 2);
    const target = path === "" ? page : relative(root, join(root, dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test("every page of the documentation is in the site's sidebar", () => {
  const existing = ["docs", "docs/reference"].flatMap(pagesIn).map((page) => page.slice("docs/".length, -".md".length));
  const others = ["index", "decisions/README"];
  expect(groups.flatMap(({ pages: own }) => own).toSorted()).toEqual(existing.filter((page) => !others.includes(page)).toSorted());
});

test("no example adds a second slash after the issuer, which ends in one", () => {
  const wrong = pages.filter((page) => /\$ISSUER\/|\$\{ISSUER\}\/|<issuer>\//.test(read(page)));
  expect(wrong).toEqual([]);
});

const { version } = JSON.parse(read("packages/core/package.json")) as { readonly version: string };

// Packages of version 0.0.0 are not on npm.
test.runIf(version === "0.0.0")("no guide and no README installs an unpublished package from npm", () => {
  const guides = pages.filter((page) => !page.startsWith("docs/decisions/") && page !== "CHANGELOG.md");
  const wrong = guides.flatMap((page) =>
    [...read(page).matchAll(/(?:npm (?:install|i|exec)|npx|pnpm (?:add|dlx)|yarn add)[^\n`]* @postern\/[^\n`]*/g)].map(
      ([command]) => `${page}: ${command}`,
    ),
  );
  expect(wrong).toEqual([]);
});

test("the source contains every text that docs/errors.md quotes", () => {
  const source = ["core", "kysely", "app"]
    .flatMap((name) => readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
  const quoted = [...read("docs/errors.md").matchAll(/^\| `([^`]+)`/gm)].map(([, text = ""]) => text);
  const titles = [...read("docs/errors.md").matchAll(/^- \*\*"([^"]+)"/gm)].map(([, text = ""]) => text);
  expect(quoted.length).toBeGreaterThan(30);
  expect([...quoted, ...titles].filter((text) => !source.includes(text))).toEqual([]);
});

test("the anchors that error responses link to exist", () => {
  const source = read("packages/core/src/http/error-documentation.ts");
  const [, page = ""] = /blob\/main\/(docs\/\S+?)"/.exec(source) ?? [];
  const anchors = [...source.matchAll(/\{page\}#([\w-]+)/g)].map(([, anchor = ""]) => anchor);
  expect(anchors.length).toBeGreaterThan(1);
  expect(anchors.filter((anchor) => !anchorsOf(page).includes(anchor))).toEqual([]);
});

test("every page and anchor of the guides that the source names exists", () => {
  const named = new Set(
    ["core", "cli"]
      .flatMap((name) => readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
      .flatMap(
        ({ parentPath, name }) =>
          readFileSync(join(parentPath, name), "utf8").match(/docs\/(?:reference\/)?[a-z\d-]+\.md(?:#[\w-]+)?/g) ?? [],
      ),
  );
  expect(named.size).toBeGreaterThan(10);
  const broken = [...named].filter((link) => {
    const [page = "", anchor] = link.split("#", 2);
    return !existsSync(join(root, page)) || (anchor !== undefined && !anchorsOf(page).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("docs/monitoring.md describes every event of the operator's log", () => {
  const events = readdirSync(join(root, "packages/core/src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes(".test."))
    .flatMap(({ parentPath, name }) => [...readFileSync(join(parentPath, name), "utf8").matchAll(/\.log\(\{[^}]*?event: "([\w-]+)"/g)])
    .map(([, event = ""]) => event);
  expect(events.length).toBeGreaterThan(30);
  expect(events.filter((event) => !read("docs/monitoring.md").includes(`\`${event}\``))).toEqual([]);
});

test("every package and every example has a page", () => {
  for (const folder of ["packages", "examples"]) {
    for (const name of readdirSync(join(root, folder))) expect(pages).toContain(`${folder}/${name}/README.md`);
  }
});

/** Declarations of the names that snippets use without declaring them. */
const surroundings = `
import type { Admin } from "@postern/admin";
import type { Postern } from "@postern/core";
import type { AnyRow, Collection, CollectionDescription, DataAdapter } from "@postern/core/adapter";
import type { Sessions } from "@postern/app";
import type { SqlAdapter } from "@postern/kysely";
import type { Pool } from "pg";
declare global {
  const postern: Postern;
  const data: SqlAdapter;
  const pool: Pool;
  const sessions: Sessions;
  const admin: Admin;
  const APP_URL: string;
  const clientId: string;
  const myStore: unknown;
  function myCollection(store: unknown, description: CollectionDescription): Collection<AnyRow>;
  function auditCollection(description: CollectionDescription): Collection<AnyRow>;
  function myAdapter(): Promise<DataAdapter>;
}
`;

test("the code on every page compiles", { timeout: 120_000 }, async () => {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "snippets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "surroundings.d.ts"), surroundings);
  const found = pages.flatMap((page) => snippetsOf(page).map((code, index) => ({ page, index, code })));
  expect(found.length).toBeGreaterThan(20);
  for (const { page, index, code } of found) {
    writeFileSync(join(folder, `${page.replaceAll(/\W/g, "_")}_${index + 1}.ts`), `${code}\nexport {};\n`);
  }
  const config = {
    extends: join(root, "tsconfig.base.json"),
    // Only one package depends on Hono, so the compiler does not find it from the folder of the snippets.
    compilerOptions: { paths: { hono: [join(root, "packages/hono/node_modules/hono/dist/types/index.d.ts")] } },
    include: [".", join(root, "packages/kysely/src/sql-files.d.ts")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
  const faults = await compiler.then(
    () => "",
    (failure: { readonly stdout: string }) => failure.stdout,
  );
  expect(faults).toBe("");
});

test("the README has one link to the documentation, and its other links lead to packages", () => {
  const links = [...read("README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !link.startsWith("packages/"))).toEqual(["docs/index.md"]);
});

test("docs/index.md links to every guide and every page of the reference", () => {
  const links = [...read("docs/index.md").matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) => link);
  const guides = groups.flatMap(({ pages: own }) => own).map((page) => `${page}.md`);
  expect(guides.filter((guide) => !links.includes(guide))).toEqual([]);
});

test("docs/app-session.md shows the lib/auth.ts that `postern init` writes into a Next.js app", () => {
  const [, shown] = /^```ts lib\/auth\.ts\n(.*?)^```$/ms.exec(read("docs/app-session.md")) ?? [];
  expect(shown).toBe(nextFiles("postern.config")["lib/auth.ts"]);
});

/** Starts the app of the guide to embedding on a port, in a new folder, with only the given environment variables. */
async function startGuide(port: number, variables: { readonly [name: string]: string } = {}): Promise<ChildProcess> {
  const [service = ""] = snippetsOf("docs/embedding.md");
  const [, server = ""] = /^```ts server\.ts\n(.*?)^```$/ms.exec(read("docs/embedding.md")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "postern-embedding-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The packages are resolved from the folder of the example.
  const sources = join(root, "examples/express/dist", basename(folder));
  mkdirSync(sources, { recursive: true });
  onTestFinished(() => rmSync(sources, { recursive: true }));
  for (const [name, code] of Object.entries({ postern: service, server })) {
    writeFileSync(join(sources, `${name}.ts`), code.replaceAll("3000", String(port)));
  }
  const program = join(sources, "server.js");
  await build({
    entryPoints: [join(sources, "server.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite", "express"],
    loader: { ".sql": "text" },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [program], { cwd: folder, env: { PATH, ...variables }, stdio: ["ignore", "inherit", "pipe"] });
  onTestFinished(async () => {
    if (child.exitCode !== null || !child.kill()) return;
    await once(child, "exit");
  });
  return child;
}

test("the app of the guide to embedding responds as the guide says", { timeout: 60_000 }, async () => {
  const port = await freePort();
  await startGuide(port);
  const issuer = `http://localhost:${port}/auth/`;
  const discovery = `${issuer}.well-known/openid-configuration`;
  await expect.poll(async () => fetch(discovery).then((response) => response.json(), String)).toMatchObject({ issuer });
  const response = await fetch(`${issuer}oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("backend:for-development-only")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", audience: `${issuer}api/v2/` }),
  });
  expect(await response.json()).toMatchObject({ access_token: expect.any(String) });
});

test.each([{ NODE_ENV: "production" }, { ISSUER: "https://login.example.test/auth/" }])(
  "the app of the guide to embedding does not start with its public development secret if the environment is %o",
  { timeout: 60_000 },
  async (variables) => {
    const child = await startGuide(await freePort(), variables);
    const output = child.stderr === null ? Promise.resolve("") : text(child.stderr);
    const [code] = (await once(child, "exit")) as [code: number | null];
    expect([code, await output]).toEqual([1, expect.stringContaining("createPostern: 'crypto.secret' is text of 0 characters")]);
  },
);

/** Returns the lines that read a secret from the environment, or define one for development. */
const secretLines = (code: string): string[] =>
  code
    .split("\n")
    .filter((line) => /isDevelopment|for-development-only/.test(line))
    .map((line) => line.trim());

test("every snippet with a development secret reads it like the guide to embedding, which rejects it in production", () => {
  const [code = ""] = snippetsOf("docs/embedding.md");
  const known = secretLines(code).slice(0, 2);
  const others = pages
    .flatMap((page) => snippetsOf(page).map((snippet) => ({ page, lines: secretLines(snippet) })))
    .filter(({ lines }) => lines.length > 0);
  expect(others.length).toBeGreaterThan(5);
  for (const { page, lines } of others) expect(lines.slice(0, known.length), page).toEqual(known);
  for (const line of others.flatMap(({ lines }) => lines)) expect(line).toContain("isDevelopment");
});
