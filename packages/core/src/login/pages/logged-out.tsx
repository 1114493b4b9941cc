import type { Drawing, Drawn } from "../components/drawing.ts";
import { Sign } from "../components/sign.tsx";
import { WayOnLink } from "../components/way-on.tsx";
import type { WayOn } from "../way-on.ts";

/** Says that the person is signed out, and leads back to the app where it is known. */
export function drawLoggedOut({ frame, say }: Drawing, wayOn: WayOn | undefined): Drawn {
  return {
    title: say.text("loggedOutTitle"),
    mark: <Sign frame={frame} kind="good" icon="check" />,
    content: (
      <>
        <p class="lead">{say.text("loggedOutLead")}</p>
        <WayOnLink say={say} frame={frame} wayOn={wayOn} />
      </>
    ),
  };
}
