import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { run, type PosternConfig } from "@postern/cli";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as { readonly version: string };

let cwd: string;

beforeEach(() => {
  // The folder is inside the package, so that Node.js can resolve the imports of the config.
  cwd = mkdtempSync(join(import.meta.dirname, ".app-"));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  // A command sets the variables of .env in this process.
  for (const name of ["DATABASE_URL", "POSTERN_SECRET", "APP_SECRET", "BACKEND_SECRET"]) delete process.env[name];
});

/** Replaces the relative path of the database in .env, because this process would resolve it from its own folder. */
function useDatabase(path: string): void {
  const env = join(cwd, ".env");
  writeFileSync(env, readFileSync(env, "utf8").replace("sqlite:./data/postern.db", `sqlite:${join(cwd, path)}`));
}

interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function postern(...args: readonly string[]): Promise<CommandResult> {
  let [out, err] = ["", ""];
  const stdout = { write: (text: string) => Boolean((out += text)) };
  const stderr = { isTTY: false, write: (text: string) => Boolean((err += text)) };
  const code = await run(args, { cwd, stdin: { isTTY: false }, stdout, stderr } as Parameters<typeof run>[1]);
  return { code, out, err };
}

const bin = join(import.meta.dirname, "../src/bin.ts");
const loadsTsx = new URL("load-tsx.js", import.meta.url).href;

/** Runs a command in a separate process. */
function inNode(folder: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, ["--conditions=postern-source", "--import", loadsTsx, bin, ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 30_000,
    maxBuffer: 8 * 1024 * 1024,
  });
}

const [enter, down, ctrlC] = ["\r", "\u001B[B", "\u0003"];

/** Runs a command at a simulated terminal. Answers each question with the next keys. */
async function atTerminal(args: readonly string[], keys: readonly string[]): Promise<CommandResult> {
  let [out, err] = ["", ""];
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const left = [...keys];
  const stdout = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        out += chunk.toString();
        done();
      },
    }),
    { isTTY: true, columns: 80, rows: 24 },
  );
  // Writes each key only while a prompt listens, because an earlier key would be lost.
  const typing = setInterval(() => {
    const key = left[0];
    if (key !== undefined && stdin.listenerCount("keypress") > 0 && stdin.write(key)) left.shift();
  }, 20);
  const stderr = { isTTY: true, write: (text: string) => Boolean((err += text)) };
  try {
    const code = await run(args, { cwd, stdin, stdout, stderr } as Parameters<typeof run>[1]);
    return { code, out, err };
  } finally {
    clearInterval(typing);
  }
}

/** Creates an app with a config and a migrated database, which contains the control plane. */
async function openApp(issuer = "https://id.example.test/"): Promise<void> {
  const secret = "0123456789abcdef0123456789abcdef";
  writeFileSync(
    join(cwd, "postern.config.ts"),
    `import { createPostern } from "@postern/core";
import { openDatabase } from "@postern/kysely/url";

export async function open() {
  const data = await openDatabase(${JSON.stringify(`sqlite:${join(cwd, "app.db")}`)});
  const postern = createPostern({
    issuer: "${issuer}",
    data,
    crypto: { secret: "${secret}", signingAlgorithm: "ES256" },
    controlPlane: { tenantId: "main" },
    logger: { log() {} },
  });
  return { postern, data };
}
`,
  );
  expect(await postern("migrate", "apply")).toMatchObject({ code: 0 });
  const { open } = (await import(join(cwd, "postern.config.ts"))) as PosternConfig;
  const { postern: service, data } = await open();
  await service.seed({ tenantId: "main", clients: [] });
  await data.close?.();
}

const json = ({ out }: CommandResult): unknown => JSON.parse(out);

describe("in an app without a config", () => {
  test.each([["check"], ["doctor"], ["migrate", "apply"], ["sweep"], ["keys", "list"], ["tenants", "list"]])(
    "%s reports that the config is missing and how to create it",
    async (...args) => {
      expect(await postern(...args)).toEqual({ code: 2, out: "", err: expect.stringContaining("'postern init' writes one") });
    },
  );

  test("rejects a config whose package.json declares CommonJS", async () => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "commonjs" }));
    writeFileSync(join(cwd, "postern.config.ts"), 'import "node:fs";\nexport const open = 1;\n');
    // In a separate process, because the test runner ignores the type in package.json.
    const { status, stderr } = inNode(cwd, "check");
    expect(stderr).toContain(
      'postern: postern.config.ts is an ES module, and package.json says "type": "commonjs". Run: npm pkg set type=module\n',
    );
    expect(status).toBe(2);
  });

  test.each([["{}"], ["undefined"], ["{ postern: {} }"], ["{ data: {} }"]])("rejects a config whose `open` returns %s", async (result) => {
    writeFileSync(join(cwd, "postern.config.mjs"), `export const open = () => (${result});\n`);
    expect(await postern("check")).toMatchObject({ code: 2, err: expect.stringContaining("open() must return { postern, data }") });
  });

  test("rejects a config that does not export `open`", async () => {
    writeFileSync(join(cwd, "postern.config.mjs"), "export const nothing = 1;\n");
    expect(await postern("check")).toMatchObject({ code: 2, err: expect.stringContaining("exports no function 'open'") });
    expect(await postern("check", "--config", "elsewhere.ts")).toMatchObject({ code: 2, err: expect.stringContaining("elsewhere.ts") });
  });
});

