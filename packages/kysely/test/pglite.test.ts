import { PGlite } from "@electric-sql/pglite";
import { createPGliteAdapter } from "@postern/kysely";
import { keepsTheContract, keepsTheContractWithin, type Within } from "./contract.ts";
import { during, pgliteInMemory } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

const instance = new PGlite();
const data = createPGliteAdapter({ instance, closes: true });
const open = during(() => data);

answersLikeCore(open, 5);
keepsTheContract(open, async () => {
  const adapter = pgliteInMemory();
  await adapter.migrate();
  return adapter;
});
keepsTheContractWithin(
  () =>
    new Promise<Within>((begun, failed) => {
      const ended = Promise.withResolvers<void>();
      const whole = instance.transaction(async (transaction) => {
        const rollBack = async (): Promise<void> => {
          await transaction.rollback();
          ended.resolve();
          await whole;
        };
        begun({ data: data.within(transaction), rollBack });
        await ended.promise;
      });
      whole.catch(failed);
    }),
);
