import type { ComponentChildren } from "preact";
import { SettingsForm } from "../components/settings-form.tsx";
import { ManagementError } from "../management-error.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import {
  beforePrefix,
  changedMembers,
  filledMembers,
  submittedTexts,
  textsOfRecord,
  type FieldTexts,
  type FormField,
} from "./form-fields.ts";

/** The body of a request to the Management API. */
export interface FormBody {
  readonly [name: string]: unknown;
}

interface FormPageParts {
  /** The path of the screen, such as `/roles/:id/edit`. */
  readonly path: string;
  readonly title: string;
  readonly about?: string;
  /** Whether the page requires a recent sign-in. Default: false. */
  readonly needsRecentSignIn?: boolean;
  /** The text of the button. Default: "Save changes". */
  readonly submit?: string;
  /** Returns a further button of the form. */
  extra?(request: ScreenRequest): ComponentChildren;
  /** The URL of the page without the change. */
  cancel(request: ScreenRequest): string | undefined;
}

/** The parts of a page that changes a record. */
interface EditFormParts<T extends object> extends FormPageParts {
  read(request: ScreenRequest): Promise<T>;
  /** Returns the title of the form, if it depends on the record. Default: `title`. */
  titleOf?(record: T): string;
  fields(record: T): readonly FormField[];
  /** Returns the page around the form. */
  page(request: ScreenRequest, record: T, form: ComponentChildren): ScreenPage;
  /**
   * Changes the record.
   * @param body the members that differ from the shown page.
   * @param form with the texts before the change.
   */
  save(request: ScreenRequest, body: FormBody, form: SubmittedForm): Promise<unknown>;
  /** Returns the path that the browser is redirected to. */
  after(request: ScreenRequest, done: "saved" | "unchanged"): string;
}

/** Creates the page that changes members of a record. It sends only what differs from the shown page. */
export function editForm<T extends object>(parts: EditFormParts<T>): ConsoleScreen {
  const { path, title, needsRecentSignIn = false, read, titleOf = () => title, fields, page, save, after } = parts;
  const render = (request: ScreenRequest, record: T, values: FieldTexts, before: FieldTexts, fault?: string): ScreenPage =>
    page(request, record, renderForm(request, { ...parts, title: titleOf(record) }, fields(record), values, before, fault));
  return {
    path,
    ...(needsRecentSignIn && { needsRecentSignIn }),
    async show(request) {
      const record = await read(request);
      const texts = textsOfRecord(fields(record), record);
      return render(request, record, texts, texts);
    },
    async submit(request, form) {
      const record = await read(request);
      const body = changedMembers(fields(record), form);
      if (Object.keys(body).length === 0) return redirectTo(after(request, "unchanged"));
      try {
        await save(request, body, form);
      } catch (error) {
        const values = submittedTexts(fields(record), form);
        return { ...render(request, record, values, submittedTexts(fields(record), form, beforePrefix), faultOf(error)), status: 400 };
      }
      return redirectTo(after(request, "saved"));
    },
  };
}

/** The parts of a page that creates a record. */
interface NewFormParts extends FormPageParts {
  fields(request: ScreenRequest): readonly FormField[];
  /** The first texts of the fields. Default: empty. */
  readonly initial?: FieldTexts;
  page(request: ScreenRequest, form: ComponentChildren): ScreenPage;
  /** Creates the record. Returns the path of its page, or a page. */
  create(request: ScreenRequest, body: FormBody): Promise<string | ScreenPage>;
}

/** Creates the page that creates a record from a form. */
export function newForm(parts: NewFormParts): ConsoleScreen {
  const { path, needsRecentSignIn = false, fields, initial = {}, page, create } = parts;
  return {
    path,
    ...(needsRecentSignIn && { needsRecentSignIn }),
    show: (request) => page(request, renderForm(request, parts, fields(request), initial, {})),
    async submit(request, form) {
      try {
        const created = await create(request, filledMembers(fields(request), form));
        return typeof created === "string" ? redirectTo(created) : created;
      } catch (error) {
        const values = submittedTexts(fields(request), form);
        return { ...page(request, renderForm(request, parts, fields(request), values, {}, faultOf(error))), status: 400 };
      }
    },
  };
}

/** Returns why the Management API rejected a body. @throws every error with another reason. */
function faultOf(error: unknown): string {
  if (error instanceof ManagementError && [400, 409].includes(error.status)) return error.message;
  throw error;
}

function renderForm(
  request: ScreenRequest,
  { path, title, about, submit, cancel, extra }: FormPageParts,
  fields: readonly FormField[],
  values: FieldTexts,
  before: FieldTexts,
  fault?: string,
): ComponentChildren {
  const back = cancel(request);
  return (
    <SettingsForm
      request={request}
      title={title}
      {...(about !== undefined && { about })}
      action={pathOfScreen(request, path)}
      fields={fields}
      values={values}
      before={before}
      fault={fault}
      {...(submit !== undefined && { submit })}
      {...(back !== undefined && { cancel: back })}
      {...(extra !== undefined && { buttons: extra(request) })}
    />
  );
}

/** Returns the path of a screen with the parameters of the request, and with its query. */
export function pathOfScreen({ links, params, query }: ScreenRequest, path: string): string {
  const segments = path.slice(1).split("/");
  const named = segments.map((one) => (one.startsWith(":") ? (params[one.slice(1)] ?? "") : one));
  const shown = Object.fromEntries([...query].filter(([name]) => name !== "done"));
  // The screens about tenants are outside the tenants.
  return segments[0] === "tenants" ? links.toRoot(named.map(encodeURIComponent).join("/"), shown) : links.to(named, shown);
}