describe("usage", () => {
  test("lists the commands for no command and for --help, and rejects an unknown command", async () => {
    const { code, out } = await postern();
    expect(code).toBe(0);
    for (const name of ["init", "dev", "check", "migrate", "sweep", "keys", "secret", "users", "tenants"]) expect(out).toContain(name);
    expect((await postern("users", "import", "--help")).out).toContain("--upsert");
    expect(await postern("nonsense")).toMatchObject({ code: 2, err: expect.stringContaining("nonsense") });
    expect((await postern("users", "import")).code).toBe(2);
  });

  test.each([
    [["keys", "list", "--tenat", "foo"], "unknown option '--tenat'; this command supports --config, --json, --tenant"],
    [["keys", "list", "--no-tenant"], "unknown option '--no-tenant'"],
    [["keys", "list", "-t", "foo"], "unknown option '-t'"],
    [["init", "--framwork=hono"], "unknown option '--framwork'; this command supports --framework, --database, --console, --json"],
    [["secret", "new", "--length", "3"], "unknown option '--length'; this command supports --json"],
    [["users", "import", "users.ndjson", "--upsert", "false"], "unexpected argument 'false'"],
    [["--tenant", "foo", "keys", "list"], "'--tenant' is before the command"],
    [["keys", "--tenant", "foo", "list"], "'--tenant' is before the command"],
  ])("rejects %j and changes nothing", async (args, message) => {
    expect(await postern(...args)).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
    expect(existsSync(join(cwd, "postern.config.ts"))).toBe(false);
  });

  test("--version prints the version", async () => {
    expect(await postern("--version")).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
    expect(json(await postern("--version", "--json"))).toEqual({ version: manifest.version });
  });

  test.each([[["check"]], [["nonsense"]], [["keys", "list", "--nonsense"]], [["users", "import"]]])(
    "with --json, %j writes the error to standard output",
    async (args) => {
      const { code, out, err } = await postern(...args, "--json");
      expect(code).toBe(2);
      const { error } = JSON.parse(out) as { readonly error: string };
      expect(stripVTControlCharacters(err)).toBe(`postern: ${error}\n`);
    },
  );

  test("reports a Node.js version that is too old before it loads any other module", () => {
    const older = `
      Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
      require("node:module").registerHooks({
        resolve(specifier, context, next) {
          if (specifier.endsWith("/run.ts")) throw new Error("it cannot be loaded");
          return next(specifier, context);
        },
      });`;
    writeFileSync(join(cwd, "older.cjs"), older);
    const ran = spawnSync(process.execPath, ["--require", join(cwd, "older.cjs"), bin, "check", "--json"], { cwd, encoding: "utf8" });
    const message = "Postern needs Node 22.18 or later; this is 20.20.2";
    expect(ran).toMatchObject({ status: 2, stderr: `${message}\n`, stdout: `${JSON.stringify({ error: message })}\n` });
  });

  test("exits after it has written its whole output, even if the config keeps a timer running", () => {
    writeFileSync(
      join(cwd, "postern.config.mjs"),
      `setInterval(() => {}, 1000);
const signing = { rotate: () => ({ kid: "k".repeat(2_000_000) }) };
export const open = () => ({ postern: { tenant: () => ({ keys: { signing } }), close() {} }, data: {} });
`,
    );
    const ran = inNode(cwd, "keys", "rotate", "--json");
    expect({ status: ran.status, signal: ran.signal }).toEqual({ status: 0, signal: null });
    expect(JSON.parse(ran.stdout)).toEqual({ kid: expect.stringMatching(/^k{2000000}$/) });
    expect(inNode(cwd, "keys", "rotate", "--grace-days", "x")).toMatchObject({ status: 2 });
  });

  test("accepts options in camel case and negated boolean options", async () => {
    const noConfig = { code: 2, err: expect.stringContaining("'postern init' writes one") };
    expect(await postern("tenants", "list", "--controlPlane", "main")).toMatchObject(noConfig);
    expect(await postern("users", "import", "users.ndjson", "--no-upsert", "--tenant=main")).toMatchObject(noConfig);
  });
});

