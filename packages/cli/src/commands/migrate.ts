import type { CommandDef } from "citty";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { command, configArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { UsageError } from "../output.ts";

const dialects = ["sqlite", "postgres", "mysql"];

/** Migrates the database to the schema of this version, or prints the SQL of the migrations. */
export function migrateCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "migrate", description: "Migrate the database to the schema of this version" },
    subCommands: { plan: plan(environment), apply: apply(environment), check: check(environment), sql: printSql(environment) },
  });
}

const noMigrations = "the data adapter of this app has no migrations";

function plan(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "plan", description: "List the migrations that 'apply' would run. Changes nothing" },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ data }) => {
        if (data.pending === undefined) throw new UsageError(noMigrations);
        const pending = await data.pending();
        environment.output.result({ pending }, pending.length === 0 ? "No migrations are pending." : `Would apply: ${pending.join(", ")}`);
      }),
  });
}

function apply(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "apply", description: "Create or upgrade the tables. Several processes may run it at the same time" },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ data }) => {
        if (data.migrate === undefined) throw new UsageError(noMigrations);
        const { applied } = await data.migrate();
        environment.output.result({ applied }, applied.length === 0 ? "No migrations were pending." : `Applied: ${applied.join(", ")}`);
      }),
  });
}

function check(environment: CommandEnvironment): CommandDef {
  return command({
    meta: {
      name: "check",
      description: "Check whether the tables match this version. Changes nothing. The exit code is 1 if they do not match",
    },
    args: configArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ data }) => {
        if (data.check === undefined) throw new UsageError("the data adapter of this app has no check");
        await data.check();
        environment.output.result({ ok: true }, "The tables match this version.");
      }),
  });
}

function printSql({ cwd, stdout }: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "sql", description: "Print the SQL of the migrations, for your own migration tool" },
    args: { dialect: { type: "positional", description: dialects.join(", "), required: true } },
    run: ({ args }) => {
      const { dialect } = args;
      if (!dialects.includes(dialect)) throw new UsageError(`'${dialect}' is not one of ${dialects.join(", ")}`);
      const folder = join(kyselyFolder(cwd), "src/migrations", dialect);
      for (const file of readdirSync(folder).toSorted()) stdout.write(`-- ${file}\n${readFileSync(join(folder, file), "utf8")}\n`);
    },
  });
}

/**
 * Returns the folder of the `@postern/kysely` that the app has installed. The version of this package determines the
 * tables.
 */
function kyselyFolder(cwd: string): string {
  try {
    return dirname(createRequire(join(cwd, "package.json")).resolve("@postern/kysely/package.json"));
  } catch (cause) {
    throw new UsageError("@postern/kysely is not installed in this app", { cause });
  }
}
