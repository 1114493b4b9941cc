import { describe, test } from "vitest";
import { createIsolationCases } from "../../src/isolation.ts";
import { openInstallation } from "./installation.ts";

describe("the records of acme are unknown to globex:", async () => {
  const { tenant, ...installation } = await openInstallation();
  const cases = await createIsolationCases({ ...installation, owner: await tenant("acme"), stranger: await tenant("globex") });
  for (const { name, run } of cases) test(name, run);
});