describe("postern keys rotate", () => {
  /** Writes a config whose service returns the arguments that it receives. */
  beforeEach(() =>
    writeFileSync(
      join(cwd, "postern.config.mjs"),
      `const signing = { rotate: (received) => ({ kid: "k", received }) };
export const open = () => ({ postern: { tenant: () => ({ keys: { signing } }), close() {} }, data: {} });
`,
    ),
  );

  test.each([
    [[], { activate_in_days: 0, grace_days: 1 }],
    [["--grace-days", "0"], { activate_in_days: 0, grace_days: 0 }],
    [["--activate-in-days=365", "--graceDays", "40"], { activate_in_days: 365, grace_days: 40 }],
  ])("passes the days in the arguments %j to the service", async (args, received) => {
    expect(json(await postern("keys", "rotate", "--json", ...args))).toMatchObject({ received });
  });

  test.each(["366", "1.5", "soon", "-1", ""])("rejects '%s' as a number of days", async (days) => {
    const failure = { code: 2, err: expect.stringContaining("0 to 365") };
    expect(await postern("keys", "rotate", `--grace-days=${days}`)).toMatchObject(failure);
    expect(await postern("keys", "rotate", `--activate-in-days=${days}`)).toMatchObject(failure);
  });
});

test("the doctor checks the public URL of a running app, and reports if the app does not respond", async () => {
  let respond = async (_request: Request): Promise<Response> => new Response(null, { status: 500 });
  const listener = getRequestListener((request) => respond(request), { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response)).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  // The address of a server that listens on a port is an AddressInfo.
  await openApp(`http://localhost:${(server.address() as AddressInfo).port}/`);
  const { open } = (await import(join(cwd, "postern.config.ts"))) as PosternConfig;
  const app = await open();
  onTestFinished(() => app.data.close?.());
  respond = (request) => app.postern.fetch(request);
  const healthy = await postern("doctor", "--json");
  expect(healthy).toMatchObject({ code: 0, err: "" });
  expect(json(healthy)).toEqual(
    expect.arrayContaining(["data", "secret", "issuer", "body"].map((check) => expect.objectContaining({ level: "ok", check }))),
  );

  server.close().closeAllConnections();
  const unreachable = await postern("doctor");
  expect(unreachable).toMatchObject({ code: 1, out: expect.stringMatching(/^error connection: .*does not respond/) });
});

test("the doctor names the tenants whose users cannot satisfy a policy, without a running app", async () => {
  await openApp();
  expect(await postern("doctor", "--factors")).toEqual({
    code: 0,
    out: "ok factors: users can satisfy every policy that requires a factor\n",
    err: "",
  });
  const { open } = (await import(join(cwd, "postern.config.ts"))) as PosternConfig;
  const app = await open();
  const { guardian, users } = app.postern.tenant("main");
  await guardian.factors.replace("sms", { enabled: true });
  await guardian.policies.replace(["all-applications"]);
  await users.create({ connection: "Username-Password-Authentication", email: "ada@example.test" });
  const named = await postern("doctor", "--factors");
  expect(named).toMatchObject({ code: 1, out: expect.stringMatching(/^error factors: .*tenant 'main'.*1 user without a usable factor/) });
  expect(named.out).toContain("postern.tenant('main').guardian.policies.replace([])");
  expect(json(await postern("doctor", "--factors", "--json"))).toEqual([
    { level: "error", check: "factors", message: expect.any(String), cure: expect.any(String) },
  ]);
  await guardian.policies.replace([]);
  await app.data.close?.();
  expect(await postern("doctor", "--factors")).toMatchObject({ code: 0 });
});

