import { parseKeyRing, type KeyRing, type SealingKey } from "@postern/core";
import type { CommandDef } from "citty";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { makeSecret, readVariable, writeVariable } from "../env-file.ts";
import { UsageError } from "../output.ts";
import { sweepAll } from "./sweep.ts";

/** Manages the secret that encrypts data at rest. */
export function secretCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "secret", description: "Create a secret for 'crypto.secret', and replace the one in .env" },
    subCommands: { new: newSecret(environment), rotate: rotate(environment) },
  });
}

function newSecret({ output }: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "new", description: "Print a new secret" },
    run: () => {
      const secret = makeSecret();
      output.result({ secret }, secret);
    },
  });
}

/**
 * Replaces the secret in three steps, one per call, with a deployment after each. Every process must be able to decrypt
 * data that any other process encrypts. The order of the keys in the key ring determines the next step, so a failed
 * call can be repeated.
 */
function rotate(environment: CommandEnvironment): CommandDef {
  const { cwd, output } = environment;
  const write = (ring: KeyRing, step: string, text: string): void => {
    writeVariable(cwd, "POSTERN_SECRET", ring.map(({ id, secret }) => `${id}:${secret}`).join(","));
    output.result({ step, keys: ring.map(({ id }) => id) }, text);
  };
  return command({
    meta: {
      name: "rotate",
      description: "Replace the secret in .env, in three steps with a deployment after each. Each call does the next step",
    },
    args: configArgs,
    run: async ({ args }) => {
      const ring = readKeyRing(cwd);
      const [first, ...others] = ring;
      const newest = newestOf(ring);
      if (others.length === 0) {
        const added = { id: String(idNumber(first) + 1), secret: makeSecret() };
        return write(
          [first, added],
          "added",
          "1 of 3: .env now also contains the new secret, which only decrypts. Deploy all processes, then run this command again.",
        );
      }
      if (newest !== first) {
        const rest = ring.filter((key) => key !== newest);
        return write(
          [newest, ...rest],
          "in front",
          "2 of 3: the new secret now encrypts. Deploy all processes, then run this command again.",
        );
      }
      const { olderKeysInUse } = await withPostern(environment, args.config, ({ postern }) => sweepAll(postern, output));
      if (olderKeysInUse) throw new Error("an older secret is still required: 'postern check' names the data that it encrypts");
      return write(
        [newest],
        "done",
        "3 of 3: no data is encrypted with an older secret, and .env contains only the new one. Wait at least a minute, then deploy.",
      );
    },
  });
}

/**
 * Reads the key ring from `.env`. @throws {UsageError} if the app's secret does not come from `.env`, or if another
 * command created the key ring.
 */
function readKeyRing(cwd: string): KeyRing {
  const text = readVariable(cwd, "POSTERN_SECRET");
  if (text === undefined)
    throw new UsageError("there is no POSTERN_SECRET in .env: docs/keys.md has the steps for a secret that is stored elsewhere");
  const { POSTERN_SECRET: environmentValue } = process.env;
  if (environmentValue !== undefined && environmentValue !== text)
    throw new UsageError("POSTERN_SECRET is set in the environment, which overrides .env: change it there");
  const ring = parseKeyRing(text);
  const unnumbered = ring.find((key) => Number.isNaN(idNumber(key)));
  if (unnumbered !== undefined)
    throw new UsageError(`the secret '${unnumbered.id}' does not have a number as its id: docs/keys.md has the steps`);
  return ring;
}

const idNumber = ({ id }: SealingKey): number => (/^\d{1,15}$/.test(id) ? Number(id) : Number.NaN);

const newestOf = (ring: KeyRing): SealingKey => ring.reduce((newest, key) => (idNumber(key) > idNumber(newest) ? key : newest));
