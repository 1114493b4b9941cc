import type { JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest } from "../screen.ts";
import { Card } from "./blocks.tsx";
import { PostForm } from "./post-form.tsx";

/** Renders the question before a change that cannot be undone. */
export function ConfirmCard({ request, title, about, action, confirm, back }: ConfirmProps): JSX.Element {
  return (
    <Card title={title} isDanger>
      <div class="in">
        <PostForm request={request} action={action} class="form">
          <p>{about}</p>
          <div class="actions">
            <button type="submit" class="button bad main">
              {confirm}
            </button>
            <a class="button" href={back}>
              {consoleTexts.cancel}
            </a>
          </div>
        </PostForm>
      </div>
    </Card>
  );
}

interface ConfirmProps {
  readonly request: Pick<ScreenRequest, "formToken">;
  readonly title: string;
  readonly about: string;
  /** The URL that the form posts to. */
  readonly action: string;
  /** The text of the button. */
  readonly confirm: string;
  /** The URL of the page without the change. */
  readonly back: string;
}