describe("postern init", () => {
  test.each([
    ["express", { express: "5" }, ["auth.ts", "server.ts", "tsconfig.json"]],
    ["hono", { hono: "4" }, ["auth.ts", "server.ts", "tsconfig.json"]],
    ["node", {}, ["postern.server.ts", "tsconfig.json"]],
    [
      "next",
      { next: "16" },
      [
        "app/auth/[...postern]/route.ts",
        "lib/auth.ts",
        "app/login/route.ts",
        "app/callback/route.ts",
        "app/logout/route.ts",
        "app/me/page.tsx",
        "app/api/me/route.ts",
        "app/call-api/route.ts",
      ],
    ],
  ])("detects %s and writes a config, .env and a complete sign-in", async (framework, dependencies, files) => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ dependencies }));
    const ran = await postern("init", "--json");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(json(ran)).toMatchObject({ framework, written: ["postern.config.ts", ...files, ".env"], left: [] });
    const secret = "[\\w-]{43}";
    const env = `^DATABASE_URL=sqlite:./data/postern.db\nPOSTERN_SECRET=${secret}\nAPP_SECRET=${secret}\nBACKEND_SECRET=${secret}\n$`;
    expect(readFileSync(join(cwd, ".env"), "utf8")).toMatch(new RegExp(env));
    expect(statSync(join(cwd, ".env")).mode & 0o077).toBe(0);
  });

  test("for Next.js, writes imports without a file extension, and writes to src/ if the app has this folder", async () => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ dependencies: { next: "16" } }));
    mkdirSync(join(cwd, "src/app"), { recursive: true });
    const { written } = json(await postern("init", "--json")) as { readonly written: readonly string[] };
    expect(written).toContain("src/app/auth/[...postern]/route.ts");
    for (const path of written.filter((name) => name !== ".env")) {
      const imports = [...readFileSync(join(cwd, path), "utf8").matchAll(/ from "(\.[^"]+)"/g)].map(([, from = ""]) => from);
      expect(imports.filter((from) => !existsSync(join(cwd, path, "..", `${from}.ts`)))).toEqual([]);
    }
  });

  test("installs only the packages that package.json lacks", async () => {
    const dependencies = {
      "@postern/core": "file:core.tgz",
      "@postern/kysely": "*",
      "@postern/app": "*",
      "@postern/express": "*",
      express: "5",
    };
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module", dependencies }));
    const stepsOn = async (database: string): Promise<unknown> => json(await postern("init", "--database", database, "--json"));
    expect(await stepsOn("postgres")).toMatchObject({ next: expect.arrayContaining(["npm install pg"]) });
    // The runtime has a driver for SQLite.
    expect(await stepsOn("sqlite")).toMatchObject({
      next: [
        "npm install --save-dev typescript @types/node @types/express",
        expect.stringContaining(".gitignore"),
        expect.any(String),
        expect.any(String),
        expect.any(String),
      ],
    });
  });

  test("prints how to mount Postern in an app that has its own server file", async () => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ dependencies: { express: "5" } }));
    writeFileSync(join(cwd, "server.ts"), "// mine\n");
    expect(json(await postern("init", "--json"))).toMatchObject({
      left: ["server.ts"],
      next: expect.arrayContaining([expect.stringContaining("app.use(posternHandler, auth.routes)")]),
    });
  });

  test.each([
    [{ type: "commonjs" }, true],
    [{}, true],
    [{ type: "module" }, false],
  ])("with package.json %j, the first step sets the type to ES modules: %s", async (manifest, message) => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify(manifest));
    const { next } = json(await postern("init", "--json")) as { readonly next: readonly string[] };
    expect(next[0]?.startsWith("npm pkg set type=module")).toBe(message);
    expect(next).toHaveLength(message ? 7 : 6);
  });

  test.each([["express"], ["hono"]])("for %s, the last steps start the app with .env and name a page and an account", async (framework) => {
    const { next } = json(await postern("init", "--framework", framework, "--json")) as { readonly next: readonly string[] };
    expect(next.at(-3)).toBe("node --env-file=.env server.ts");
    expect(next.at(-2)).toBe("Open http://localhost:3000/ and sign in as me@example.com with the password 'correct horse battery'");
    expect(next.at(-1)).toContain("Get a token for the Management API: ");
  });

  test("never changes existing files or variables, even if it runs again", async () => {
    writeFileSync(join(cwd, "package.json"), "{}");
    writeFileSync(join(cwd, ".env"), "OTHER=1");
    writeFileSync(join(cwd, "postern.config.ts"), "// mine\n");
    writeFileSync(join(cwd, "tsconfig.json"), "{}\n");
    const files = ["postern.config.ts", "tsconfig.json"];
    expect(json(await postern("init", "--json"))).toMatchObject({ written: ["postern.server.ts", ".env"], left: files });
    const env = readFileSync(join(cwd, ".env"), "utf8");
    expect(env).toMatch(/^OTHER=1\nDATABASE_URL=.+\nPOSTERN_SECRET=.+\nAPP_SECRET=.+\nBACKEND_SECRET=/);
    expect(json(await postern("init", "--json"))).toMatchObject({
      written: [],
      left: ["postern.config.ts", "postern.server.ts", "tsconfig.json"],
    });
    expect(readFileSync(join(cwd, "postern.config.ts"), "utf8")).toBe("// mine\n");
    expect(readFileSync(join(cwd, ".env"), "utf8")).toBe(env);
  });

  test("writes nothing without a package.json, or for an unknown framework or database", async () => {
    expect(await postern("init")).toMatchObject({ code: 2, err: expect.stringContaining("package.json") });
    expect(await postern("init", "--framework", "rails")).toMatchObject({ code: 2, err: expect.stringContaining("rails") });
    expect(await postern("init", "--framework", "node", "--database", "oracle")).toMatchObject({
      code: 2,
      err: expect.stringContaining("sqlite, postgres, mysql"),
    });
    expect(existsSync(join(cwd, ".env"))).toBe(false);
  });

  test("asks for missing options at a terminal", async () => {
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ dependencies: { hono: "4" } }));
    // The framework in package.json is preselected. The keys choose the second database.
    const { code, out } = await atTerminal(["init"], [enter, down, enter, enter]);
    expect(code).toBe(0);
    expect(out).toContain("Which framework?");
    expect(out).toContain("npm install @postern/core @postern/kysely @postern/app @postern/hono @hono/node-server pg");
    expect(readFileSync(join(cwd, ".env"), "utf8")).toContain("DATABASE_URL=postgres://");
    expect(existsSync(join(cwd, "auth.ts"))).toBe(true);
  });

  test.each([
    ["express", "server.ts", "app.use(adminHandler);"],
    ["hono", "server.ts", 'app.all("/admin/*", adminHandler);'],
    ["node", "postern.server.ts", '/^\\/admin(?:[/?]|$)/.test(request.url ?? "") ? adminHandler : posternHandler'],
  ])("mounts the admin console in %s if --console is set, and not otherwise", async (framework, server, line) => {
    writeFileSync(join(cwd, "package.json"), "{}");
    const { next } = json(await postern("init", "--framework", framework, "--console", "--json")) as { readonly next: readonly string[] };
    const read = (file: string): string => readFileSync(join(cwd, file), "utf8");
    for (const text of [line, 'from "./admin.ts"']) expect(read(server)).toContain(text);
    expect(read("admin.ts")).toContain("createAdmin({");
    expect(read("postern.config.ts")).toContain("managesTenant: true } })");
    expect(next.join("\n")).toMatch(/npm install .*@postern\/admin/);
    expect(next.join("\n")).toContain("http://localhost:3000/admin/");
    for (const file of [server, "admin.ts", "postern.config.ts"]) rmSync(join(cwd, file));
    await postern("init", "--framework", framework, "--json");
    expect([existsSync(join(cwd, "admin.ts")), read(server).includes("adminHandler")]).toEqual([false, false]);
    expect(read("postern.config.ts")).not.toContain("managesTenant: true } })");
  });

  test("does not change an existing server file, and rejects --console for Next.js", async () => {
    writeFileSync(join(cwd, "package.json"), "{}");
    writeFileSync(join(cwd, "server.ts"), "// ours");
    const { next, left } = json(await postern("init", "--framework", "express", "--console", "--json")) as {
      readonly next: readonly string[];
      readonly left: readonly string[];
    };
    expect(left).toContain("server.ts");
    expect(next.join("\n")).toContain("app.use(adminHandler) from admin.ts");
    expect(await postern("init", "--framework", "next", "--console")).toMatchObject({ code: 2, err: expect.stringContaining("Next.js") });
  });

  test("names the steps that add the console to the existing files of a server without a framework", async () => {
    writeFileSync(join(cwd, "package.json"), "{}");
    const steps = async (...options: string[]): Promise<string> => {
      const { next } = json(await postern("init", "--framework", "node", "--json", ...options)) as { readonly next: readonly string[] };
      return next.join("\n");
    };
    expect(await steps()).not.toMatch(/adminHandler|managesTenant/);
    const added = await steps("--console");
    expect(added).toContain("adminHandler from admin.ts");
    expect(added).toContain("In postern.config.ts: add managesTenant: true");
    for (const file of ["postern.server.ts", "admin.ts", "postern.config.ts"]) rmSync(join(cwd, file));
    await steps("--console");
    expect(await steps("--console")).not.toMatch(/adminHandler|managesTenant/);
  });

  test("writes nothing if the user cancels a question with Ctrl+C", async () => {
    writeFileSync(join(cwd, "package.json"), "{}");
    expect(await atTerminal(["init"], [enter, ctrlC])).toMatchObject({ code: 2, err: expect.stringContaining("nothing was written") });
    expect(existsSync(join(cwd, "postern.config.ts"))).toBe(false);
    expect(existsSync(join(cwd, ".env"))).toBe(false);
  });

  test("writes a config that the other commands accept", async () => {
    await postern("init", "--framework", "node");
    useDatabase("data/own.db");
    expect(await postern("migrate", "plan")).toMatchObject({ code: 0, out: expect.stringContaining("Would apply: 0001_initial") });
    expect(await postern("migrate", "apply")).toMatchObject({ code: 0, out: expect.stringContaining("Applied: 0001_initial") });
    expect(await postern("check")).toMatchObject({ code: 0, out: expect.stringContaining("http://localhost:3000/auth/") });
  });
});

