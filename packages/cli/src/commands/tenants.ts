import type { CommandDef } from "citty";
import { command, onConfig, withPostern, type Place } from "../command.ts";

const onControlPlane = {
  ...onConfig,
  "control-plane": { type: "string", default: "main", description: "The id of the control plane's tenant" },
} as const;

const creating = {
  ...onControlPlane,
  id: { type: "positional", required: true, description: "The id of the new tenant" },
  name: { type: "string", description: "Its name, for people. Default: the id" },
} as const;

/** The tenants of an installation with a control plane. */
export function tenantsCommand(place: Place): CommandDef {
  return command({
    meta: { name: "tenants", description: "List and create tenants" },
    subCommands: { list: list(place), create: create(place) },
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
          const { tenants: rows } = await tenants.list({ page, per_page: 100 });
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
        const { tenant } = await postern.tenant(args["control-plane"]).tenants.create({ id, name });
        place.output.result(tenant, `${id} is made.`);
      }),
  });
}
