import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("no other package depends on the console or imports it", () => {
  const others = globSync("packages/*/", { cwd: root }).filter((folder) => !/packages.admin$/.test(folder));
  expect(others.length).toBeGreaterThan(8);
  const found = others.flatMap((folder) =>
    // The templates of the CLI are texts of files in a new app.
    ["package.json", ...globSync("src/**/*.{ts,tsx}", { cwd: root + folder, exclude: ["src/templates/**"] })]
      .map((file) => `${folder}/${file}`)
      .filter((file) => /(from|import\() ?"@postern\/admin|"@postern\/admin": "/.test(readFileSync(root + file, "utf8"))),
  );
  expect(found).toEqual([]);
});

test("a process that imports the service loads no file of the console", () => {
  const program = `
    import { registerHooks } from "node:module";
    const urls = [];
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
    await import("@postern/core");
    await import("@postern/app");
    console.log(JSON.stringify(urls.filter((url) => url.startsWith("file:"))));`;
  const { resolve } = createRequire(`${root}packages/admin/package.json`);
  expect(resolve("preact")).toContain("preact");
  const printed = execFileSync(
    process.execPath,
    ["--conditions=postern-source", `--import=${root}scripts/tsx.ts`, "--input-type=module", "--eval", program],
    {
      cwd: `${root}packages/admin`,
      encoding: "utf8",
    },
  );
  expect(printed).toContain("core");
  expect(printed).not.toContain("packages/admin");
});
