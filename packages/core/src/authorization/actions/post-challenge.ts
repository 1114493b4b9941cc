import type { PostChallengeApi, PostChallengeEvent } from "../../adapters/actions.ts";
import { PosternError } from "../../errors.ts";
import { actionClient, actionConnection, actionRequest, actionUser } from "../../identity/actions/action-user.ts";
import { actionsWith, callAction } from "../../identity/actions/call-action.ts";
import { factorTypesOf, readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { toApiFactorType, type FactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { authenticationApi, noCommands, type CollectedCommands, type FactorCommand } from "./factor-commands.ts";

/** A password reset, after the user proved that they can read the account's mail. */
export interface ResetInProgress {
  readonly client: RegisteredClient | undefined;
  /** The account whose password is reset. */
  readonly account: Row<"users">;
  /** The primary account, which has the factors. */
  readonly user: Row<"users">;
  /** When the user opened the link or entered the code, in milliseconds since 1970. */
  readonly provedAt: number;
  /** The factors that the user passed for this reset. */
  readonly passed: readonly PassedFactor[];
}

/** A factor that an action requires, and the name of the action. */
interface ResetCommand {
  readonly action: string;
  readonly command: FactorCommand;
}

/**
 * Runs the host's `onExecutePostChallenge` actions, in their order.
 * @returns the factors that they require.
 * @throws {PosternError} `access_denied` if an action denies the reset; `temporarily_unavailable` if an action failed.
 */
export async function runPostChallenge(tenant: RequestTenant, reset: ResetInProgress): Promise<readonly ResetCommand[]> {
  const trigger = "onExecutePostChallenge";
  const listed = actionsWith(tenant, trigger);
  const connection = listed.length === 0 ? undefined : await tenant.connections.named(reset.account.connection);
  if (connection === undefined) return [];
  const enrolled = factorTypesOf(await readConfirmedFactors(tenant, reset.user));
  const commands: ResetCommand[] = [];
  for (const one of listed) {
    let denied: string | undefined;
    const collected: CollectedCommands = { all: noCommands, pending: [] };
    const { challengeWith, challengeWithAny } = authenticationApi(collected, "onExecutePostLogin").authentication;
    const api: PostChallengeApi = {
      access: { deny: (reason) => void (denied = String(reason)) },
      authentication: { challengeWith, challengeWithAny },
    };
    const event = { secrets: one.action.secrets ?? {}, ...eventOf(tenant, reset, connection, enrolled) };
    await callAction(tenant, trigger, one, async () => one.action[trigger]?.(event, api));
    if (denied !== undefined) throw new PosternError("access_denied", denied);
    commands.push(...collected.pending.map((command) => ({ action: one.name, command })));
  }
  return commands;
}

function eventOf(
  tenant: RequestTenant,
  { client, user, provedAt, passed }: ResetInProgress,
  connection: Row<"connections">,
  enrolled: readonly FactorType[],
): Omit<PostChallengeEvent, "secrets"> {
  return {
    tenant: { id: tenant.id },
    request: actionRequest(tenant.requestInfo),
    ...(client && { client: actionClient(client.record) }),
    connection: actionConnection(connection),
    user: { ...actionUser(user), enrolledFactors: enrolled.map((type) => ({ type: toApiFactorType(type) })) },
    authentication: {
      methods: [
        { name: "email" as const, timestamp: new Date(provedAt).toISOString() },
        ...passed.map(({ type, at }) => ({
          name: "mfa" as const,
          type: toApiFactorType(type),
          timestamp: new Date(at).toISOString(),
        })),
      ],
    },
  };
}
