import { passkeysEnabled } from "../identity/connections/passkey-settings.ts";
import type { MeContext } from "./me-route.ts";

/** Whether the user can add a passkey on this host, and sign in with it through the connection of the session. */
export async function offersPasskeys({ tenant, mfaToken: { request } }: MeContext): Promise<boolean> {
  const [relyingParty, connection] = await Promise.all([tenant.relyingParty(), tenant.connections.byId(request.connection_id)]);
  return relyingParty !== undefined && connection !== undefined && passkeysEnabled(connection);
}
