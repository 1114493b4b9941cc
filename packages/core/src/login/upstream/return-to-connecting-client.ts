import { isPosternError } from "../../errors.ts";
import type { Interaction } from "../interaction.ts";
import { changeProgress } from "../login-session.ts";
import { progressAfter, type ActionResult } from "../step.ts";
import { backToClient } from "./back-to-client.ts";
import { handleProviderCallback } from "./handle-provider-callback.ts";

/**
 * Handles the return from an identity provider for a client that connects an account. The interaction has no steps: it ends
 * here.
 * @returns the URL at the client; undefined if an earlier callback ended the interaction.
 */
export async function returnToConnectingClient(
  interaction: Interaction,
  state: string,
  received: URLSearchParams,
): Promise<string | undefined> {
  const handled = await handleProviderCallback(interaction, state, received).catch((error: unknown) => {
    if (!isPosternError(error) || error.code !== "unmet_authentication_requirements") throw error;
    const result: ActionResult = backToClient(interaction, { problem: "unmet-requirements" });
    return { interaction, result };
  });
  if (handled === undefined) return undefined;
  const { redirectTo, recorded, ...result } = handled.result;
  const [{ saved }] = await Promise.all([
    changeProgress(handled.interaction, ({ progress }) => ({ progress: progressAfter(progress, result) })),
    recorded,
  ]);
  return saved ? redirectTo : undefined;
}
