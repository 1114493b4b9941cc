import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Postern, RateLimiter } from "@postern/core";
import { build } from "esbuild";
import { expect, onTestFinished, test, vi } from "vitest";

const root = join(import.meta.dirname, "../..");

/** A store that `docs/rate-limits.md` has a code block for. */
export interface RecipeStore {
  /** The heading above the code block. */
  readonly heading: "Memory" | "Redis" | "Valkey" | "PostgreSQL";
  /** Environment variables that the code block reads. */
  readonly env: { readonly [name: string]: string };
  /** An expression that closes the connection, with the variables of the code block. */
  readonly close: string;
}

/** The exports of a code block. */
interface Recipe {
  readonly rateLimiter: RateLimiter;
  readonly postern: Postern;
  readonly close: () => unknown;
}

/**
 * Runs the code block of a store as a separate module, and closes it after the test. Each call simulates another
 * process.
 */
export async function runRecipe(store: RecipeStore, edit: (code: string) => string = (code) => code): Promise<Recipe> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "rate-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "recipe.mjs");
  await build({
    stdin: { contents: `${edit(codeBlock(store))}\nexport const close = () => ${store.close};\n`, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["iovalkey", "pg", "rate-limiter-flexible", "redis"],
    logLevel: "warning",
  });
  for (const [name, value] of Object.entries({ POSTERN_SECRET: "0123456789abcdef0123456789abcdef", ...store.env })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const recipe: unknown = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
  if (!isRecipe(recipe)) throw new Error(`the code block of ${store.heading} does not export 'rateLimiter' and 'postern'`);
  onTestFinished(async () => void (await recipe.close()));
  return recipe;
}

function codeBlock({ heading }: RecipeStore): string {
  const page = readFileSync(join(root, "docs/rate-limits.md"), "utf8");
  const section = page.slice(page.indexOf(`\n### ${heading}\n`));
  const [, code] = /^```ts\n(.*?)^```$/ms.exec(section) ?? [];
  if (code === undefined) throw new Error(`docs/rate-limits.md has no code block for ${heading}`);
  return code;
}

function isRecipe(value: unknown): value is Recipe {
  return typeof value === "object" && value !== null && "rateLimiter" in value && "postern" in value && "close" in value;
}

/** Sets the window of `pre-login` to two seconds. */
const withShortWindow = (code: string): string => code.replace("duration: 60 }", "duration: 2 }");

const limit = 30;

/** Adds the tests that the code block of every store must pass. */
export function testRecipe(store: RecipeStore): void {
  test("allows as many parallel attempts as the limit, and rejects others with the time until a retry is allowed", async () => {
    const { rateLimiter } = await runRecipe(store);
    const key = `main:${crypto.randomUUID()}`;
    const decisions = await Promise.all(Array.from({ length: limit + 10 }, () => rateLimiter.consume("pre-login", key)));
    const rejected = decisions.filter((decision) => decision?.allowed === false);
    expect(rejected).toHaveLength(10);
    for (const decision of rejected) {
      expect(decision?.retryAfterSeconds).toBeGreaterThan(50);
      expect(decision?.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
    expect(await rateLimiter.consume("pre-login", `main:${crypto.randomUUID()}`)).toEqual({ allowed: true });
    expect(await rateLimiter.consume("message-destination", key)).toBeUndefined();
  });

  test("allows attempts after the window, even if rejected attempts continued throughout it", async () => {
    const { rateLimiter } = await runRecipe(store, withShortWindow);
    const key = `main:${crypto.randomUUID()}`;
    const consume = () => rateLimiter.consume("pre-login", key);
    const decisions = await Promise.all(Array.from({ length: limit + 1 }, consume));
    expect(decisions.filter((decision) => decision?.allowed === false)).toHaveLength(1);
    await expect.poll(consume, { interval: 20, timeout: 10_000 }).toEqual({ allowed: true });
    expect(await consume()).toEqual({ allowed: true });
  });

  test("responds to a sign-in over the limit with 429 and the headers that Auth0's SDKs read", async () => {
    const recipe = await runRecipe(store);
    const address = await seedSignIn(recipe);
    expect((await sendPasswordGrantFrom(recipe, address)).status).toBe(200);
    await Promise.all(Array.from({ length: limit }, () => recipe.rateLimiter.consume("pre-login", `main:${address}`)));
    const response = await sendPasswordGrantFrom(recipe, address);
    expect(response.status).toBe(429);
    const header = (name: string): number => Number(response.headers.get(name) ?? NaN);
    expect(header("retry-after")).toBeGreaterThan(30);
    expect([header("x-ratelimit-limit"), header("x-ratelimit-remaining")]).toEqual([limit, 0]);
    const secondsLeft = header("x-ratelimit-reset") - Date.now() / 1000;
    expect(secondsLeft).toBeGreaterThan(30);
    expect(secondsLeft).toBeLessThanOrEqual(61);
  });
}

const secret = "a-secret-that-is-long-enough-for-tests";
const user = { email: "ada@example.test", password: "correct horse battery" };

/** Creates a client and a user in the tenant `main`. @returns a client address that no other test uses. */
export async function seedSignIn({ postern }: Recipe): Promise<string> {
  const settings = { name: "App", app_type: "regular_web", grant_types: ["password"] } as const;
  await postern.seed({ tenantId: "main", clients: [{ clientId: "app", secret, settings }], user });
  const [a = 0, b = 0] = crypto.getRandomValues(new Uint8Array(2));
  return `10.77.${a}.${b}`;
}

/** Sends a password grant from a client address. */
export async function sendPasswordGrantFrom({ postern }: Recipe, clientAddress: string): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "password",
    client_id: "app",
    client_secret: secret,
    username: user.email,
    password: user.password,
  });
  const headers = { "tenant-id": "main" };
  return postern.fetch(new Request("http://localhost:3000/oauth/token", { method: "POST", headers, body }), { clientAddress });
}
