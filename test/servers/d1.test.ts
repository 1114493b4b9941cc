import { d1Adapter, type D1Database, type TableAdapter } from "@postern/kysely/d1";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepsTheContract } from "../../packages/kysely/test/contract.ts";
import { during } from "../../packages/kysely/test/databases.ts";
import { answersLikeCore } from "../../packages/kysely/test/reference.ts";
import { installMiniflare } from "./support/miniflare.ts";

const installed = await installMiniflare();
const miniflare = installed.start({ modules: true, script: "export default {}", d1Databases: ["contract", "closed"] });
afterAll(async () => { await miniflare.dispose(); installed.remove(); });
const open = during(async () => d1Adapter({ database: await miniflare.getD1Database("contract") }));
answersLikeCore(open, 20);
keepsTheContract(open, async () => {
  const a = d1Adapter({ database: await miniflare.getD1Database("closed") });
  await a.migrate();
  return a;
});
