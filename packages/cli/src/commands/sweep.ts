import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";

/** Removes what has expired, in as many steps as there are. */
export function sweepCommand(place: Place): CommandDef {
  const { output } = place;
  return command({
    meta: { name: "sweep", description: "Remove what has expired, finish removals, and seal anew what an older secret sealed" },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        let [removed, sealedAnew] = [0, 0];
        for (;;) {
          const swept = await postern.sweep();
          removed += swept.removed;
          sealedAnew += swept.sealedAnew;
          output.progress(`${removed} removed, ${sealedAnew} sealed anew`);
          // What an older key sealed and none of the ring opens would never be finished.
          if (swept.finished || swept.removed + swept.sealedAnew === 0) {
            const { olderKeysInUse } = swept;
            const older = olderKeysInUse ? " An older secret is still needed: leave it in the key ring." : "";
            output.result({ removed, sealedAnew, olderKeysInUse }, `${removed} removed, ${sealedAnew} sealed anew.${older}`);
            return;
          }
        }
      }),
  });
}
