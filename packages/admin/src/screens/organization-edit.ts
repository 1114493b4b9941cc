import { consoleTexts } from "../console-texts.ts";
import { organizationFrame } from "./organization-frame.ts";
import { change } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";

const texts = consoleTexts.organizations;

/** The page that changes the names of an organization. */
export const organizationEditScreen = editForm({
  path: "/organizations/:id/edit",
  title: texts.edit,
  read: organizationFrame.read,
  fields: () => [
    { name: "name", label: texts.name, hint: texts.nameHint, kind: "line", required: true },
    { name: "display_name", label: texts.displayName, hint: texts.displayNameHint, kind: "line" },
  ],
  page: (request, organization, form) => organizationFrame.page(request, organization, "members", form),
  save: ({ api, params: { id = "" } }, body) => change(api, "PATCH", ["organizations", id], body),
  after: (request, done) => organizationFrame.path(request, request.params["id"] ?? "", "members", { done }),
  cancel: (request) => organizationFrame.path(request, request.params["id"] ?? "", "members"),
});
