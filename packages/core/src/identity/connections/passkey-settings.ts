import type { Row } from "../../store/schema.ts";
import { databaseOptions } from "../../model/connections/strategies/database-options.ts";

/** How users of a connection use passkeys, with the defaults of Auth0. */
export interface PasskeySettings {
  /** Whether the browser offers passkeys in the field for the identifier (WebAuthn conditional mediation). */
  readonly hasAutofill: boolean;
  /** Whether the sign-in page has a button for passkeys. */
  readonly hasButton: boolean;
  /** Whether users are offered a passkey after they sign in with a password. */
  readonly isOfferedAfterPassword: boolean;
  /** Whether users are offered a passkey for this device after they sign in with a passkey of another device. */
  readonly isOfferedOnNewDevice: boolean;
}

/** Returns the passkey settings of a connection. Undefined if its users cannot sign in with passkeys. */
export function passkeySettings(connection: Row<"connections">): PasskeySettings | undefined {
  if (connection.strategy !== "auth0") return undefined;
  const { authentication_methods: methods, passkey_options: options } = databaseOptions(connection);
  if (methods?.passkey?.enabled !== true) return undefined;
  return {
    hasAutofill: options?.challenge_ui !== "button",
    hasButton: options?.challenge_ui !== "autofill",
    isOfferedAfterPassword: options?.progressive_enrollment_enabled ?? true,
    isOfferedOnNewDevice: options?.local_enrollment_enabled ?? true,
  };
}

/** Whether users of a connection can sign in with passkeys. */
export function passkeysEnabled(connection: Row<"connections">): boolean {
  return passkeySettings(connection) !== undefined;
}
