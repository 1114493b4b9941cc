import type { DeviceDecision } from "../../../authorization/device-codes/decide.ts";
import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { Sign } from "../../../login/components/sign.tsx";

const texts = {
  approved: ["deviceApprovedTitle", "deviceApprovedLead", "good", "check"],
  denied: ["deviceDeniedTitle", "deviceDeniedLead", "quiet", "alert"],
  lost: ["deviceLostTitle", "deviceLostLead", "quiet", "clock"],
} as const;

/** Draws the page that reports the decision about a device. */
export function drawDeviceResult({ frame, t }: Drawing, decision: DeviceDecision): PageParts {
  const [title, lead, kind, icon] = texts[decision];
  return {
    title: t.text(title),
    mark: <Sign frame={frame} kind={kind} icon={icon} />,
    content: <p class="lead">{t.text(lead)}</p>,
  };
}
