import { withoutWithheldScopes } from "../../authorization/actions/action-result.ts";
import { activationUrl } from "../../authorization/device-codes/activation-url.ts";
import { approveDeviceCode, denyDeviceCode, type DeviceDecision } from "../../authorization/device-codes/decide.ts";
import { redirectResponse } from "../../http/html.ts";
import type { Interaction } from "../../login/interaction.ts";
import type { PostLoginOutcome } from "../../login/run-actions.ts";

/** Approves the device of a completed interaction, and redirects to the page that reports it. */
export async function connectDevice({ interaction, settled, actions }: Extract<PostLoginOutcome, { kind: "done" }>): Promise<Response> {
  const { tenant, client, request } = interaction;
  const { person, decided, organization } = settled;
  const decision = await approveDeviceCode(tenant, deviceCodeOf(interaction), {
    client,
    user: person.user,
    session: person.session,
    scope: withoutWithheldScopes(decided.scope, actions),
    audience: decided.audience === "" ? null : decided.audience,
    organization: organization && { id: organization.id, by_name: request.organization?.by_name ?? false },
    actions,
  });
  return resultPage(interaction, decision);
}

/** Denies the device of an interaction that the user declined, and redirects to the page that reports it. */
export async function declineDevice(interaction: Interaction): Promise<Response> {
  const { tenant, client, browser } = interaction;
  return resultPage(interaction, await denyDeviceCode(tenant, deviceCodeOf(interaction), { client, user: browser?.user }));
}

function resultPage({ tenant, cookies }: Interaction, result: DeviceDecision): Response {
  return redirectResponse(activationUrl(tenant, { result }), cookies);
}

function deviceCodeOf({ request }: Interaction): string {
  if (request.device === undefined) throw new Error("the interaction has no device");
  return request.device.code_hash;
}
