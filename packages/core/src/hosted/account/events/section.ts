import type { MessageKey } from "../../../locales/messages.ts";
import type { AuditEventType } from "../../../model/logs/audit-event-types.ts";
import type { Row } from "../../../store/schema.ts";
import { deviceName } from "../sessions/device-name.ts";
import { momentText } from "../date-text.ts";
import type { AccountSection } from "../section.ts";
import { sectionPage } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { drawEvents } from "./page.tsx";

/** The section in which users see what happened to their account recently. */
export const eventsSection: AccountSection = {
  name: "events",
  title: "eventsTitle",
  summaries: {
    show: "Show the recent security events of the signed-in user",
    change: "Confirm the identity of the signed-in user. The section has no changes",
  },
  overview,
};

/** The name of the text for an event. */
type EventText = Extract<MessageKey, `event${string}`>;

/** The number of events that are read, and the number that the page shows. */
const read = 100;
const shown = 30;

/** The events that the page shows, in words. It shows no others: they mean nothing to users. */
const texts: { readonly [Type in AuditEventType]?: EventText } = {
  s: "eventSignIn",
  sepft: "eventSignIn",
  f: "eventSignInFailed",
  fp: "eventSignInFailed",
  fepft: "eventSignInFailed",
  limit_wc: "eventBlocked",
  slo: "eventSignOut",
  scp: "eventPassword",
  scpr: "eventReset",
  sce: "eventEmail",
  scpn: "eventPhone",
  scu: "eventUsername",
  gd_enrollment_complete: "eventFactorAdded",
  gd_unenroll: "eventFactorRemoved",
  gd_auth_failed: "eventFactorFailed",
  gd_recovery_failed: "eventFactorFailed",
  my_account_profile_succeeded: "eventProfile",
  my_account_data_exported: "eventExport",
  my_account_deletion_requested: "eventDeletion",
  my_account_deletion_withdrawn: "eventKept",
  srrt: "eventAppRemoved",
};

/** The events that users see, also in the data that they download. */
export const ownEventTypes: readonly string[] = Object.keys(texts);

/** Returns the text for an event if its details decide about it. */
function textByDetails({ type, details }: Row<"logs">): EventText | undefined {
  // The user signed another device out, see `endOwnSession`.
  if (type === "slo") return details["session_id"] === undefined ? undefined : "eventDeviceSignedOut";
  const { fields } = details;
  if (type !== "my_account_profile_succeeded" || !Array.isArray(fields)) return undefined;
  if (fields.includes("identities")) return "eventIdentities";
  return fields.includes("organizations") ? "eventOrganizationLeft" : undefined;
}

async function overview(visit: AccountVisit): Promise<Response> {
  const { tenant, user } = visit;
  const rows = await tenant.data.logs.find({
    where: { user_id: user.user_id, type: { in: ownEventTypes } },
    orderBy: { fields: ["log_id"], direction: "desc" },
    limit: read,
  });
  const known = new Map<string, EventText>(Object.entries(texts));
  const events = rows.flatMap((row): { readonly row: Row<"logs">; readonly text: EventText }[] => {
    const text = textByDetails(row) ?? known.get(row.type);
    return text === undefined ? [] : [{ row, text }];
  });
  return sectionPage(
    visit,
    {},
    {
      name: "account-events",
      hasExits: true,
      draw: (drawing) =>
        drawEvents(
          drawing,
          events.slice(0, shown).map(({ row, text }) => ({
            id: row.log_id,
            text: drawing.t.text(text),
            at: momentText(visit, drawing.t, row.date),
            device: deviceName(row.user_agent),
            address: row.ip === "" ? undefined : row.ip,
          })),
        ),
    },
  );
}
