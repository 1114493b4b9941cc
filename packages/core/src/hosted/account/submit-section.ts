import { isPosternError } from "../../errors.ts";
import { isDeniedByAction } from "../../identity/actions/own-change.ts";
import { redirectResponse } from "../../http/html.ts";
import { challengeActions } from "../../login/factors/challenge-form.ts";
import { renderingOf } from "../../login/form-token.ts";
import type { MessageType } from "../../model/factors/multifactor.ts";
import { repeatRecovery, submitProof } from "./prove.tsx";
import { accountUrl } from "./place.ts";
import type { AccountSection } from "./section.ts";
import type { AccountForm } from "./section-form.ts";
import { sectionUrl } from "./section-page.tsx";
import { signInAtPage } from "./sign-in.ts";
import type { AccountVisit } from "./visit.ts";

/** The parsed body of a form. The fields of a section are further members. */
interface FormBody {
  readonly csrf: string;
  readonly action: string;
  readonly view?: string;
  readonly id?: string;
  readonly type?: string;
  readonly new?: string;
  readonly factor?: string;
  readonly destination?: string;
  readonly current_factor?: string;
  readonly current_destination?: string;
  readonly channel?: MessageType;
  readonly current_channel?: string;
  readonly code?: string;
  readonly response?: string;
  readonly phone?: string;
  readonly name?: string;
}

/** Returns the form that a parsed body contains. */
export function toForm(body: FormBody): AccountForm {
  const { csrf, action, code = "", response = "", phone = "", name = "", factor, destination, channel } = body;
  const values = new Map<string, unknown>(Object.entries(body));
  return {
    view: { view: body.view, id: body.id, type: body.type, new: body.new },
    action,
    code,
    response,
    phone,
    name,
    text(field) {
      const value = values.get(field);
      return typeof value === "string" ? value : "";
    },
    factor,
    destination,
    current: { factor: body.current_factor, destination: body.current_destination },
    channel,
    currentChannel: body.current_channel,
    rendering: renderingOf(csrf),
  };
}

/** Handles a form. A form that changes something leads to the page that asks for a factor, if one is required. */
export async function submitSection(section: AccountSection, visit: AccountVisit, form: AccountForm, request: Request): Promise<Response> {
  const { place, permission, isReadOnly } = visit;
  const { changes = {}, actions = {} } = section;
  const { action, view } = form;
  if (action === "sign-in-again" && place.client !== undefined) {
    const { view: name, id } = view;
    return signInAtPage(place, request, accountUrl(place, section.name, { view: name, id }), ["login"]);
  }
  if (isReadOnly) return redirectResponse(sectionUrl(visit));
  const free = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (free !== undefined) return free(visit, form, request);
  if (permission.kind === "challenge" && challengeActions.includes(action))
    return submitProof({ visit, types: permission.types, view }, form);
  const repeated = await repeatRecovery(visit, form);
  if (repeated !== undefined) return repeated;
  const change = Object.hasOwn(changes, action) ? changes[action] : undefined;
  if (change === undefined || permission.kind !== "allowed") {
    const problem = section.problemOfRefused?.(visit, action);
    return redirectResponse(sectionUrl(visit, { ...view, problem }));
  }
  try {
    return await change(visit, form, request);
  } catch (error) {
    if (isDeniedByAction(error)) return redirectResponse(sectionUrl(visit, { ...view, problem: "change-denied" }));
    // The factors were frozen since they were read: the page says so.
    if (isPosternError(error) && error.code === "access_denied") return redirectResponse(sectionUrl(visit, view));
    if (!isPosternError(error) || error.code !== "conflict") throw error;
    return redirectResponse(sectionUrl(visit, { ...view, problem: "conflict" }));
  }
}
