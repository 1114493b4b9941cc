import type { CreatedCode } from "../../../identity/one-time-codes/one-time-code.ts";
import { isPosternError } from "../../../errors.ts";
import type { Interaction } from "../../interaction.ts";
import { stateOf, type LoginSession } from "../../login-session.ts";
import type { AvailableCode } from "../../available-methods.ts";
import type { AwaitedCode } from "./progress.ts";
import { sendLoginCode } from "../../send-code.ts";
import type { ActionResult } from "../../step.ts";

/** Returns the login session of an interaction. A code always belongs to a login session. */
export function loginOf({ login }: Interaction): LoginSession {
  if (login === undefined) throw new Error("a code belongs to a login session");
  return login;
}

/**
 * Sends a login code. The result stores that the visitor must enter it.
 * @param typed the identifier that the visitor entered.
 */
export async function requestLoginCode(
  interaction: Interaction,
  { connection, address }: AvailableCode,
  typed: string,
  form: string | undefined,
): Promise<ActionResult> {
  const { tenant, client, request, remembered } = interaction;
  const login = loginOf(interaction);
  const link = ({ code }: CreatedCode): string =>
    `${tenant.urls.urlFor("/u/code")}?${new URLSearchParams({ state: stateOf(tenant, login), code })}`;
  const code: AwaitedCode = {
    purpose: "login",
    connection_id: connection.id,
    channel: address.channel,
    to: address.text,
    sent_at: tenant.now(),
  };
  return awaiting(code, { identifier: typed }, () =>
    sendLoginCode(tenant, {
      client,
      connection,
      address,
      loginId: login.id,
      marks: remembered.accounts,
      uiLocales: request.ui_locales,
      form,
      link,
    }),
  );
}

/**
 * Calls `send`. The result stores that the visitor must enter the code. If a limit prevents another code, the earlier
 * codes stay valid.
 */
export async function awaiting(
  code: AwaitedCode,
  noted: { readonly identifier?: string },
  send: () => Promise<unknown>,
): Promise<ActionResult> {
  const change: ActionResult["change"] = (progress) => {
    const again = progress.code?.purpose === code.purpose && progress.code.to === code.to;
    return { ...progress, ...noted, code: { ...code, ...(again && { again: true }) } };
  };
  try {
    await send();
    return { change };
  } catch (error) {
    if (!isPosternError(error) || error.code !== "TOO_MANY_REQUESTS") throw error;
    return { problem: "too-many-codes", refusal: error };
  }
}
