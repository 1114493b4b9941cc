import type { JSX } from "preact";
import type { Drawing } from "../../components/drawing.ts";
import { Form, FormAction } from "../../components/form.tsx";

/** Renders the button with which a user abandons the linking of accounts and signs in another way. */
export function AnotherWay({ frame, t }: Drawing): JSX.Element {
  return (
    <Form frame={frame}>
      <FormAction value="another-way" kind="small">
        {t.text("linkAccountOther")}
      </FormAction>
    </Form>
  );
}
