import type { Drawing, Drawn } from "../kit/drawing.ts";
import { Action, Form, Name } from "../kit/form.tsx";

/** Asks whether to sign out, where the client could not show that the person wants it. */
export function drawConfirmLogout({ frame, say }: Drawing): Drawn {
  return {
    title: say.text("logoutTitle"),
    content: (
      <>
        <p class="lead">{say.pieces("logoutLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
        <Form frame={frame}>
          <Action value="logout">{say.text("logoutSubmit")}</Action>
        </Form>
        <p class="note">{say.text("logoutStay")}</p>
      </>
    ),
  };
}
