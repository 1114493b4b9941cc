import { consoleTexts } from "../console-texts.ts";
import { change } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";
import { roleFrame } from "./role-frame.tsx";

const texts = consoleTexts.roles;

/** The page that changes the name and the description of a role. */
export const roleEditScreen = editForm({
  path: "/roles/:id/edit",
  title: texts.edit,
  read: roleFrame.read,
  fields: () => [
    { name: "name", label: texts.name, kind: "line", required: true },
    { name: "description", label: texts.description, hint: texts.descriptionHint, kind: "line" },
  ],
  page: (request, role, form) => roleFrame.page(request, role, "permissions", form),
  save: ({ api, params: { id = "" } }, body) => change(api, "PATCH", ["roles", id], body),
  after: (request, done) => roleFrame.path(request, request.params["id"] ?? "", "permissions", { done }),
  cancel: (request) => roleFrame.path(request, request.params["id"] ?? "", "permissions"),
});
