import type { CommandDef } from "citty";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { command, onConfig, onTenant, withPostern, type Place } from "../command.ts";
import { Failed, UsageError } from "../output.ts";

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
        let said = 0;
        const counts = await postern.importUsers(args.tenant, linesOf(path), {
          connection: args.connection,
          upsert: args.upsert === true,
          onProgress: ({ total, failed }) => output.progress(`${total} users, ${failed} not imported`),
          onRejected: (user, faults) => {
            rejected?.write(`${JSON.stringify({ user, faults })}\n`);
            // Of many with the same fault some say enough.
            if (rejected === undefined && said++ < 10) output.note(faults.map(({ message }) => message).join("; "));
          },
        });
        if (rejected !== undefined) await finished(rejected.end());
        const { total, inserted, updated, failed } = counts;
        output.result(counts, `${total} users: ${inserted} made, ${updated} changed, ${failed} not imported.`);
        if (failed > 0) throw new Failed("users were not imported");
      }),
  });
}

/** The values of a file of lines. A line that is no JSON is told as what it is, and rejected with the others. */
async function* linesOf(path: string): AsyncGenerator<unknown> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line.trim() !== "") yield parsed(line);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function exportUsers(place: Place): CommandDef {
  const { output, cwd } = place;
  return command({
    meta: { name: "export", description: "Export all users, without their passwords" },
    args: exporting,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const { format, tenant } = args;
        if (format !== "json" && format !== "csv") throw new UsageError(`'${format}' is none of json, csv`);
        const api = postern.tenant(tenant);
        const { id } = await api.jobs.usersExports.create({ format });
        const { location } = await api.jobs.get(id);
        if (location === undefined) throw new Error("the export has no location");
        const response = await postern.fetch(new Request(location), {});
        if (response.body === null || !response.ok) throw new Error(`the export was answered with ${response.status}`);
        const path = resolve(cwd, args.file);
        await pipeline(Readable.from(response.body), createGunzip(), createWriteStream(path, { mode: 0o600 }));
        output.result({ file: path }, `Written to ${path}.`);
      }),
  });
}
