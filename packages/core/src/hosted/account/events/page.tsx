import type { Drawing, PageParts } from "../../../login/components/drawing.ts";

/** An event in the list, in the user's language. */
export interface ListedEvent {
  readonly id: string;
  readonly text: string;
  readonly at: string;
  /** Undefined if the browser is unknown. */
  readonly device: string | undefined;
  /** The IP address. Undefined if it is unknown. */
  readonly address: string | undefined;
}

/** Draws the recent security events of the user, newest first. */
export function drawEvents({ t }: Drawing, events: readonly ListedEvent[]): PageParts {
  return {
    title: t.text("eventsTitle"),
    content: (
      <>
        {events.length === 0 && <p class="lead">{t.text("eventsNone")}</p>}
        <ul class="methods">
          {events.map(({ id, text, at, device, address }) => (
            <li key={id}>
              <span class="row-name">{text}</span>
              <span class="row-detail">{at}</span>
              {device !== undefined && <bdi class="row-detail">{device}</bdi>}
              {address !== undefined && <span class="row-detail">{t.pieces("sessionsAddress", { address: <bdi>{address}</bdi> })}</span>}
            </li>
          ))}
        </ul>
      </>
    ),
  };
}
