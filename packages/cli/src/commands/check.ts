import type { CommandDef } from "citty";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";

/** Compares the database with the schema of this version, and checks that the secret decrypts its data. */
export function checkCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: {
      name: "check",
      description: "Compare the database with the schema of this version, and check that the secret decrypts its data",
    },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        await postern.check();
        environment.output.result(
          { ok: true, issuer: postern.issuer },
          `The database and the secret are in order. Issuer: ${postern.issuer}`,
        );
      }),
  });
}
