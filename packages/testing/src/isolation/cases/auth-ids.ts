import { allIds } from "../all-ids.ts";
import { startComparison } from "../comparison.ts";
import type { IsolationDefinition } from "../definition.ts";
import type { ApiOperation } from "../document.ts";
import { createAttacker, replayArtifact } from "../replay-artifact.ts";

/**
 * Returns a case for each operation of the Auth API. It sends every id from the owner tenant in each parameter and body
 * member.
 */
export function authIdCases(operations: readonly ApiOperation[]): readonly IsolationDefinition[] {
  return operations
    .filter(({ parameters, body }) => body !== undefined || parameters.length > 0)
    .map((operation) => ({
      name: `ids: ${operation.title}`,
      async run(fixture) {
        const comparison = startComparison(fixture);
        const attacker = await createAttacker(fixture);
        await replayArtifact(operation, attacker, comparison, { values: [...(await allIds(fixture))] });
        comparison.assertNoDifference();
      },
    }));
}
