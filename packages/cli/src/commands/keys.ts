import type { CommandDef } from "citty";
import { command, onConfig, onTenant, withPostern, type Place } from "../command.ts";
import { UsageError } from "../output.ts";

const args = { ...onConfig, ...onTenant } as const;

const rotating = {
  ...args,
  "activate-in-days": { type: "string", default: "0", description: "After how many days the new key signs, 0 to 365" },
  "grace-days": { type: "string", default: "1", description: "For how many days after that the keys before it stay valid, 0 to 365" },
} as const;

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
    meta: { name: "rotate", description: "Make a new signing key. It is published at once" },
    args: rotating,
    run: async ({ args: { config, tenant, ...days } }) => {
      const activateInDays = daysOf(days["activate-in-days"]);
      const graceDays = daysOf(days["grace-days"]);
      await withPostern(place, config, async ({ postern }) => {
        const key = await postern.tenant(tenant).keys.signing.rotate({ activate_in_days: activateInDays, grace_days: graceDays });
        const from = activateInDays === 0 ? "from now on" : `in ${activateInDays} ${activateInDays === 1 ? "day" : "days"}`;
        place.output.result(key, `${key.kid} signs ${from}.`);
      });
    },
  });
}

/** @throws {UsageError} for what is no number of days that the Management API takes. */
function daysOf(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= 365)) throw new UsageError(`'${text}' is no number of days: 0 to 365`);
  return days;
}
