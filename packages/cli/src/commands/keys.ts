import type { CommandDef } from "citty";
import { command, configArgs, tenantArgs, withPostern, type CommandEnvironment } from "../command.ts";
import { UsageError } from "../output.ts";

const args = { ...configArgs, ...tenantArgs } as const;

const rotateArgs = {
  ...args,
  "activate-in-days": { type: "string", default: "0", description: "Days until the new key starts to sign tokens, 0 to 365" },
  "grace-days": { type: "string", default: "1", description: "Days for which the earlier keys stay valid after that day, 0 to 365" },
} as const;

/** Manages the signing keys of a tenant. */
export function keysCommand(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "keys", description: "List and rotate the signing keys of a tenant" },
    subCommands: { list: list(environment), rotate: rotate(environment) },
  });
}

function list(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "list", description: "List the signing keys" },
    args,
    run: ({ args: { config, tenant } }) =>
      withPostern(environment, config, async ({ postern }) => {
        const keys = await postern.tenant(tenant).keys.signing.list({ type: "jwt_signing" });
        const lines = keys.map(({ kid, current, next, revoked_at: revoked }) => {
          const state = revoked !== undefined ? "revoked" : current === true ? "signs" : next === true ? "next" : "verifies";
          return `${kid}  ${state}`;
        });
        environment.output.result(keys, lines.join("\n"));
      }),
  });
}

function rotate(environment: CommandEnvironment): CommandDef {
  return command({
    meta: { name: "rotate", description: "Create a new signing key. It is published at once" },
    args: rotateArgs,
    run: async ({ args: { config, tenant, ...days } }) => {
      const activateInDays = parseDays(days["activate-in-days"]);
      const graceDays = parseDays(days["grace-days"]);
      await withPostern(environment, config, async ({ postern }) => {
        const key = await postern.tenant(tenant).keys.signing.rotate({ activate_in_days: activateInDays, grace_days: graceDays });
        const from = activateInDays === 0 ? "from now on" : `in ${activateInDays} ${activateInDays === 1 ? "day" : "days"}`;
        environment.output.result(key, `${key.kid} signs ${from}.`);
      });
    },
  });
}

/**
 * Parses a number of days. @throws {UsageError} if the text is not a number of days that the Management API accepts.
 */
function parseDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= 365)) throw new UsageError(`'${text}' is not a number of days from 0 to 365`);
  return days;
}