describe("with an app's database", () => {
  beforeEach(() => openApp());

  test("migrate does nothing on an up-to-date database, checks it, and prints the SQL", async () => {
    expect(json(await postern("migrate", "plan", "--json"))).toEqual({ pending: [] });
    expect(json(await postern("migrate", "apply", "--json"))).toEqual({ applied: [] });
    expect(await postern("migrate", "check")).toMatchObject({ code: 0 });
    const { out, code } = await postern("migrate", "sql", "postgres");
    expect(code).toBe(0);
    expect(out).toContain("create table");
    expect(await postern("migrate", "sql", "oracle")).toMatchObject({ code: 2, err: expect.stringContaining("sqlite, postgres, mysql") });
  });

  test("check reports data that the secret does not decrypt", async () => {
    expect(await postern("check")).toMatchObject({ code: 0 });
    await postern("keys", "rotate");
    const config = join(cwd, "other.config.ts");
    writeFileSync(config, readFileSync(join(cwd, "postern.config.ts"), "utf8").replaceAll("0123456789abcdef", "fedcba9876543210"));
    expect(await postern("check", "--config", "other.config.ts")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the secret cannot decrypt"),
    });
  });

  test("keys rotate creates a key that signs at once", async () => {
    const { kid } = json(await postern("keys", "rotate", "--json")) as { readonly kid: string };
    expect((await postern("keys", "list")).out).toContain(`${kid}  signs`);
    expect(await postern("keys", "list", "--tenant", "unknown")).toMatchObject({ code: 1, err: expect.stringContaining("unknown") });
  });

  test("keys rotate creates a key that signs later", async () => {
    const { out } = await postern("keys", "rotate", "--activate-in-days", "3");
    expect(out).toMatch(/signs in 3 days\.\n$/);
    const [kid] = out.split(" ");
    expect((await postern("keys", "list")).out).toContain(`${kid}  next`);
  });

  test("tenants create adds a tenant to the list", async () => {
    expect(await postern("tenants", "create", "acme", "--name", "Acme")).toMatchObject({ code: 0 });
    expect(await postern("tenants", "list")).toMatchObject({ code: 0, out: expect.stringContaining("acme  Acme") });
    expect(await postern("tenants", "create", "acme")).toMatchObject({ code: 1 });
  });

  test("tenants export writes all pages of each list, and no secrets", async () => {
    const { open } = (await import(join(cwd, "postern.config.ts"))) as PosternConfig;
    const { postern: service, data } = await open();
    const main = service.tenant("main");
    const secret = await main.clients.create({ name: "Shop", app_type: "regular_web" });
    for (let i = 0; i < 120; i++) await main.roles.create({ name: `role ${String(i).padStart(3, "0")}` });
    await main.resourceServers.create({ identifier: "https://api.example.test/", scopes: [{ value: "read:books" }] });
    const id = (await main.roles.list())[0]?.id ?? "";
    await main.roles.permissions.add(id, {
      permissions: [{ resource_server_identifier: "https://api.example.test/", permission_name: "read:books" }],
    });
    await data.close?.();
    expect(await postern("tenants", "export", "main.json")).toMatchObject({ code: 0 });
    const text = readFileSync(join(cwd, "main.json"), "utf8");
    const file = JSON.parse(text) as { readonly [name: string]: readonly { readonly [name: string]: unknown }[] };
    expect(file["clients"]).toContainEqual(expect.objectContaining({ client_id: secret.client_id, name: "Shop" }));
    expect(file["roles"]).toHaveLength(120);
    expect(file["roles"]?.find((role) => role["id"] === id)?.["permissions"]).toMatchObject([{ permission_name: "read:books" }]);
    expect(file["resource_servers"]).toContainEqual(expect.objectContaining({ identifier: "https://api.example.test/" }));
    expect(text).not.toContain(secret.client_secret ?? "");
    expect(secret.client_secret).toMatch(/.{30}/);
    expect(statSync(join(cwd, "main.json")).mode & 0o077).toBe(0);
    expect(await postern("tenants", "export", "unknown.json", "--tenant", "unknown")).toMatchObject({ code: 1 });
    expect(existsSync(join(cwd, "unknown.json"))).toBe(false);
  });

  test("users import writes rejected users to a file, and users export writes the imported users", async () => {
    const lines = [
      JSON.stringify({ email: "ann@example.test", email_verified: true }),
      "no JSON",
      "",
      JSON.stringify({ email: "bob@example.test", password_hash: "$nothing" }),
      JSON.stringify({ email: "cy@example.test" }),
    ];
    writeFileSync(join(cwd, "users.ndjson"), lines.join("\n"));
    const ran = await postern("users", "import", "users.ndjson", "--rejected", "rejected.ndjson", "--json");
    expect(ran.code).toBe(1);
    expect(json(ran)).toEqual({ total: 4, inserted: 2, updated: 0, failed: 2 });
    const rejected = readFileSync(join(cwd, "rejected.ndjson"), "utf8").trim().split("\n");
    expect(rejected).toHaveLength(2);
    expect(rejected.join()).toContain("bob@example.test");
    expect(statSync(join(cwd, "rejected.ndjson")).mode & 0o077).toBe(0);
    expect(await postern("users", "export", "out.ndjson")).toMatchObject({ code: 0 });
    const users = readFileSync(join(cwd, "out.ndjson"), "utf8").trim().split("\n");
    expect(users.map((line) => (JSON.parse(line) as { readonly email?: string }).email)).toEqual(["ann@example.test", "cy@example.test"]);
    expect(await postern("users", "export", "out.ndjson")).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
    chmodSync(join(cwd, "out.ndjson"), 0o644);
    expect(await postern("users", "export", "out.ndjson", "--force")).toMatchObject({ code: 0 });
    expect(statSync(join(cwd, "out.ndjson")).mode & 0o077).toBe(0);
    expect(await postern("users", "import", "nothing.ndjson")).toMatchObject({ code: 2 });
    expect(await postern("users", "import", "users.ndjson", "--connection", "elsewhere")).toMatchObject({ code: 1 });
    expect(await postern("users", "export", "out.xml", "--format", "xml")).toMatchObject({ code: 2 });
  });

  test("users import reports rejected users by line number, even if lines are equal", async () => {
    const ann = JSON.stringify({ email: "ann@example.test" });
    const lines = ["no JSON", ann, "", "1", ann, "no JSON", JSON.stringify({ email: "no address" })];
    writeFileSync(join(cwd, "users.ndjson"), lines.join("\n"));
    const { err } = await postern("users", "import", "users.ndjson");
    const numbers = err
      .trim()
      .split("\n")
      .map((line) => /^line (\d+): \S/.exec(line)?.[1]);
    // The import detects existing users after it has detected the other errors.
    expect(numbers).toEqual(["1", "4", "6", "7", "5"]);
    await postern("users", "import", "users.ndjson", "--rejected", "rejected.ndjson");
    const rejected = readFileSync(join(cwd, "rejected.ndjson"), "utf8").trim().split("\n");
    expect(rejected.map((line) => (JSON.parse(line) as { readonly line: number }).line)).toEqual([1, 4, 6, 7, 2, 5]);
  });

  test("tenants commands report a missing control plane", async () => {
    const config = readFileSync(join(cwd, "postern.config.ts"), "utf8").replace("controlPlane: { tenantId: ", "defaultTenantId: ");
    writeFileSync(join(cwd, "alone.config.ts"), config.replace('defaultTenantId: "main" }', 'defaultTenantId: "main"'));
    const failure = { code: 1, err: "postern: this service has no control plane: see docs/tenants.md\n" };
    expect(await postern("tenants", "list", "--config", "alone.config.ts")).toMatchObject(failure);
    expect(await postern("tenants", "create", "acme", "--config", "alone.config.ts")).toMatchObject(failure);
    // With a control plane, naming another tenant as the control plane is a different error.
    expect(await postern("tenants", "create", "acme")).toMatchObject({ code: 0 });
    for (const other of ["unknown", "acme"]) {
      const { code, err } = await postern("tenants", "list", "--control-plane", other);
      expect(code).toBe(1);
      expect(err).not.toContain("no control plane");
    }
  });

  test("sweep ends when nothing is left to do", async () => {
    expect(json(await postern("sweep", "--json"))).toEqual({ removed: 0, sealedAnew: 0, olderKeysInUse: false, skippedTenants: [] });
  });
});

