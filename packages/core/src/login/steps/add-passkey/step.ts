import * as z from "zod";
import { creationOptionsSchema } from "../../../model/factors/webauthn.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { keyRejected, keyResponseField } from "../webauthn/key-response.ts";
import { addOfferedPasskey, declinePasskey, offeredCreation, passkeyOffer } from "./offer.ts";

const definition = describeStep({
  name: "add-passkey",
  summary: "Offers to add a passkey after a sign-in without one, or with one of another device",
  screenFields: {
    publicKey: creationOptionsSchema.meta({ description: "The argument of `PublicKeyCredential.parseCreationOptionsFromJSON()`" }),
    conditional: creationOptionsSchema.exactOptional().meta({
      description: "The options to create a passkey without a prompt, if the browser supports it (WebAuthn conditional create)",
    }),
    isNewDevice: z.literal(true).exactOptional().meta({ description: "The user signed in with the passkey of another device" }),
  },
  problems: { "key-rejected": keyRejected },
  silentError: ["interaction_required", "the user is offered a passkey"],
  actions: {
    "add-passkey": action({
      summary: "Add the passkey",
      fields: {
        response: keyResponseField,
        mode: z.enum(["conditional", ""]).exactOptional().meta({ description: "`conditional` if the response belongs to `conditional`" }),
      },
    })(async (interaction, { response = "", mode }, { settled }) =>
      settled === undefined ? {} : addOfferedPasskey(interaction, settled.person, { response, isConditional: mode === "conditional" }),
    ),
    "decline-passkey": action({ summary: "Continue without a passkey. The user is not asked again for 30 days", fields: {} })(
      async (interaction, _, { settled }) => (settled === undefined ? {} : declinePasskey(interaction, settled.person)),
    ),
  },
});

export type AddPasskeyScreen = z.output<typeof definition.screen>;

/** Offers the user a passkey. The login continues without one if the user declines. */
export const addPasskeyStep = step(definition, {
  requiresSession: true,
  async decide(interaction, { person }) {
    const offer = await passkeyOffer(interaction, person);
    if (offer === undefined) return passStep;
    const creation = await offeredCreation(interaction, offer, person.user);
    return showScreen({ name: "add-passkey", ...creation, ...(!offer.allowsConditional && { isNewDevice: true }) });
  },
});
