import type { CommandDef } from "citty";
import { createWriteStream, existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { command, onConfig, onTenant, withPostern, type Place } from "../command.ts";
import { Failed, UsageError } from "../output.ts";
import { readUserLines } from "../user-lines.ts";

const importing = {
  ...onConfig,
  ...onTenant,
  file: { type: "positional", required: true, description: "A file with a JSON object for each user, a line each" },
  connection: { type: "string", default: "Username-Password-Authentication", description: "The connection that they are users of" },
  upsert: { type: "boolean", description: "Change users who are there already" },
  rejected: { type: "string", description: "A file for the users that were not imported, with the reasons. It holds their hashes" },
} as const;

const exporting = {
  ...onConfig,
  ...onTenant,
  file: { type: "positional", required: true, description: "The file to write" },
  format: { type: "string", default: "json", description: "json (an object a line) or csv" },
  force: { type: "boolean", description: "Replace the file if it is there" },
} as const;

/** Users of a tenant, from and to files. */
export function usersCommand(place: Place): CommandDef {
  return command({
    meta: { name: "users", description: "Import users with their password hashes, and export them" },
    subCommands: { import: importUsers(place), export: exportUsers(place) },
  });
}

function importUsers(place: Place): CommandDef {
  const { output, cwd } = place;
  return command({
    meta: { name: "import", description: "Import users. Any number: the file is read line by line" },
    args: importing,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const path = resolve(cwd, args.file);
        if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
        const rejected = args.rejected === undefined ? undefined : createWriteStream(resolve(cwd, args.rejected), { mode: 0o600 });
        const { users, lineOf } = readUserLines(path);
        let said = 0;
        const counts = await postern.importUsers(args.tenant, users, {
          connection: args.connection,
          upsert: args.upsert === true,
          onProgress: ({ total, failed }) => output.progress(`${total} users, ${failed} not imported`),
          onRejected: (user, faults) => {
            const line = lineOf(user);
            rejected?.write(`${JSON.stringify({ line, user, faults })}\n`);
            // Of many with the same fault some say enough.
            if (rejected === undefined && said++ < 10) output.note(`line ${line}: ${faults.map(({ message }) => message).join("; ")}`);
          },
        });
        if (rejected !== undefined) await finished(rejected.end());
        const { total, inserted, updated, failed, ignored } = counts;
        const text = `${total} users: ${inserted} made, ${updated} changed, ${failed} not imported.`;
        output.result(counts, ignored === undefined ? text : `${text} ${ignored} members without an effect were ignored.`);
        if (failed > 0) throw new Failed("users were not imported");
      }),
  });
}

function exportUsers(place: Place): CommandDef {
  const { output, cwd } = place;
  return command({
    meta: { name: "export", description: "Export all users, without their passwords" },
    args: exporting,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const { format, tenant, force = false } = args;
        if (format !== "json" && format !== "csv") throw new UsageError(`'${format}' is none of json, csv`);
        const path = resolve(cwd, args.file);
        if (!force && existsSync(path)) throw new UsageError(`${path} is there already: --force replaces it`);
        const api = postern.tenant(tenant);
        const { id } = await api.jobs.usersExports.create({ format });
        const { location } = await api.jobs.get(id);
        if (location === undefined) throw new Error("the export has no location");
        const response = await postern.fetch(new Request(location), {});
        if (response.body === null || !response.ok) throw new Error(`the export was answered with ${response.status}`);
        // A file that is written over would keep who may read it.
        if (force) rmSync(path, { force: true });
        await pipeline(Readable.from(response.body), createGunzip(), createWriteStream(path, { mode: 0o600, flags: "wx" }));
        output.result({ file: path }, `Written to ${path}.`);
      }),
  });
}
