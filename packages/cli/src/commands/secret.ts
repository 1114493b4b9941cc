import type { CommandDef } from "citty";
import { randomBytes } from "node:crypto";
import { command, type Place } from "../command.ts";

/** A secret that nobody guesses: 32 random bytes. */
export function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Prints a new secret. */
export function secretCommand({ output }: Place): CommandDef {
  return command({
    meta: { name: "secret", description: "Print a new secret for 'crypto.secret'" },
    run: () => {
      const secret = makeSecret();
      output.result({ secret }, secret);
    },
  });
}
