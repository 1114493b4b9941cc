import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdapterCases } from "@postern/adapter-tests";
import { afterAll, describe, expect, test } from "vitest";
import { logAdapter } from "./log-adapter.ts";

const folder = await mkdtemp(join(tmpdir(), "postern-log-"));
const adapter = await logAdapter(join(folder, "data.log"));

afterAll(async () => {
  await adapter.close?.();
  await rm(folder, { recursive: true });
});

describe("the data contract", () => {
  const options = { open: () => adapter, openToClose: () => logAdapter(join(folder, "closed.log")) };
  for (const { name, run } of createAdapterCases(options)) test(name, run);
});

test("completed writes survive a crash, and an incomplete write is ignored", async () => {
  const path = join(folder, "crash.log");
  const before = await logAdapter(path);
  const assertion = (jti_hash: string) => ({ tenant_id: "t", jti_hash, expires_at: 1 });
  await before.collections.used_assertions.insert([assertion("a"), assertion("b")]);
  await before.collections.used_assertions.delete({ tenant_id: "t", jti_hash: "b" });
  await before.close?.();
  await appendFile(path, '\n[["[\\"used_assertions\\",\\"rows\\",\\"t\\"]","[\\"t\\",\\"c\\"]","{\\"ten');

  const after = await logAdapter(path);
  expect(await after.collections.used_assertions.find({ where: { tenant_id: "t" }, limit: 9 })).toEqual([assertion("a")]);
  expect(await after.collections.used_assertions.insert([assertion("d")])).toBe(true);
  await after.close?.();

  const reopened = await logAdapter(path);
  expect(await reopened.collections.used_assertions.count({ tenant_id: "t" })).toBe(2);
  expect(await reopened.collections.used_assertions.insert([assertion("a")])).toBe(false);
  await reopened.close?.();
});
