import type { Drawing, PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { EditLink } from "../pages/edit-link.tsx";
import { AccountNotice } from "../pages/notice.tsx";
import { Select, type SelectChoice } from "../pages/select.tsx";

/** The data for {@link drawLanguage}. */
export interface ShownLanguage {
  /** Undefined if the user chose none. */
  readonly language: string | undefined;
  readonly zone: string | undefined;
  /** The URL of the form. Undefined if the user can change nothing. */
  readonly edit: string | undefined;
  readonly isSaved: boolean;
}

/** Draws the language and the time zone of the signed-in user. */
export function drawLanguage({ t }: Drawing, { language, zone, edit, isSaved }: ShownLanguage): PageParts {
  return {
    title: t.text("languageTitle"),
    content: (
      <>
        {isSaved && <AccountNotice icon="check" text={t.text("accountSaved")} />}
        <dl class="facts">
          <dt>{t.text("languageLabel")}</dt>
          <dd>{language === undefined ? t.text("languageUnset") : <bdi>{language}</bdi>}</dd>
          <dt>{t.text("languageZone")}</dt>
          <dd>{zone === undefined ? t.text("languageUnset") : <bdi>{zone}</bdi>}</dd>
        </dl>
        <EditLink t={t} href={edit} />
      </>
    ),
  };
}

/** The data for {@link drawEditLanguage}. */
export interface LanguageForm {
  /** The stored claims. An empty string if the user chose none. */
  readonly locale: string;
  readonly zoneinfo: string;
  readonly languages: readonly SelectChoice[];
  readonly zones: readonly string[];
  readonly back: string;
}

/** Draws the form in which the user chooses a language and a time zone. */
export function drawEditLanguage(drawing: StepDrawing, { locale, zoneinfo, languages, zones, back }: LanguageForm): PageParts {
  const { frame, t, problem } = drawing;
  const unset = t.text("languageUnset");
  return {
    title: t.text("languageTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame} class="fields">
          <Select id="locale" label={t.text("languageLabel")} unset={unset} chosen={locale} choices={languages} />
          <Select
            id="zoneinfo"
            label={t.text("languageZone")}
            unset={unset}
            chosen={zoneinfo}
            choices={zones.map((value) => ({ value, label: value }))}
          />
          <FormAction value="save-language">{t.text("securitySave")}</FormAction>
        </Form>
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
