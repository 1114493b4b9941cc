import { readdirSync } from "node:fs";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";

/** Imports a migration as text, like esbuild's `text` loader in builds. */
const sqlText: Plugin = {
  name: "sql-text",
  enforce: "pre",
  transform: (code, id) => (id.endsWith(".sql") ? { code: `export default ${JSON.stringify(code)};`, map: null } : undefined),
};

/**
 * Options of each project, because projects inherit none from the root. Tests import the packages' sources, never a
 * build.
 */
const source = {
  plugins: [sqlText],
  resolve: { conditions: ["postern-source"] },
  ssr: { resolve: { conditions: ["postern-source"] } },
};

/** Tests that replace a module. */
const alone = "**/*.alone.test.ts";

const shared = {
  // In milliseconds. Long enough for a busy machine, because only the benchmark measures speed.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  // Files share imported modules, which saves a third of the time. A test that changes global state must restore it.
  isolate: false,
  exclude: [...configDefaults.exclude, alone],
};

const packages = readdirSync(new URL("packages", import.meta.url));

export default defineConfig({
  test: {
    // Vitest leaves one core free by default, which is half of a small machine. The tests mostly wait for timers,
    // browsers and servers.
    maxWorkers: "100%",
    projects: [
      ...packages.map((name) => ({
        ...source,
        test: { ...shared, name, include: [`packages/${name}/{src,test}/**/*.test.{ts,tsx}`] },
      })),
      {
        ...source,
        test: {
          ...shared,
          name: "alone",
          isolate: true,
          exclude: configDefaults.exclude,
          include: [`packages/*/src/${alone}`, `test/${alone}`],
        },
      },
      {
        ...source,
        test: { ...shared, name: "examples", include: ["examples/*/*.test.ts"] },
      },
      {
        ...source,
        test: {
          ...shared,
          name: "across",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...shared.exclude, "test/servers/**", "test/clusters/**"],
        },
      },
      {
        ...source,
        test: {
          ...shared,
          name: "servers",
          // Longer than the browser waits for a page (test/pages/browser.ts), so that a failure names the page.
          testTimeout: 180_000,
          hookTimeout: 120_000,
          include: ["test/servers/**/*.test.{ts,tsx}"],
          globalSetup: "test/servers/support/global-setup.ts",
        },
      },
      {
        ...source,
        test: {
          ...shared,
          name: "clusters",
          isolate: true,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          include: ["test/clusters/**/*.test.ts"],
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      reporter: ["text-summary", "json-summary", "html"],
    },
  },
});
