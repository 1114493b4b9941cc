import { keepsTheContract } from "./contract.ts";
import { during, pgliteInMemory } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

const open = during(pgliteInMemory);

answersLikeCore(open, 5);
keepsTheContract(open, async () => {
  const adapter = pgliteInMemory();
  await adapter.migrate();
  return adapter;
});
