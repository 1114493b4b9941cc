import type { Drawing, Drawn } from "../kit/drawing.ts";
import { Icon } from "../kit/icons.tsx";

/** Says that the person is signed out. */
export function drawLoggedOut({ say }: Drawing): Drawn {
  return {
    title: say.text("loggedOutTitle"),
    mark: (
      <div class="sign good">
        <Icon name="check" />
      </div>
    ),
    content: <p class="lead">{say.text("loggedOutLead")}</p>,
  };
}
