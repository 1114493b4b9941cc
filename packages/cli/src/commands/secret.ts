import { parseKeyRing, type KeyRing, type SealingKey } from "@postern/core";
import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";
import { makeSecret, readVariable, writeVariable } from "../env-file.ts";
import { UsageError } from "../output.ts";
import { sweepAll } from "./sweep.ts";

/** The secret that seals what must not be readable at rest. */
export function secretCommand(place: Place): CommandDef {
  return command({
    meta: { name: "secret", description: "Make a secret for 'crypto.secret', and replace the one in .env" },
    subCommands: { new: newSecret(place), rotate: rotate(place) },
  });
}

function newSecret({ output }: Place): CommandDef {
  return command({
    meta: { name: "new", description: "Print a new secret" },
    run: () => {
      const secret = makeSecret();
      output.result({ secret }, secret);
    },
  });
}

/**
 * Replaces the secret in three steps, one at each call, with a deployment after each: every process must be able to open what any other seals. Where it is, is told by the order of the
 * ring, so that a call which was lost is repeated.
 */
function rotate(place: Place): CommandDef {
  const { cwd, output } = place;
  const write = (ring: KeyRing, step: string, text: string): void => {
    writeVariable(cwd, "POSTERN_SECRET", ring.map(({ id, secret }) => `${id}:${secret}`).join(","));
    output.result({ step, keys: ring.map(({ id }) => id) }, text);
  };
  return command({
    meta: {
      name: "rotate",
      description: "Replace the secret in .env, in three steps with a deployment after each. Each call does the next one",
    },
    args: onConfig,
    run: async ({ args }) => {
      const ring = ringOf(cwd);
      const [first, ...others] = ring;
      const newest = newestOf(ring);
      if (others.length === 0) {
        const added = { id: String(idNumber(first) + 1), secret: makeSecret() };
        return write(
          [first, added],
          "added",
          "1 of 3: .env has a new secret behind the one that seals. Deploy every process with it, and call this again.",
        );
      }
      if (newest !== first) {
        const rest = ring.filter((key) => key !== newest);
        return write(
          [newest, ...rest],
          "in front",
          "2 of 3: the new secret seals from now on. Deploy every process with it, and call this again.",
        );
      }
      const { olderKeysInUse } = await withPostern(place, args.config, ({ postern }) => sweepAll(postern, output));
      if (olderKeysInUse) throw new Error("an older secret is still needed: 'postern check' names what it seals");
      return write(
        [newest],
        "done",
        "3 of 3: nothing is sealed with an older secret, and .env has the new one alone. Deploy in a minute or later.",
      );
    },
  });
}

/** @throws {UsageError} where `.env` is not what the app goes by, or holds no ring of ours. */
function ringOf(cwd: string): KeyRing {
  const text = readVariable(cwd, "POSTERN_SECRET");
  if (text === undefined)
    throw new UsageError("there is no POSTERN_SECRET in .env: where it is kept elsewhere, docs/keys.md has the steps");
  const { POSTERN_SECRET: set } = process.env;
  if (set !== undefined && set !== text)
    throw new UsageError("POSTERN_SECRET is set in the environment, which comes before .env: change it where it is set");
  const ring = parseKeyRing(text);
  const odd = ring.find((key) => Number.isNaN(idNumber(key)));
  if (odd !== undefined) throw new UsageError(`the secret '${odd.id}' is not named by a number: docs/keys.md has the steps`);
  return ring;
}

const idNumber = ({ id }: SealingKey): number => (/^\d{1,15}$/.test(id) ? Number(id) : Number.NaN);

const newestOf = (ring: KeyRing): SealingKey => ring.reduce((newest, key) => (idNumber(key) > idNumber(newest) ? key : newest));
