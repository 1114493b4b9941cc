import { redeemLoginTicket } from "../identity/login/login-ticket.ts";
import { deleteNewSession } from "../identity/sessions/session.ts";
import { readCookie } from "../http/cookies.ts";
import { startSignIn } from "./start-session.ts";
import { browserCookie } from "./cookies.ts";
import type { Interaction } from "./interaction.ts";
import { authenticationRecordSchema } from "./authentication-record.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { progressAfter } from "./step.ts";

/**
 * Signs in the user that a login ticket belongs to. If the ticket is invalid, adds `prompt=login` to the request: a
 * visitor who entered the password of one account must not continue with the browser's session for another account.
 */
export async function signInByTicket(interaction: Interaction, text: string, httpRequest: Request): Promise<Interaction> {
  const { tenant, request } = interaction;
  return (
    (await redeem(interaction, text, readCookie(httpRequest, tenant.urls, browserCookie(tenant)))) ?? {
      ...interaction,
      request: { ...request, prompt: [...new Set([...request.prompt, "login" as const])] },
    }
  );
}

async function redeem(interaction: Interaction, text: string, browser: string | undefined): Promise<Interaction | undefined> {
  const { tenant, client, progress } = interaction;
  const { data } = tenant;
  if (browser === undefined) return undefined;
  const login = await redeemLoginTicket(tenant, { text, clientId: client.record.client_id, browser });
  const connection = login && (await tenant.connections.byId(login.connectionId));
  if (login === undefined || connection === undefined) return undefined;
  const { user, account } = login;
  const method = authenticationRecordSchema.shape.method.parse(login.method);
  const begun = await startSignIn(interaction, { method, channels: login.channels, primary: user, account, connection });
  if (begun.session !== undefined && !(await login.isStillValid())) {
    await deleteNewSession(data, begun.session);
    return undefined;
  }
  const result = await completeSignIn(interaction, user, user.email, begun);
  return { ...interaction, ...result.signedIn, progress: progressAfter(progress, result) };
}
