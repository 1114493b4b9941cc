import type { CommandDef } from "citty";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { command, onConfig, withPostern, type Place } from "../command.ts";
import { UsageError } from "../output.ts";

const dialects = ["sqlite", "postgres", "mysql"];

/** Brings the database to what this version needs, or prints the SQL that does. */
export function migrateCommand(place: Place): CommandDef {
  return command({
    meta: { name: "migrate", description: "Bring the database to what this version needs" },
    subCommands: { plan: plan(place), apply: apply(place), check: check(place), sql: printSql(place) },
  });
}

const noMigrations = "the data store of this app has no migrations: it is made by its owner";

function plan(place: Place): CommandDef {
  return command({
    meta: { name: "plan", description: "Say which migrations 'apply' would run. Changes nothing" },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ data }) => {
        if (data.pending === undefined) throw new UsageError(noMigrations);
        const pending = await data.pending();
        place.output.result({ pending }, pending.length === 0 ? "There is nothing to do." : `Would apply: ${pending.join(", ")}`);
      }),
  });
}

function apply(place: Place): CommandDef {
  return command({
    meta: { name: "apply", description: "Create or upgrade the tables. Any number of processes may do it at once" },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ data }) => {
        if (data.migrate === undefined) throw new UsageError(noMigrations);
        const { applied } = await data.migrate();
        place.output.result({ applied }, applied.length === 0 ? "There was nothing to do." : `Applied: ${applied.join(", ")}`);
      }),
  });
}

function check(place: Place): CommandDef {
  return command({
    meta: {
      name: "check",
      description: "Say whether the tables are what this version needs. Changes nothing; the exit code is 1 where they are not",
    },
    args: onConfig,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ data }) => {
        if (data.check === undefined) throw new UsageError("the data store of this app cannot be checked");
        await data.check();
        place.output.result({ ok: true }, "The tables are what this version needs.");
      }),
  });
}

function printSql({ cwd, stdout }: Place): CommandDef {
  return command({
    meta: { name: "sql", description: "Print the migrations, for a tool of yours that applies them" },
    args: { dialect: { type: "positional", description: dialects.join(", "), required: true } },
    run: ({ args }) => {
      const { dialect } = args;
      if (!dialects.includes(dialect)) throw new UsageError(`'${dialect}' is none of ${dialects.join(", ")}`);
      const folder = join(kyselyIn(cwd), "src/migrations", dialect);
      for (const file of readdirSync(folder).toSorted()) stdout.write(`-- ${file}\n${readFileSync(join(folder, file), "utf8")}\n`);
    },
  });
}

/** The folder of the app's own `@postern/kysely`: its version says what the tables are. */
function kyselyIn(cwd: string): string {
  try {
    return dirname(createRequire(join(cwd, "package.json")).resolve("@postern/kysely/package.json"));
  } catch (cause) {
    throw new UsageError("@postern/kysely is not installed here", { cause });
  }
}
