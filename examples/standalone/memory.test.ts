import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { memorySettings } from "./src/memory.ts";

const [semiSpace, oldSpace, growth] = ["--max-semi-space-size=4", "--initial-old-space-size=48", "--heap-growing-percent=20"];

test("adds the settings of V8 and of the C library", () => {
  const { flags, env } = memorySettings({ flags: [], env: {} });
  expect(flags).toEqual([semiSpace, oldSpace, growth]);
  expect(Object.keys(env)).toEqual(["GLIBC_TUNABLES"]);
});

test("keeps the operator's settings", () => {
  expect(memorySettings({ flags: ["--max-semi-space-size=16"], env: {} }).flags).toEqual([oldSpace, growth]);
  expect(memorySettings({ flags: [], env: { NODE_OPTIONS: "--max_semi_space_size=16" } }).flags).toEqual([oldSpace, growth]);
  expect(memorySettings({ flags: [], env: { GLIBC_TUNABLES: "" } }).env).toEqual({});
});

test("Node.js accepts the settings", () => {
  const { flags, env } = memorySettings({ flags: [], env: {} });
  const { status, stderr } = spawnSync(process.execPath, [...flags, "--eval", ""], { env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
