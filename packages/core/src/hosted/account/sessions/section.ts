import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { endOtherSessions, endOwnSession, findOwnSessions, type OwnSession } from "../../../identity/sessions/own-sessions.ts";
import type { Translate } from "../../../locales/translate.ts";
import { toDevice } from "../../../model/sessions/devices.ts";
import { momentText } from "../date-text.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { deviceName } from "./device-name.ts";
import { drawSessions, type ListedSession } from "./page.tsx";

/**
 * The section in which users see their sessions and end them. To end a session makes the account safer and changes nothing
 * that outlives the sessions, so it needs no recent authentication.
 */
export const sessionsSection: AccountSection = {
  name: "sessions",
  title: "sessionsTitle",
  summaries: { show: "Show the sessions of the signed-in user", change: "End sessions of the signed-in user" },
  fields: { session: z.string().max(64).exactOptional() },
  overview,
  actions: { "end-session": endSession, "end-other-sessions": endOthers },
};

const results = ["ended", "others-ended"] as const;

async function overview(visit: AccountVisit, { done }: AccountState): Promise<Response> {
  const { tenant, user, isReadOnly } = visit;
  const found = await findOwnSessions(tenant, user.user_id);
  return sectionPage(
    visit,
    {},
    {
      name: "account-sessions",
      hasExits: true,
      draw: (drawing) =>
        drawSessions(drawing, {
          sessions: found.map((one) => toListed(visit, drawing.t, one)),
          isReadOnly,
          done: results.find((result) => result === done),
        }),
    },
  );
}

function toListed(visit: AccountVisit, t: Translate, { session, usedAt }: OwnSession): ListedSession {
  const { last_ip: ip, last_user_agent: userAgent = "" } = toDevice(session.device);
  return {
    id: session.id,
    isCurrent: session.id === visit.session.id,
    name: deviceName(userAgent) ?? t.text("sessionsUnknown"),
    address: ip ?? undefined,
    since: momentText(visit, t, session.created_at),
    used: momentText(visit, t, usedAt),
  };
}

async function endSession(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user, session } = visit;
  const id = form.text("session");
  // The user ends the current session with "Sign out", which also removes its cookie.
  const isEnded = id !== session.id && (await endOwnSession(tenant, user, id));
  return redirectResponse(sectionUrl(visit, isEnded ? { done: "ended" } : {}));
}

async function endOthers(visit: AccountVisit): Promise<Response> {
  const { tenant, user, session } = visit;
  await endOtherSessions(tenant, user, session.id);
  return redirectResponse(sectionUrl(visit, { done: "others-ended" }));
}
