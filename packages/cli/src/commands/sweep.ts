import type { Postern, Swept } from "@postern/core";
import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";
import type { Output } from "../output.ts";

/** Removes what has expired, in as many steps as there are. */
export function sweepCommand(place: Place): CommandDef {
  const { output } = place;
  return command({
    meta: { name: "sweep", description: "Remove what has expired, finish removals, and seal anew what an older secret sealed" },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const swept = await sweepAll(postern, output);
        const older = swept.olderKeysInUse ? " An older secret is still needed: leave it in the key ring." : "";
        const skipped =
          swept.skippedTenants.length > 0 ? ` Skipped, because their databases failed: ${swept.skippedTenants.join(", ")}.` : "";
        output.result(swept, `${swept.removed} removed, ${swept.sealedAnew} sealed anew.${older}${skipped}`);
      }),
  });
}

/** Sweeps until there is nothing left to do. */
export async function sweepAll(postern: Postern, output: Output): Promise<Omit<Swept, "finished">> {
  let [removed, sealedAnew] = [0, 0];
  const skipped = new Set<string>();
  for (;;) {
    const swept = await postern.jobs.sweep();
    removed += swept.removed;
    sealedAnew += swept.sealedAnew;
    for (const tenantId of swept.skippedTenants) skipped.add(tenantId);
    output.progress(`${removed} removed, ${sealedAnew} sealed anew`);
    // What an older key sealed and none of the ring opens would never be finished.
    if (swept.finished || swept.removed + swept.sealedAnew === 0) {
      return { removed, sealedAnew, olderKeysInUse: swept.olderKeysInUse, skippedTenants: [...skipped] };
    }
  }
}
