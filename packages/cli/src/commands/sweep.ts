import type { Postern, SweepResult } from "@postern/core";
import type { CommandDef } from "citty";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";
import type { Output } from "../output.ts";

/** Deletes expired data, in as many steps as necessary. */
export function sweepCommand(environment: CommandEnvironment): CommandDef {
  const { output } = environment;
  return command({
    meta: { name: "sweep", description: "Delete expired data, finish interrupted deletions, and re-encrypt data from an older secret" },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const swept = await sweepAll(postern, output);
        const older = swept.olderKeysInUse ? " An older secret is still required: keep it in the key ring." : "";
        const skipped =
          swept.skippedTenants.length > 0 ? ` Skipped because their databases failed: ${swept.skippedTenants.join(", ")}.` : "";
        output.result(swept, `${swept.removed} deleted, ${swept.sealedAnew} re-encrypted.${older}${skipped}`);
      }),
  });
}

/** Sweeps until there is nothing left to do. */
export async function sweepAll(postern: Postern, output: Output): Promise<Omit<SweepResult, "finished">> {
  let [removed, sealedAnew] = [0, 0];
  const skipped = new Set<string>();
  for (;;) {
    const swept = await postern.jobs.sweep();
    removed += swept.removed;
    sealedAnew += swept.sealedAnew;
    for (const tenantId of swept.skippedTenants) skipped.add(tenantId);
    output.progress(`${removed} deleted, ${sealedAnew} re-encrypted`);
    // The loop ends if a call makes no progress: data that no key in the key ring decrypts can never be re-encrypted.
    if (swept.finished || swept.removed + swept.sealedAnew === 0) {
      return { removed, sealedAnew, olderKeysInUse: swept.olderKeysInUse, skippedTenants: [...skipped] };
    }
  }
}
