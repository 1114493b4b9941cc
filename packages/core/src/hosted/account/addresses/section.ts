import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { confirmAddress, findPendingAddress, hasAddress, type NewAddress } from "../../../identity/users/change-address.ts";
import { rejectedPhone, addFactorProblem } from "../../../login/factors/shown-correction.ts";
import { resendDelay } from "../../../login/factors/send-code.ts";
import { sendAddressCode } from "../../../messages/send-address-code.ts";
import { emailSchema } from "../../../model/email-address.ts";
import { readPhoneNumber } from "../../../model/phone-number.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { changeableAddresses } from "./changeable-addresses.ts";
import { drawAddressCode } from "./code-page.tsx";
import { drawNewEmail, drawNewPhone } from "./new-address.tsx";
import { drawAddresses } from "./page.tsx";

/** The section in which users change their email address and their phone number. */
export const addressesSection: AccountSection = {
  name: "addresses",
  title: "addressesTitle",
  summaries: {
    show: "Show the email address and the phone number of the signed-in user",
    change: "Change the email address or the phone number of the signed-in user",
  },
  fields: { email: z.string().max(500).exactOptional() },
  overview,
  pages: { email: newEmailPage, phone: newPhonePage, code: codePage },
  changes: {
    "send-email-code": requestEmailCode,
    "send-phone-code": requestPhoneCode,
    "send-another-code": requestAnotherCode,
    "confirm-address": confirm,
  },
};

async function overview(visit: AccountVisit, { done, problem }: AccountState): Promise<Response> {
  const { user, isReadOnly } = visit;
  const kinds = isReadOnly ? [] : await changeableAddresses(visit);
  return sectionPage(
    visit,
    {},
    {
      name: "account-addresses",
      hasExits: true,
      draw: (drawing) =>
        drawAddresses(
          { ...drawing, problem: problemNamed(problem) },
          {
            email: user.email === "" ? undefined : user.email,
            phone: user.phone_number ?? undefined,
            changeEmail: kinds.includes("email") ? sectionUrl(visit, { view: "email" }) : undefined,
            changePhone: kinds.includes("phone") ? sectionUrl(visit, { view: "phone" }) : undefined,
            isSaved: done === "saved",
          },
        ),
    },
  );
}

async function newEmailPage(visit: AccountVisit, { problem }: AccountState): Promise<Response> {
  if (!(await changeableAddresses(visit)).includes("email")) return redirectResponse(sectionUrl(visit));
  return sectionPage(
    visit,
    { view: "email" },
    { name: "account-addresses", draw: (drawing) => drawNewEmail({ ...drawing, problem: problemNamed(problem) }, sectionUrl(visit)) },
  );
}

async function newPhonePage(visit: AccountVisit, state: AccountState): Promise<Response> {
  if (!(await changeableAddresses(visit)).includes("phone")) return redirectResponse(sectionUrl(visit));
  const problem = (await addFactorProblem(visit.tenant, visit.session.id, state)) ?? problemNamed(state.problem);
  return sectionPage(
    visit,
    { view: "phone" },
    { name: "account-addresses", draw: (drawing) => drawNewPhone({ ...drawing, problem }, sectionUrl(visit)) },
  );
}

async function codePage(visit: AccountVisit, { id, sent, problem }: AccountState): Promise<Response> {
  const pending = await findPending(visit, id);
  if (pending === undefined) return redirectResponse(sectionUrl(visit));
  const screen = { ...pending, resendIn: sent === undefined ? 0 : resendDelay, back: sectionUrl(visit) };
  return sectionPage(
    visit,
    { view: "code", id },
    { name: "account-addresses", draw: (drawing) => drawAddressCode({ ...drawing, problem: problemNamed(problem) }, screen) },
  );
}

async function requestEmailCode(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { data: address } = emailSchema.safeParse(form.text("email").trim());
  if (address === undefined) return redirectResponse(sectionUrl(visit, { view: "email", problem: "email-invalid" }));
  return sendCode(visit, { kind: "email", address }, form);
}

async function requestPhoneCode(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const read = await readPhoneNumber(form.phone);
  if ("number" in read) return sendCode(visit, { kind: "phone", address: read.number }, form);
  const problem = await rejectedPhone(visit.tenant, visit.session.id, read.correction);
  return redirectResponse(sectionUrl(visit, { view: "phone", ...problem }));
}

async function requestAnotherCode(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const pending = await findPending(visit, form.view.id);
  return pending === undefined ? redirectResponse(sectionUrl(visit)) : sendCode(visit, pending, form);
}

async function sendCode(visit: AccountVisit, address: NewAddress, { view, rendering }: AccountForm): Promise<Response> {
  const { tenant, user, session, place } = visit;
  const { kind } = address;
  if (rendering === undefined || !(await changeableAddresses(visit)).includes(kind)) return redirectResponse(sectionUrl(visit));
  if (hasAddress(user, address)) return redirectResponse(sectionUrl(visit, { view: kind, problem: `${kind}-same` }));
  // The rendering names one form of the page, which could be submitted with several addresses.
  const form = await tenant.secrets.fingerprints.of("form of an address", session.id, rendering, address.address);
  const sent = await sendAddressCode(tenant, { user, sessionId: session.id, client: place.client }, address, form);
  if (sent.problem !== undefined)
    return redirectResponse(sectionUrl(visit, { view: view.view ?? kind, id: view.id, problem: sent.problem }));
  return redirectResponse(sectionUrl(visit, { view: "code", id: sent.codeId, sent: "1" }));
}

async function confirm(visit: AccountVisit, { view, code }: AccountForm): Promise<Response> {
  const { tenant, user, session, place } = visit;
  const pending = await findPending(visit, view.id);
  if (pending === undefined) return redirectResponse(sectionUrl(visit));
  const result = await confirmAddress(tenant, { user, sessionId: session.id, client: place.client }, pending, code);
  switch (result) {
    case "changed":
      return redirectResponse(sectionUrl(visit, { done: "saved" }));
    case "wrong-code":
      return redirectResponse(sectionUrl(visit, { ...view, problem: code.trim() === "" ? "code-missing" : result }));
    default:
      return redirectResponse(sectionUrl(visit, { problem: "outdated" }));
  }
}

function findPending({ tenant, user, session }: AccountVisit, id: string | undefined): Promise<NewAddress | undefined> | undefined {
  return id === undefined ? undefined : findPendingAddress(tenant, { user, sessionId: session.id }, id);
}
