import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";
import { Failed } from "../output.ts";

/** Has the doctor look: at the data store and the secret from here, and at the public address from outside. */
export function doctorCommand(place: Place): CommandDef {
  return command({
    meta: {
      name: "doctor",
      description: "Say what is wrong with the database, the secret and the public address, while the app is running",
    },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const findings = await postern.doctor();
        const lines = findings.map(
          ({ level, check, message, cure }) => `${level} ${check}: ${message}${cure === undefined ? "" : `\n  ${cure}`}`,
        );
        place.output.result(findings, lines.join("\n"));
        if (findings.some(({ level }) => level === "error")) throw new Failed("the doctor found something wrong");
      }),
  });
}
