import type { CommandDef } from "citty";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { CommandFailed } from "../output.ts";

/** Runs the doctor. It checks the database and the secret in this process, and sends requests to the public URL. */
export function doctorCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: {
      name: "doctor",
      description: "Report problems with the database, the secret and the public URL while the app is running",
    },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const findings = await postern.doctor();
        const lines = findings.map(
          ({ level, check, message, cure }) => `${level} ${check}: ${message}${cure === undefined ? "" : `\n  ${cure}`}`,
        );
        environment.output.result(findings, lines.join("\n"));
        if (findings.some(({ level }) => level === "error")) throw new CommandFailed("the doctor found an error");
      }),
  });
}
