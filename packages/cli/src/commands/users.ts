import type { CommandDef } from "citty";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { command, configArgs, tenantArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { CommandFailed, UsageError } from "../output.ts";
import { readUserLines } from "../user-lines.ts";

const importArgs = {
  ...configArgs,
  ...tenantArgs,
  file: { type: "positional", required: true, description: "A file with one JSON object per line, one for each user" },
  connection: { type: "string", default: "Username-Password-Authentication", description: "The connection of the users" },
  upsert: { type: "boolean", description: "Update existing users" },
  rejected: {
    type: "string",
    description: "A file for the users that were not imported, with the reasons. It contains their password hashes",
  },
} as const;

const exportArgs = {
  ...configArgs,
  ...tenantArgs,
  file: { type: "positional", required: true, description: "The file to write" },
  format: { type: "string", default: "json", description: "json (one object per line) or csv" },
  force: { type: "boolean", description: "Replace an existing file" },
} as const;

/** Imports and exports the users of a tenant. */
export function usersCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "users", description: "Import users with their password hashes, and export them" },
    subCommands: { import: importUsers(environment), export: exportUsers(environment) },
  });
}

function importUsers(environment: CommandEnvironment): CommandDef {
  const { output, cwd } = environment;
  return command({
    meta: { name: "import", description: "Import users. The file is read line by line, so it may have any size" },
    args: importArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const path = resolve(cwd, args.file);
        if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
        const rejected = args.rejected === undefined ? undefined : createWriteStream(resolve(cwd, args.rejected), { mode: 0o600 });
        const { users, lineOf } = readUserLines(path);
        let shownFaults = 0;
        const counts = await postern.importUsers(args.tenant, users, {
          connection: args.connection,
          upsert: args.upsert === true,
          onProgress: ({ total, failed }) => output.progress(`${total} users, ${failed} not imported`),
          onRejected: (user, faults) => {
            const line = lineOf(user);
            rejected?.write(`${JSON.stringify({ line, user, faults })}\n`);
            // Prints the errors only for the first ten rejected users, because many users often have the same error.
            if (rejected === undefined && shownFaults++ < 10)
              output.note(`line ${line}: ${faults.map(({ message }) => message).join("; ")}`);
          },
        });
        if (rejected !== undefined) await finished(rejected.end());
        const { total, inserted, updated, failed, ignored } = counts;
        const text = `${total} users: ${inserted} created, ${updated} updated, ${failed} not imported.`;
        output.result(counts, ignored === undefined ? text : `${text} ${ignored} members without effect were ignored.`);
        if (failed > 0) throw new CommandFailed("some users were not imported");
      }),
  });
}

function exportUsers(environment: CommandEnvironment): CommandDef {
  const { output, cwd } = environment;
  return command({
    meta: { name: "export", description: "Export all users, without their passwords" },
    args: exportArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const { format, tenant, force = false } = args;
        if (format !== "json" && format !== "csv") throw new UsageError(`'${format}' is not one of json, csv`);
        const path = resolve(cwd, args.file);
        if (!force && existsSync(path)) throw new UsageError(`${path} already exists: --force replaces it`);
        const api = postern.tenant(tenant);
        const { id } = await api.jobs.usersExports.create({ format });
        const { location } = await api.jobs.get(id);
        if (location === undefined) throw new Error("the finished export job has no location");
        const response = await postern.fetch(new Request(location), {});
        if (response.body === null || !response.ok) throw new Error(`downloading the export failed with status ${response.status}`);
        // Deletes the file first, because overwriting it would keep its permissions.
        if (force) rmSync(path, { force: true });
        await pipeline(Readable.from(response.body), createGunzip(), createWriteStream(path, { mode: 0o600, flags: "wx" }));
        output.result({ file: path }, `Written to ${path}.`);
      }),
  });
}
