import type { JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest } from "../screen.ts";
import { Card } from "./blocks.tsx";
import { LineField, PostForm } from "./post-form.tsx";

/** Renders the question before a change that cannot be undone. */
export function ConfirmCard({ request, title, about, action, confirm, back, typed, fault }: ConfirmProps): JSX.Element {
  return (
    <Card title={title} isDanger>
      <div class="in">
        <PostForm request={request} action={action} class="form">
          <p>{about}</p>
          {typed !== undefined && <LineField name="typed" label={consoleTexts.typeToConfirm(typed)} fault={fault} required />}
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
  /** The text that the operator has to type. */
  readonly typed?: string;
  /** Why the typed text was rejected. */
  readonly fault?: string | undefined;
}

/** Renders the danger zone of a record: a deletion that cannot be undone, with the link to its confirmation. */
export function DangerCard({ title, about, href, scope, isAllowed }: DangerProps): JSX.Element {
  return (
    <Card title={consoleTexts.dangerZone} isDanger>
      <div class="danger-row">
        <div>
          <strong>{title}</strong>
          <p class="soft">{about}</p>
        </div>
        {isAllowed ? (
          <a class="button bad" href={href}>
            {title}
          </a>
        ) : (
          <code>{consoleTexts.user.noScope(scope)}</code>
        )}
      </div>
    </Card>
  );
}

interface DangerProps {
  /** The effect of the button. */
  readonly title: string;
  readonly about: string;
  /** The URL of the page that asks for a confirmation. */
  readonly href: string;
  /** The scope that the deletion requires. */
  readonly scope: string;
  readonly isAllowed: boolean;
}
