import type { CommandDef } from "citty";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { CommandFailed } from "../output.ts";

/**
 * Runs the doctor. It checks the database and the secret in this process, and sends requests to the public URL. With
 * `--factors`, it checks only the policies of all tenants, and sends no requests.
 */
export function doctorCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: {
      name: "doctor",
      description: "Report problems with the database, the secret and the public URL while the app is running",
    },
    args: {
      ...configArgs,
      factors: {
        type: "boolean",
        description: "Only name the tenants whose users cannot satisfy a policy that requires a second factor. Needs no running app",
      },
    },
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const findings = await postern.doctor(args.factors === true ? { only: "factors" } : {});
        const lines = findings.map(
          ({ level, check, message, cure }) => `${level} ${check}: ${message}${cure === undefined ? "" : `\n  ${cure}`}`,
        );
        environment.output.result(findings, lines.join("\n"));
        if (findings.some(({ level }) => level === "error")) throw new CommandFailed("the doctor found an error");
      }),
  });
}
