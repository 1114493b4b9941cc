import * as z from "zod";
import { networkOf } from "../../../adapters/addresses.ts";
import { deviceOf, findDeviceCode, isPending } from "../../../authorization/device-codes/device-code.ts";
import { openUserCode } from "../../../authorization/device-codes/sealed-user-code.ts";
import { PosternError } from "../../../errors.ts";
import { requestedScopeSchema, toRequestedScopes } from "../../requested-scope.ts";
import { action, describeStep, passStep, showScreen, step } from "../../step.ts";
import { deny } from "../deny.ts";
import { nameOf } from "../name-of.ts";
import { otherAccount } from "../other-account.ts";

const definition = describeStep({
  name: "confirm-device",
  summary: "Asks the user to compare the code with the one on their device, and to connect the device",
  screenFields: {
    client: z
      .strictObject({
        name: z.string().meta({ description: "The display name" }),
        logoUri: z.string().exactOptional().meta({ description: "The URL of the logo" }),
      })
      .meta({ description: "The client that runs on the device" }),
    account: z.string().meta({ description: "The signed-in user" }),
    userCode: z.string().meta({ description: "The code that the user entered. The device must display the same code" }),
    requestedFrom: z.string().exactOptional().meta({ description: "The IP address of the device, if it is known" }),
    otherNetwork: z.literal(true).exactOptional().meta({
      description:
        "Present if the device is in another network than the browser. That can have a good reason, such as a phone without Wi-Fi",
    }),
    audience: z.string().exactOptional().meta({ description: "The name of the API, if the request has an audience" }),
    scopes: z.array(requestedScopeSchema).meta({ description: "The requested scopes" }),
  },
  problems: {},
  silentError: ["interaction_required", "the user must confirm the device"],
  actions: {
    "connect-device": action({ summary: "Connect the device", fields: {}, isConsent: true })((_, __, { settled }) => {
      const userId = settled?.person.user.user_id;
      return userId === undefined ? {} : { change: (progress) => ({ ...progress, consented_by: userId }) };
    }),
    deny,
    "other-account": otherAccount,
  },
});

export type ConfirmDeviceScreen = z.output<typeof definition.screen>;

/**
 * Asks the user to confirm the device that they sign in on. The page is displayed for each device, also to a user who is
 * signed in already: a code may come from an attacker who wants access to the user's account (RFC 8628 section 5.4).
 */
export const confirmDevice = step(definition, {
  requiresSession: true,
  async decide({ tenant, client, request, progress }, { person: { user }, decided }) {
    if (request.device === undefined || progress.consented_by === user.user_id) return passStep;
    if (decided === undefined) throw new Error("the scopes must be decided first");
    const code = await findDeviceCode(tenant, request.device.code_hash);
    if (code === undefined || !isPending(tenant, code))
      throw new PosternError("expired_token", "The code has expired. Start again on your device.", {
        status: 400,
        reason: "device-code-expired",
      });
    const { logo_uri: logoUri = "" } = client.settings;
    const { ip } = deviceOf(code);
    const own = tenant.requestInfo.sharedIp ? undefined : tenant.requestInfo.ip;
    const isElsewhere = ip !== null && own !== undefined && networkOf(ip) !== networkOf(own);
    return showScreen({
      name: "confirm-device",
      client: { name: client.record.name, ...(logoUri !== "" && { logoUri }) },
      account: nameOf(user),
      userCode: await openUserCode(tenant, request.device),
      ...(ip !== null && { requestedFrom: ip }),
      ...(isElsewhere && { otherNetwork: true as const }),
      ...(decided.audienceName !== undefined && { audience: decided.audienceName }),
      scopes: toRequestedScopes(decided),
    });
  },
});
