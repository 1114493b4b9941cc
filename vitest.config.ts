import { readdirSync } from "node:fs";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";

/** A migration is imported as its text, as esbuild's `text` loader does it in builds. */
const sqlText: Plugin = {
  name: "sql-text",
  enforce: "pre",
  transform: (code, id) => (id.endsWith(".sql") ? { code: `export default ${JSON.stringify(code)};`, map: null } : undefined),
};

/** Projects inherit nothing from the root, so each one spreads this: tests read the packages' sources, never a build. */
const source = {
  plugins: [sqlText],
  resolve: { conditions: ["postern-source"] },
  ssr: { resolve: { conditions: ["postern-source"] } },
};

/** Tests that put something else in the place of a module. */
const alone = "**/*.alone.test.ts";

const shared = {
  // Milliseconds. Long enough for a machine that does much else: how fast something is, is the benchmark's to say.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
  // Files share what they import, which saves a third of the time. A test that changes what is global takes it back.
  isolate: false,
  exclude: [...configDefaults.exclude, alone],
};

const packages = readdirSync(new URL("packages", import.meta.url));

export default defineConfig({
  test: {
    // One core is left free by default, which is half of a small machine; tests wait for timers, browsers and servers more than they compute.
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
          isolate: true,
          include: ["test/servers/**/*.test.{ts,tsx}"],
          globalSetup: "test/servers/support/shared-browser.ts",
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
