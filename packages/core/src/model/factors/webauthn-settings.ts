import * as z from "zod";
import { domainNameSchema } from "../tenant/domain-name.ts";
import { storedOnly } from "../settings.ts";
import { userVerificationSchema } from "./webauthn.ts";

const userVerification = userVerificationSchema.meta({
  description:
    "Whether a security key must verify the user, by a PIN or a fingerprint. With `required`, a key that cannot do so can be neither added nor used. " +
    "Default `discouraged`: users only touch the key, because they passed another factor before",
});

const platformVerification = storedOnly(userVerificationSchema);

const overrideRelyingParty = storedOnly(z.boolean());

const relyingPartyIdentifier = storedOnly(
  domainNameSchema,
  "Stored for compatibility with Auth0: `relying_party_identifier` of a custom domain sets the RP ID",
);

/** The settings of security keys, as the Management API returns them. */
export const webauthnRoamingSettingsSchema = z
  .strictObject({ userVerification, overrideRelyingParty, relyingPartyIdentifier: relyingPartyIdentifier.exactOptional() })
  .meta({ id: "WebauthnRoamingSettings" });

/** The body that changes the settings of security keys. */
export const setWebauthnRoamingSettingsSchema = z
  .strictObject({ userVerification, overrideRelyingParty, relyingPartyIdentifier: relyingPartyIdentifier.nullable() })
  .exactPartial()
  .meta({ id: "SetWebauthnRoamingSettings" });

/** The settings of authenticators that are built into a device, as the Management API returns them. */
export const webauthnPlatformSettingsSchema = z
  .strictObject({
    userVerification: platformVerification.exactOptional(),
    overrideRelyingParty,
    relyingPartyIdentifier: relyingPartyIdentifier.exactOptional(),
  })
  .meta({ id: "WebauthnPlatformSettings" });

/** The body that changes the settings of authenticators that are built into a device. */
export const setWebauthnPlatformSettingsSchema = z
  .strictObject({
    userVerification: platformVerification.nullable(),
    overrideRelyingParty,
    relyingPartyIdentifier: relyingPartyIdentifier.nullable(),
  })
  .exactPartial()
  .meta({ id: "SetWebauthnPlatformSettings" });
