import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { Clamped, Form, FormAction } from "../../../login/components/form.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** A session in the list. Times are formatted. */
export interface ListedSession {
  readonly id: string;
  /** Whether it is the session of this browser. */
  readonly isCurrent: boolean;
  readonly name: string;
  /** The IP address of the last use. Undefined if it is unknown. */
  readonly address: string | undefined;
  readonly since: string;
  readonly used: string;
}

/** The data for {@link drawSessions}. */
export interface ShownSessions {
  readonly sessions: readonly ListedSession[];
  readonly isReadOnly: boolean;
  readonly done: "ended" | "others-ended" | undefined;
}

/** Draws the list of the user's sessions. */
export function drawSessions({ frame, t }: Drawing, { sessions, isReadOnly, done }: ShownSessions): PageParts {
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent);
  return {
    title: t.text("sessionsTitle"),
    content: (
      <>
        {done !== undefined && <AccountNotice icon="check" text={t.text(done === "ended" ? "sessionsEnded" : "sessionsOthersEnded")} />}
        <ul class="methods">
          {sessions.map(({ id, isCurrent, name, address, since, used }) => (
            <li key={id}>
              <Clamped class="row-name">{name}</Clamped>
              {isCurrent && <span class="row-detail">{t.text("sessionsThis")}</span>}
              <span class="row-detail">{t.text("sessionsSince", { date: since })}</span>
              <span class="row-detail">{t.text("securityUsed", { date: used })}</span>
              {address !== undefined && <span class="row-detail">{t.pieces("sessionsAddress", { address: <bdi>{address}</bdi> })}</span>}
              {!isCurrent && !isReadOnly && (
                <div class="others">
                  <Form frame={frame}>
                    <input type="hidden" name="session" value={id} />
                    <FormAction value="end-session" kind="small" label={t.text("sessionsEndName", { name })}>
                      {t.text("securitySignOut")}
                    </FormAction>
                  </Form>
                </div>
              )}
            </li>
          ))}
        </ul>
        {!hasOthers && <p class="note">{t.text("sessionsOnly")}</p>}
        {hasOthers && !isReadOnly && (
          <Form frame={frame}>
            <FormAction value="end-other-sessions" kind="second">
              {t.text("sessionsEndOthers")}
            </FormAction>
          </Form>
        )}
      </>
    ),
  };
}
