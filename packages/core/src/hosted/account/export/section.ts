import { auditClient, auditUser } from "../../../logs/audit.ts";
import type { AccountSection } from "../section.ts";
import { sectionPage, sectionUrl } from "../section-page.tsx";
import type { AccountVisit } from "../visit.ts";
import { collectOwnData } from "./own-data.ts";
import { drawDownload, drawExport } from "./page.tsx";

/** The section in which users download the data about them. A thief of a session cannot: it requires a recent proof. */
export const exportSection: AccountSection = {
  name: "export",
  title: "exportTitle",
  summaries: { show: "Offer the data about the signed-in user", change: "Download the data about the signed-in user, as JSON" },
  overview,
  pages: { download: downloadPage },
  changes: { download },
};

function overview(visit: AccountVisit): Promise<Response> {
  const download = visit.isReadOnly ? undefined : sectionUrl(visit, { view: "download" });
  return sectionPage(visit, {}, { name: "account-export", hasExits: true, draw: (drawing) => drawExport(drawing, { download }) });
}

function downloadPage(visit: AccountVisit): Promise<Response> {
  const back = sectionUrl(visit);
  return sectionPage(visit, { view: "download" }, { name: "account-export", draw: (drawing) => drawDownload(drawing, { back }) });
}

async function download(visit: AccountVisit): Promise<Response> {
  const { tenant, user, place } = visit;
  const data = await collectOwnData(visit);
  await tenant.audit({
    type: "my_account_data_exported",
    description: "The user downloaded the data about them.",
    ...auditClient(place.client),
    ...auditUser(user),
  });
  return new Response(JSON.stringify(data, null, 2), {
    headers: {
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="account.json"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}
