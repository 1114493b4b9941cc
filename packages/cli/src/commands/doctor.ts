import type { CommandDef } from "citty";
import { command, onConfig } from "../command.ts";
import { UsageError } from "../output.ts";

/** Says where the doctor runs. It is in no list of commands: it is none, and is looked for as one. */
export function doctorCommand(): CommandDef {
  return command({
    meta: { name: "doctor", description: "No command: call 'await postern.doctor()' in your app", hidden: true },
    args: onConfig,
    run: () => {
      throw new UsageError(
        "the doctor cannot work from here: it must run in the process that answers. Call 'await postern.doctor()' there",
      );
    },
  });
}
