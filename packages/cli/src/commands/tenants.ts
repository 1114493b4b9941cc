import type { CommandDef } from "citty";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { command, configArgs, tenantArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { exportTenantConfiguration } from "../tenant-file.ts";

const controlPlaneArgs = {
  ...configArgs,
  "control-plane": { type: "string", default: "main", description: "The id of the tenant that is the control plane" },
} as const;

const createArgs = {
  ...controlPlaneArgs,
  id: { type: "positional", required: true, description: "The id of the new tenant" },
  name: { type: "string", description: "The display name. Default: the id" },
} as const;

const exportArgs = {
  ...configArgs,
  ...tenantArgs,
  file: { type: "positional", required: true, description: "The file to write" },
} as const;

/** Manages the tenants of a service. Listing and creating tenants requires a control plane. */
export function tenantsCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "tenants", description: "List, create and export tenants" },
    subCommands: { list: list(environment), create: create(environment), export: exportTenant(environment) },
  });
}

function list(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "list", description: "List the tenants" },
    args: controlPlaneArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const { tenants } = postern.tenant(args["control-plane"]);
        const all: { readonly id: string; readonly name: string }[] = [];
        // This list numbers its pages from 1.
        for (let page = 1; ; page++) {
          const { tenants: rows } = await tenants.list({ page, per_page: 100 }).catch(withoutControlPlane);
          all.push(...rows);
          environment.output.progress(`${all.length} tenants`);
          if (rows.length < 100) break;
        }
        environment.output.result(all, all.map(({ id, name }) => (name === id ? id : `${id}  ${name}`)).join("\n"));
      }),
  });
}

function create(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "create", description: "Create a tenant" },
    args: createArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const { id, name = id } = args;
        const { tenants } = postern.tenant(args["control-plane"]);
        const { tenant } = await tenants.create({ id, name }).catch(withoutControlPlane);
        environment.output.result(tenant, `Created ${id}.`);
      }),
  });
}

/**
 * Replaces the error for an unknown path: without a control plane, the service has no paths for tenants. @throws for
 * every error.
 */
function withoutControlPlane(error: unknown): never {
  if (error instanceof Error && / \/tenants is not served/.test(error.message))
    throw new Error("this service has no control plane: see docs/tenants.md");
  throw error;
}

function exportTenant(environment: CommandEnvironment): CommandDef {
  const { output, cwd } = environment;
  return command({
    meta: { name: "export", description: "Export the configuration of a tenant, without users and secrets" },
    args: exportArgs,
    run: ({ args }) =>
      withPostern(environment, args.config, async ({ postern }) => {
        const path = resolve(cwd, args.file);
        const tenant = await exportTenantConfiguration(postern.tenant(args.tenant), (progress) => output.progress(progress));
        writeFileSync(path, `${JSON.stringify(tenant, null, 2)}\n`, { mode: 0o600 });
        output.result({ file: path }, `Written to ${path}.`);
      }),
  });
}
