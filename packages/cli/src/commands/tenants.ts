import type { CommandDef } from "citty";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { command, onConfig, onTenant, withPostern, type Place } from "../command.ts";
import { tenantAsFile } from "../tenant-file.ts";

const onControlPlane = {
  ...onConfig,
  "control-plane": { type: "string", default: "main", description: "The id of the control plane's tenant" },
} as const;

const creating = {
  ...onControlPlane,
  id: { type: "positional", required: true, description: "The id of the new tenant" },
  name: { type: "string", description: "Its name, for people. Default: the id" },
} as const;

const exporting = {
  ...onConfig,
  ...onTenant,
  file: { type: "positional", required: true, description: "The file to write" },
} as const;

/** The tenants of an installation. Listing and creating them needs a control plane. */
export function tenantsCommand(place: Place): CommandDef {
  return command({
    meta: { name: "tenants", description: "List, create and export tenants" },
    subCommands: { list: list(place), create: create(place), export: exportTenant(place) },
  });
}

function list(place: Place): CommandDef {
  return command({
    meta: { name: "list", description: "List the tenants" },
    args: onControlPlane,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const { tenants } = postern.tenant(args["control-plane"]);
        const all: { readonly id: string; readonly name: string }[] = [];
        // The first page of this list is 1.
        for (let page = 1; ; page++) {
          const { tenants: rows } = await tenants.list({ page, per_page: 100 }).catch(withoutControlPlane);
          all.push(...rows);
          place.output.progress(`${all.length} tenants`);
          if (rows.length < 100) break;
        }
        place.output.result(all, all.map(({ id, name }) => (name === id ? id : `${id}  ${name}`)).join("\n"));
      }),
  });
}

function create(place: Place): CommandDef {
  return command({
    meta: { name: "create", description: "Create a tenant" },
    args: creating,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const { id, name = id } = args;
        const { tenants } = postern.tenant(args["control-plane"]);
        const { tenant } = await tenants.create({ id, name }).catch(withoutControlPlane);
        place.output.result(tenant, `${id} is made.`);
      }),
  });
}

/** Says why there are no tenants to list: without a control plane their paths do not exist, and core says that of any path. */
function withoutControlPlane(error: unknown): never {
  if (error instanceof Error && error.message === "no endpoint has this path")
    throw new Error("this installation has no control plane: see docs/tenants.md");
  throw error;
}

function exportTenant(place: Place): CommandDef {
  const { output, cwd } = place;
  return command({
    meta: { name: "export", description: "Export what a tenant is made of, without users and secrets" },
    args: exporting,
    run: ({ args }) =>
      withPostern(place, args.config, async ({ postern }) => {
        const path = resolve(cwd, args.file);
        const tenant = await tenantAsFile(postern.tenant(args.tenant), (said) => output.progress(said));
        writeFileSync(path, `${JSON.stringify(tenant, null, 2)}\n`, { mode: 0o600 });
        output.result({ file: path }, `Written to ${path}.`);
      }),
  });
}
