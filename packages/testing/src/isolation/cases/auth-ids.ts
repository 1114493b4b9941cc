import { allIds } from "../all-ids.ts";
import { compare } from "../compare.ts";
import type { Definition } from "../definition.ts";
import type { Operation } from "../document.ts";
import { newStand, replayAt } from "../replay-at.ts";

/** One for each operation of the Auth API: every id of the owner's in each of its parameters and members. */
export function authIdCases(operations: readonly Operation[]): readonly Definition[] {
  return operations
    .filter(({ parameters, body }) => body !== undefined || parameters.length > 0)
    .map((operation) => ({
      name: `ids: ${operation.title}`,
      async run(room) {
        const comparison = compare(room);
        const stand = await newStand(room);
        await replayAt(operation, stand, comparison, { values: [...(await allIds(room))] });
        comparison.end();
      },
    }));
}