test("postern secret new prints a different secret each time", async () => {
  const [first, second] = [await postern("secret", "new"), await postern("secret", "new")];
  expect(first.out).toMatch(/^[\w-]{43}\n$/);
  expect(second.out).not.toBe(first.out);
});

describe("postern secret rotate", () => {
  /** Reads `.env`. Deletes the variable from this process, so that the next command loads it from `.env`. */
  const env = (): string => {
    delete process.env["POSTERN_SECRET"];
    return readFileSync(join(cwd, ".env"), "utf8");
  };
  beforeEach(async () => {
    delete process.env["POSTERN_SECRET"];
    await postern("init", "--framework", "node");
    useDatabase("own.db");
    expect(await postern("migrate", "apply")).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, ".env"), `FIRST=1\n${env()}LAST='2'\n`);
  });
  afterEach(() => delete process.env["POSTERN_SECRET"]);

  test("replaces the secret in three calls, and can decrypt existing data after each call", async () => {
    const [, before = ""] = /^POSTERN_SECRET=(.*)$/m.exec(env()) ?? [];
    const { openPostern } = (await import(join(cwd, "postern.config.ts"))) as { openPostern(): Promise<{ close(): Promise<void> }> };
    process.env["POSTERN_SECRET"] = before;
    process.env["APP_SECRET"] = "for-this-test-only-0123456789abcdef";
    await (await openPostern()).close(); // seeds the tenant
    const { kid } = json(await postern("keys", "rotate", "--json")) as { readonly kid: string }; // encrypted with the secret

    const steps = ["added", "in front", "done"];
    for (const [index, step] of steps.entries()) {
      env();
      expect(json(await postern("secret", "rotate", "--json"))).toMatchObject({ step });
      const [, ring = ""] = /^POSTERN_SECRET=(.*)$/m.exec(env()) ?? [];
      const added = /2:([\w-]{43})/.exec(ring)?.[0] ?? "no new secret";
      expect(ring).toBe([`1:${before},${added}`, `${added},1:${before}`, added][index]);
      expect(await postern("check")).toMatchObject({ code: 0 });
      expect((await postern("keys", "list")).out).toContain(`${kid}  signs`);
    }
    expect(env()).toMatch(/^FIRST=1\nDATABASE_URL=.*\nPOSTERN_SECRET=.*\nAPP_SECRET=.*\nBACKEND_SECRET=.*\nLAST='2'\n$/);
    expect(statSync(join(cwd, ".env")).mode & 0o077).toBe(0);
    expect(existsSync(join(cwd, ".env.new"))).toBe(false);
  });

  test("keeps the old secret if some data that it encrypted cannot be re-encrypted", async () => {
    const old = "0123456789abcdefghijklmnopqrstuvwxyzABCDEF";
    const { createPostern } = await import("@postern/core");
    const { openDatabase } = await import("@postern/kysely/url");
    const data = await openDatabase(`sqlite:${join(cwd, "own.db")}`);
    const crypto = { secret: old };
    const service = createPostern({ issuer: "http://localhost:3000/auth/", data, crypto, defaultTenantId: "main" });
    const options = { client_id: "app", client_secret: "for-this-test-only" };
    await service.seed({ tenantId: "main", connections: [{ name: "google", strategy: "google-oauth2", settings: { options } }] });
    const { kid } = await service.tenant("main").keys.signing.rotate({});
    await data.collections.signing_keys.update({ tenant_id: "main", kid }, { set: { private_key: "1.damaged" } });
    await data.close();
    const ring = `2:${old}x,1:${old}`;
    writeFileSync(join(cwd, ".env"), `POSTERN_SECRET=${ring}\n`);
    expect(await postern("secret", "rotate")).toMatchObject({ code: 1, err: expect.stringContaining("still required") });
    expect(env()).toBe(`POSTERN_SECRET=${ring}\n`);
  });

  test.each([
    ["POSTERN_SECRET=a:first-0123456789abcdef0123456789abcdef\n", "does not have a number as its id"],
    ["POSTERN_SECRET=one,two\n", "id:secret"],
    ["OTHER=1\n", "no POSTERN_SECRET"],
  ])("rejects %j and writes nothing", async (text, message) => {
    writeFileSync(join(cwd, ".env"), text);
    expect(await postern("secret", "rotate")).toMatchObject({ out: "", err: expect.stringContaining(message) });
    expect(env()).toBe(text);
  });

  test("rejects a secret that the environment overrides", async () => {
    const before = env();
    process.env["POSTERN_SECRET"] = "set-elsewhere-0123456789abcdef012345";
    expect(await postern("secret", "rotate")).toMatchObject({ code: 2, err: expect.stringContaining("set in the environment") });
    expect(readFileSync(join(cwd, ".env"), "utf8")).toBe(before);
  });
});
