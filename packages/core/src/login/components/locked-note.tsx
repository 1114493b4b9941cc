import type { JSX } from "preact";
import type { StepDrawing } from "./drawing.ts";
import { ProblemNote } from "./form.tsx";
import { Icon } from "./icons.tsx";

/**
 * Renders until when a factor is locked, or the problem of the page if it is not locked. The time is in UTC. The page
 * script shows it in the time zone and the form of the browser.
 */
export function LockedNote({ frame, t, problem, lockedUntil }: StepDrawing & { readonly lockedUntil: string | undefined }): JSX.Element {
  if (lockedUntil === undefined) return <ProblemNote frame={frame} t={t} problem={problem} />;
  const time = <time datetime={lockedUntil}>{`${lockedUntil.slice(11, 16)} UTC`}</time>;
  return (
    <div class="problem" id="problem" role="alert">
      <Icon name="clock" />
      <p>{t.pieces("factorLocked", { time })}</p>
    </div>
  );
}

/**
 * The script for {@link LockedNote}. When the factor can be tried again, it reloads the page. Not more often than every 15
 * seconds, because the clock of the browser may be wrong.
 */
export const lockedNoteScript = `
  document.querySelectorAll("time[datetime]").forEach(function (time) {
    var at = new Date(time.getAttribute("datetime"));
    try {
      time.textContent = at.toLocaleTimeString(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
    } catch (error) {}
    setTimeout(function () { location.reload(); }, Math.max(at - Date.now(), 15000) + 1000);
  });
`;
