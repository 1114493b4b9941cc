import type { CommandDef } from "citty";
import { command, onConfig, onTenant, withPostern, type Place } from "../command.ts";

const args = { ...onConfig, ...onTenant } as const;

/** Signing keys of a tenant. */
export function keysCommand(place: Place): CommandDef {
  return command({
    meta: { name: "keys", description: "List and rotate the signing keys of a tenant" },
    subCommands: { list: list(place), rotate: rotate(place) },
  });
}

function list(place: Place): CommandDef {
  return command({
    meta: { name: "list", description: "List the signing keys" },
    args,
    run: ({ args: { config, tenant } }) =>
      withPostern(place, config, async ({ postern }) => {
        const keys = await postern.tenant(tenant).keys.signing.list({ type: "jwt_signing" });
        const lines = keys.map(({ kid, current, next, revoked_at: revoked }) => {
          const state = revoked !== undefined ? "revoked" : current === true ? "signs" : next === true ? "next" : "verifies";
          return `${kid}  ${state}`;
        });
        place.output.result(keys, lines.join("\n"));
      }),
  });
}

function rotate(place: Place): CommandDef {
  return command({
    meta: { name: "rotate", description: "Make a new signing key, which signs at once. The one before stays valid for a day" },
    args,
    run: ({ args: { config, tenant } }) =>
      withPostern(place, config, async ({ postern }) => {
        const key = await postern.tenant(tenant).keys.signing.rotate({});
        place.output.result(key, `${key.kid} signs from now on.`);
      }),
  });
}
