import * as z from "zod";
import { redirectResponse } from "../../../http/html.ts";
import { changeProfile } from "../../../identity/users/change-profile.ts";
import { claimMembers, standardClaimMembers } from "../../../model/users/standard-claims.ts";
import { isTimeZone } from "../date-text.ts";
import type { AccountSection } from "../section.ts";
import type { AccountForm } from "../section-form.ts";
import { problemNamed, sectionPage, sectionUrl, type AccountState } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { languageOptions, zoneOptions } from "./choices.ts";
import { drawEditLanguage, drawLanguage } from "./page.tsx";

const choiceSchema = z.object({ locale: standardClaimMembers.locale, zoneinfo: standardClaimMembers.zoneinfo });
const short = z.string().max(64).exactOptional();

/** The section in which users choose their language and their time zone: the claims `locale` and `zoneinfo`. */
export const languageSection: AccountSection = {
  name: "language",
  title: "languageTitle",
  summaries: {
    show: "Show the language and the time zone of the signed-in user",
    change: "Change the language and the time zone of the signed-in user",
  },
  fields: { locale: short, zoneinfo: short },
  overview,
  pages: { edit: editPage },
  changes: { "save-language": saveLanguage },
};

function overview(visit: AccountVisit, { done }: AccountState): Promise<Response> {
  const { locale, zoneinfo } = claimMembers(visit.user);
  return sectionPage(
    visit,
    {},
    {
      name: "account-language",
      hasExits: true,
      draw: (drawing) =>
        drawLanguage(drawing, {
          language: languageOptions(visit.tenant, locale).find(({ value }) => value === locale)?.label,
          zone: zoneinfo,
          edit: visit.isReadOnly ? undefined : sectionUrl(visit, { view: "edit" }),
          isSaved: done === "saved",
        }),
    },
  );
}

function editPage(visit: AccountVisit, { problem }: AccountState): Promise<Response> {
  const { locale = "", zoneinfo = "" } = claimMembers(visit.user);
  return sectionPage(
    visit,
    { view: "edit" },
    {
      name: "account-language",
      draw: (drawing) =>
        drawEditLanguage(
          { ...drawing, problem: problemNamed(problem) },
          {
            locale,
            zoneinfo,
            languages: languageOptions(visit.tenant, locale),
            zones: zoneOptions(zoneinfo),
            back: sectionUrl(visit),
          },
        ),
    },
  );
}

async function saveLanguage(visit: AccountVisit, form: AccountForm): Promise<Response> {
  const { tenant, user, place } = visit;
  const stored = { locale: "", zoneinfo: "", ...claimMembers(user) };
  const chosen = { locale: form.text("locale"), zoneinfo: form.text("zoneinfo") };
  const set = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ""));
  const isOffered = languageOptions(tenant, stored.locale).some(({ value }) => value === chosen.locale);
  const isValid = choiceSchema.safeParse(set).success && (chosen.locale === "" || isOffered);
  if (!isValid || (chosen.zoneinfo !== "" && !isTimeZone(chosen.zoneinfo)))
    return redirectResponse(sectionUrl(visit, { view: "edit", problem: "value-invalid" }));
  await changeProfile(
    tenant,
    { user, client: place.client },
    {
      ...(chosen.locale !== stored.locale && { locale: chosen.locale || null }),
      ...(chosen.zoneinfo !== stored.zoneinfo && { zoneinfo: chosen.zoneinfo || null }),
    },
  );
  return redirectResponse(sectionUrl(visit, { done: "saved" }));
}
