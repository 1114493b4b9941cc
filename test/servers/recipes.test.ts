import { exec, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";
import { copyTarballs, npmEnv } from "./support/packed.ts";
import { enterPassword, enterIdentifier } from "./support/login-page.ts";

/*
 * Follows the recipes of two guides literally: every command and file, in an empty folder, with plain npm, up to a
 * login in a browser.
 */

/** A code block of a step: a command or a file. */
interface Block {
  readonly language: string;
  /** The file's name. Empty if the step has one file, which its text names. */
  readonly file: string;
  readonly text: string;
}

interface Step {
  readonly number: number;
  readonly instruction: string;
  readonly blocks: readonly Block[];
}

/** Returns the steps below each heading of a guide. */
function sectionsOf(guide: string): readonly (readonly [heading: string, steps: readonly Step[]])[] {
  return readFileSync(join(import.meta.dirname, "../../docs", guide), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0] ?? "", stepsOf(section)] as const);
}

const [serverSection, ...recipes] = sectionsOf("log-in-from-your-app.md");
const server = serverSection?.[1] ?? [];
const frameworks = new Set(["Express", "Hono", "Next.js"]);
const firstApps = sectionsOf("first-app.md").filter(([heading]) => frameworks.has(heading));

function stepsOf(section: string): readonly Step[] {
  return [...section.matchAll(/^(\d+)\. (.*)\n((?:\n|   .*\n)*)/gm)].map(([, number, instruction = "", content = ""]) => ({
    number: Number(number),
    instruction,
    blocks: [...content.matchAll(/^   ```(\w+) ?([^\n]*)\n(.*?)^   ```$/gms)].map(([, language = "", file = "", text = ""]) => ({
      language,
      file,
      text: text.replaceAll(/^   /gm, ""),
    })),
  }));
}

let browser: Browser;
/** The parent of the reader's folder. It also contains `postern/tarballs`, like a clone of the repository. */
let parent: string;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), "postern-recipes-"));
  mkdirSync(join(parent, "postern/tarballs"), { recursive: true });
  await copyTarballs(["core", "app", "memory", "express", "hono", "kysely", "next", "testing", "cli"], join(parent, "postern/tarballs"));
  browser = await launchBrowser();
}, 300_000);
afterAll(async () => {
  await browser.close();
  rmSync(parent, { recursive: true });
});

test.for(recipes)(
  "the recipe for %s works from an empty folder to a login in a browser",
  { timeout: 300_000 },
  async ([name, ownSteps], { skip }) => {
    if (!isNightly && name !== recipes[0]?.[0]) skip(onlyNightly);
    const steps = [...server, ...ownSteps];
    await follow(name, steps, skip);
    await signIn(steps.at(-1)?.instruction ?? "");
  },
);

test.for(firstApps)(
  "the guide for %s works from an empty folder to a protected page, a protected API and logout",
  { timeout: 600_000 },
  async ([name, steps], { skip }) => {
    if (!isNightly && name !== "Express") skip(onlyNightly);
    await follow(name, steps, skip);
    const tab = await openTab();
    await signInAs(tab, steps.at(-1)?.instruction ?? "");

    await tab.goto("http://localhost:3000/me");
    await expect.poll(() => tab.textContent("body")).toContain("Hello me@example.com");
    expect(await fetch("http://localhost:3000/api/me")).toMatchObject({ status: 401 });
    await tab.goto("http://localhost:3000/call-api");
    expect(await tab.textContent("body")).toContain('{"user":"Username-Password-Authentication|');

    await tab.goto(name === "Next.js" ? "http://localhost:3000/me" : "http://localhost:3000/");
    await tab.getByText("Sign out", { exact: true }).click();
    await tab.waitForURL("http://localhost:3000/");
    await tab.goto("http://localhost:3000/me");
    await tab.waitForURL("http://localhost:3000/auth/**");
  },
);

/** Follows the steps of a guide in an empty folder. Processes that a step starts end with the test. */
async function follow(name: string, steps: readonly Step[], skip: (reason: string) => never): Promise<void> {
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, place) => place + 1));
  console.log(`${name}: ${steps.length} steps`);
  expect(steps.length).toBeLessThanOrEqual(7);

  // create-next-app uses the folder's name as the package name, and npm allows no capital letters there.
  const folder = join(parent, `app-${readdirSync(parent).length}`);
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const step of steps) {
    for (const { language, file, text } of step.blocks) {
      if (language !== "sh") write(folder, file === "" ? (/`([^`]+)`/.exec(step.instruction)?.[1] ?? "") : file, text);
      else if (step.instruction.startsWith("Start")) start(folder, text.trim());
      else await fromRegistry(name, skip, () => promisify(exec)(`set -e\n${text}`, { cwd: folder, env: npmEnv }));
    }
    if (step.instruction.startsWith("Start")) await waitForServer(step.blocks[0]?.text.includes("id.js") === true ? 4000 : 3000);
  }
}

function write(folder: string, name: string, text: string): void {
  expect(name).not.toBe("");
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Starts a process that ends with the test. */
function start(folder: string, command: string): void {
  const child: ChildProcess = spawn(command, {
    cwd: folder,
    env: npmEnv,
    shell: true,
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    // Kills the shell and its children.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
  });
}

async function waitForServer(port: number): Promise<void> {
  const responds = () => fetch(`http://localhost:${port}/`, { redirect: "manual" }).then(() => true, String);
  await expect.poll(responds, { timeout: 60_000 }).toBe(true);
}

async function openTab(): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US" });
  onTestFinished(() => context.close());
  return context.newPage();
}

/** Performs the last step of a recipe in a browser. */
async function signIn(instruction: string): Promise<void> {
  const tab = await openTab();
  const email = await signInAs(tab, instruction);
  await expect.poll(() => tab.textContent("body")).toContain(`Hello ${email}`);
}

/** Signs in at the page and with the account that a step names. @returns the email address. */
async function signInAs(tab: Page, instruction: string): Promise<string> {
  const [, address = ""] = /<(http[^>]+)>/.exec(instruction) ?? [];
  const [, connectionName] = /choose "([^"]+)"/.exec(instruction) ?? [];
  const [, email = "", password = ""] = /as `([^`]+)`\s+with\s+`([^`]+)`/.exec(instruction) ?? [];
  await tab.goto(address);
  if (connectionName !== undefined) await tab.getByText(connectionName, { exact: true }).click();
  await enterIdentifier(tab, email);
  await enterPassword(tab, password);
  await tab.waitForURL((url) => url.port === "3000" && !url.pathname.startsWith("/auth/u/"));
  return email;
}
