import type { JSX } from "preact";
import type { MessageType } from "../../model/factors/multifactor.ts";
import type { Drawing } from "./drawing.ts";
import { Form, FormAction } from "./form.tsx";

/** Renders the button with which a user gets the code by a call instead of a text message, or the reverse. */
export function SwitchChannel({ frame, t, action, channel }: SwitchChannelProps): JSX.Element | null {
  if (channel === undefined) return null;
  return (
    <Form frame={frame}>
      <input type="hidden" name="channel" value={channel} />
      <FormAction value={action} kind="small">
        {t.text(channel === "voice" ? "factorCallInstead" : "factorTextInstead")}
      </FormAction>
    </Form>
  );
}

interface SwitchChannelProps extends Drawing {
  readonly action: string;
  /** The channel to switch to. Undefined if there is no other one. */
  readonly channel: MessageType | undefined;
}
