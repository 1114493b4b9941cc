/**
 * Writes the pictures of the admin console in `docs/public`, in light and dark mode, from the running standalone example.
 *
 *     pnpm picture
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fillExample, signInToConsole } from "../servers/support/admin-console.ts";
import type { ReadyLine } from "../standalone/start.ts";
import { launchBrowser } from "./browser.ts";

const example = join(import.meta.dirname, "../../examples/standalone");
const pictures = join(import.meta.dirname, "../../docs/public");
const folder = mkdtempSync(join(tmpdir(), "postern-picture-"));

const names = [
  "Ada Lovelace",
  "Grace Hopper",
  "Alan Turing",
  "Katherine Johnson",
  "Margaret Hamilton",
  "Barbara Liskov",
  "Edsger Dijkstra",
  "Radia Perlman",
  "Hedy Lamarr",
  "Niklaus Wirth",
];

execFileSync(process.execPath, [join(example, "build.js")]);
const server = spawn(process.execPath, [join(example, "run.js")], {
  cwd: folder,
  env: { PATH: process.env["PATH"], PORT: "0", DATABASE_URL: "memory:" },
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const line = await new Promise<string>((resolve) => createInterface(server.stdout).once("line", resolve));
  const ready = JSON.parse(line) as ReadyLine;
  const { url, paths, failSignIn } = await fillExample(ready, names);
  const user = paths.find((path) => path.startsWith("users/Username")) ?? "";
  const shown = { light: { users: "users", "user-events": `${user}/events`, logs: "logs" }, dark: { users: "users" } };
  const browser = await launchBrowser();
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ viewport: { width: 1200, height: 760 }, deviceScaleFactor: 1.5, colorScheme });
      const page = await context.newPage();
      await signInToConsole(page, ready);
      await failSignIn();
      for (const [name, path] of Object.entries(shown[colorScheme])) {
        await page.goto(`${url}t/main/${path}`);
        await page.screenshot({ path: join(pictures, `admin-${name}-${colorScheme}.png`) });
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}
