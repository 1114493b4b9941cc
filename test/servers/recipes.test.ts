import { exec, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv, pack } from "./support/packed.ts";
import { givePassword, sayWho } from "./support/person.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";

/** The recipes of docs/log-in-from-your-app.md, word by word: each command and each file of the page, in an empty folder, with plain npm, to a login in a browser. */
const page = readFileSync(join(import.meta.dirname, "../../docs/log-in-from-your-app.md"), "utf8");

/** A block of a step: a command, or a file. */
interface Block {
  readonly language: string;
  /** The file's name, where the step writes several. */
  readonly file: string;
  readonly text: string;
}

interface Step {
  readonly number: number;
  readonly says: string;
  readonly blocks: readonly Block[];
}

/** The steps below each heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split("\n", 1)[0] ?? "", stepsOf(section)] as const),
);
const [[, server = []] = [], ...recipes] = sections;

function stepsOf(section: string): readonly Step[] {
  return [...section.matchAll(/^(\d+)\. (.*)\n((?:\n|   .*\n)*)/gm)].map(([, number, says = "", below = ""]) => ({
    number: Number(number),
    says,
    blocks: [...below.matchAll(/^   ```(\w+) ?([^\n]*)\n(.*?)^   ```$/gms)].map(([, language = "", file = "", text = ""]) => ({
      language,
      file,
      text: text.replaceAll(/^   /gm, ""),
    })),
  }));
}

let browser: Browser;
let registry: Registry;
let tarballs: string;
beforeAll(async () => {
  tarballs = mkdtempSync(join(tmpdir(), "postern-tarballs-"));
  registry = await serveRegistry(await pack(["core", "app", "express", "kysely"], tarballs));
  browser = await launchBrowser();
}, 300_000);
afterAll(async () => {
  await browser.close();
  await registry.close();
  rmSync(tarballs, { recursive: true });
});

test.for(recipes)("%s: from an empty folder to a login in a browser", { timeout: 300_000 }, async ([name, own], { skip }) => {
  const steps = [...server, ...own];
  expect(steps.map(({ number }) => number)).toEqual(steps.map((_, place) => place + 1));
  console.log(`${name}: ${steps.length} steps`);
  expect(steps.length).toBeLessThanOrEqual(7);

  const folder = mkdtempSync(join(tmpdir(), "postern-recipe-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  for (const step of steps) {
    for (const { language, file, text } of step.blocks) {
      if (language !== "sh") write(folder, file === "" ? (/`([^`]+)`/.exec(step.says)?.[1] ?? "") : file, text);
      else if (step.says.includes("install")) await fromRegistry(name, skip, () => promisify(exec)(text, { cwd: folder, env: npmEnv }));
      else start(folder, text.trim());
    }
    if (step.says.startsWith("Start")) await answering(step.blocks[0]?.text.includes("id.js") === true ? 4000 : 3000);
  }
  await signIn(steps.at(-1)?.says ?? "");
});

function write(folder: string, name: string, text: string): void {
  expect(name).not.toBe("");
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Starts what goes on until the test is over. */
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
    // The shell and what it started.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
  });
}

async function answering(port: number): Promise<void> {
  const answered = () => fetch(`http://localhost:${port}/`, { redirect: "manual" }).then(() => true, String);
  await expect.poll(answered, { timeout: 60_000 }).toBe(true);
}

/** What the last step asks of a person. */
async function signIn(says: string): Promise<void> {
  const [, address = ""] = /<(http[^>]+)>/.exec(says) ?? [];
  const [, chosen] = /choose "([^"]+)"/.exec(says) ?? [];
  const [, email = "", password = ""] = /as `([^`]+)` with `([^`]+)`/.exec(says) ?? [];
  const context = await browser.newContext({ locale: "en-US" });
  onTestFinished(() => context.close());
  const tab = await context.newPage();
  await tab.goto(address);
  if (chosen !== undefined) await tab.getByText(chosen, { exact: true }).click();
  await tab.waitForURL("http://localhost:4000/**");
  await sayWho(tab, email);
  await givePassword(tab, password);
  await tab.waitForURL("http://localhost:3000/**");
  await expect.poll(() => tab.textContent("body")).toContain(`Hello ${email}`);
}
