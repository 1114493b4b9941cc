import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";

/** Compares the data store with what this version needs, and tries the secret. */
export function checkCommand(place: Place): CommandDef {
  return command({
    meta: { name: "check", description: "Compare the database with what this version needs, and try the secret on what is sealed in it" },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        await postern.check();
        place.output.result({ ok: true, issuer: postern.issuer }, `The database and the secret are in order. Issuer: ${postern.issuer}`);
      }),
  });
}
