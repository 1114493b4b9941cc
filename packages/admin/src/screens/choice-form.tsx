import type { JSX } from "preact";
import { ChoiceField, PostForm } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest, SubmittedForm } from "../screen.ts";

/** The maximum number of records that a form of choices lists. It is the maximum page size of the Management API. */
export const maximumChoices = 100;

/** The number of choices from which on the list has a search field. */
const manyChoices = 12;

/** Renders a form in which an operator selects records, such as the roles of a user. Read it with {@link changedChoices}. */
export function ChoiceForm({ request, action, legend, choices, selected, hint, cancel }: ChoiceFormProps): JSX.Element {
  return (
    <>
      {choices.length >= manyChoices && <NarrowField />}
      <PostForm request={request} action={action} class="form wide" hidden={{ before: JSON.stringify(selected) }} guards>
        <fieldset class="choices">
          <legend>{legend}</legend>
          {choices.map(({ value, title, about }) => (
            <ChoiceField
              key={value}
              type="checkbox"
              name="choice"
              value={value}
              title={title}
              about={about ?? undefined}
              checked={selected.includes(value)}
            />
          ))}
        </fieldset>
        {hint !== undefined && <p class="hint">{hint}</p>}
        <div class="actions">
          <button type="submit" class="button main">
            {consoleTexts.save}
          </button>
          <a class="button" href={cancel}>
            {consoleTexts.cancel}
          </a>
        </div>
      </PostForm>
    </>
  );
}

/**
 * Renders the search field of a long list of choices. The script shows it, because it hides the other choices in the page.
 * It is outside the form, so that Enter does not send the form.
 */
function NarrowField(): JSX.Element {
  return (
    <div class="narrow" hidden data-narrows={consoleTexts.narrowed}>
      <label for="narrow">{consoleTexts.narrow}</label>
      <input id="narrow" type="search" autocomplete="off" spellcheck={false} dir="auto" maxLength={200} aria-describedby="narrow-hint" />
      <p class="hint" id="narrow-hint">
        {consoleTexts.narrowHint}
      </p>
    </div>
  );
}

interface ChoiceFormProps {
  readonly request: Pick<ScreenRequest, "formToken">;
  /** The URL that the form posts to. */
  readonly action: string;
  readonly legend: string;
  readonly choices: readonly { readonly value: string; readonly title: string; readonly about?: string | null | undefined }[];
  /** The values that are selected now. */
  readonly selected: readonly string[];
  readonly hint?: string | undefined;
  /** The URL of the page without the change. */
  readonly cancel: string;
}

/** Returns only what differs from the shown page, so that a change of another operator stays. */
export function changedChoices(form: SubmittedForm): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  const before = new Set(readTexts(form.get("before") ?? ""));
  const wanted = new Set(form.getAll("choice"));
  return { added: [...wanted].filter((value) => !before.has(value)), removed: [...before].filter((value) => !wanted.has(value)) };
}

/** Parses a JSON list of texts. Everything else is an empty list. */
function readTexts(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}
