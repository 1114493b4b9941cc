import { findFieldFault, isUsernameTaken } from "../../../identity/users/sign-up.ts";
import { passkeysEnabled } from "../../../identity/connections/passkey-settings.ts";
import type { Row } from "../../../store/schema.ts";
import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { rejectField, typedFields } from "./submit.ts";

/** Whether visitors can create an account of a connection with a passkey on the host of the request. */
export async function canSignUpWithPasskey({ tenant, login }: Interaction, connection: Row<"connections">): Promise<boolean> {
  return login !== undefined && passkeysEnabled(connection) && (await tenant.relyingParty()) !== undefined;
}

/** The submitted identifiers. */
interface TypedIdentifiers {
  readonly email?: string;
  readonly username?: string;
  readonly phone_number?: string;
}

/**
 * Continues with the step that creates a passkey, if the identifiers are valid. Whether an account has the email address
 * or phone number is not looked up.
 */
export async function choosePasskey(
  { tenant }: Interaction,
  connection: Row<"connections">,
  fields: TypedIdentifiers,
): Promise<ActionResult> {
  const typed = typedFields(fields);
  const again = (rejected: ActionResult): ActionResult => ({ ...rejected, change: (progress) => ({ ...progress, typed }) });
  const fault = await findFieldFault(connection, fields);
  if (fault !== undefined) return again(rejectField(fault));
  const { username = "" } = typed;
  if (username !== "" && (await isUsernameTaken(tenant, connection, username))) return again({ problem: "username-taken" });
  return { change: (progress) => ({ ...progress, typed, passkey_sign_up: true }) };
}
