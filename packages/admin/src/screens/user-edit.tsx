import { Card, NoticeBox } from "../components/blocks.tsx";
import { AreaField, LineField, PostForm } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import type { DisplayedUser } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import { isSameJson, metadataChange, readObject } from "./metadata-change.ts";
import { change } from "./read-parts.ts";
import { readUser, userPage, userTabPath } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** The fields of the profile, with their labels. */
const profileFields = {
  name: texts.name,
  given_name: texts.givenName,
  family_name: texts.familyName,
  nickname: texts.nickname,
  email: texts.email,
  phone_number: texts.phone,
} as const;

const metadataFields = { user_metadata: texts.userMetadata, app_metadata: texts.appMetadata } as const;

type FieldName = keyof typeof profileFields | keyof typeof metadataFields;

const fieldNames: readonly FieldName[] = [
  "name",
  "given_name",
  "family_name",
  "nickname",
  "email",
  "phone_number",
  "user_metadata",
  "app_metadata",
];

/** The page that changes the profile and the metadata of a user. */
export const userEditScreen: ConsoleScreen = {
  path: "/users/:id/edit",
  async show(request) {
    const user = await readUser(request);
    return editPage(
      request,
      user,
      (name) => fieldText(user, name),
      (name) => fieldText(user, name),
      undefined,
    );
  },
  async submit(request, form) {
    const id = request.params["id"] ?? "";
    const body = readChange(form);
    const again = async (fault: string): Promise<ScreenPage> => ({
      ...editPage(
        request,
        await readUser(request),
        (name) => form.get(name) ?? "",
        (name) => form.get(`before_${name}`) ?? "",
        fault,
      ),
      status: 400,
    });
    if (typeof body === "string") return again(body);
    if (Object.keys(body).length === 0) return redirectTo(userTabPath(request, id, "profile", { done: "unchanged" }));
    try {
      await change(request.api, "PATCH", ["users", id], body);
    } catch (error) {
      if (error instanceof ManagementError && [400, 409].includes(error.status)) return again(error.message);
      throw error;
    }
    return redirectTo(userTabPath(request, id, "profile", { done: "saved" }));
  },
};

function fieldText(user: DisplayedUser, name: FieldName): string {
  const value = user[name];
  if (name === "user_metadata" || name === "app_metadata") return JSON.stringify(value ?? {}, null, 2);
  return typeof value === "string" ? value : "";
}

/**
 * Returns the body of the request: only the fields that differ from the shown page, so that a change of another operator
 * stays. Returns the reason, as a sentence, if a field is invalid.
 */
function readChange(form: SubmittedForm): { readonly [name: string]: unknown } | string {
  const body: { [name: string]: unknown } = {};
  for (const name of fieldNames) {
    const [before, after] = [form.get(`before_${name}`) ?? "", form.get(name) ?? ""];
    if (name !== "user_metadata" && name !== "app_metadata") {
      if (after.trim() !== before) body[name] = after.trim() === "" ? null : after.trim();
      continue;
    }
    const [shown, wanted] = [readObject(before), readObject(after)];
    if (wanted === undefined) return texts.metadataInvalid(metadataFields[name]);
    if (!isSameJson(shown ?? {}, wanted)) body[name] = metadataChange(shown ?? {}, wanted);
  }
  return body;
}

function editPage(
  request: ScreenRequest,
  user: DisplayedUser,
  value: (name: FieldName) => string,
  before: (name: FieldName) => string,
  fault: string | undefined,
): ScreenPage {
  const body = (
    <Card title={texts.editTitle}>
      <div class="in">
        {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
        <PostForm
          request={request}
          action={request.links.to(["users", user.user_id, "edit"])}
          class="form wide"
          hidden={Object.fromEntries(fieldNames.map((name) => [`before_${name}`, before(name)]))}
          guards
        >
          <div class="columns">
            {Object.entries(profileFields).map(([name, label]) => (
              <LineField key={name} name={name} label={label} value={value(name as keyof typeof profileFields)} />
            ))}
          </div>
          <div class="columns">
            <AreaField
              name="user_metadata"
              label={texts.userMetadata}
              hint={texts.userMetadataHint}
              value={value("user_metadata")}
              isJson
            />
            <AreaField name="app_metadata" label={texts.appMetadata} hint={texts.appMetadataHint} value={value("app_metadata")} isJson />
          </div>
          <div class="actions">
            <button type="submit" class="button main">
              {consoleTexts.save}
            </button>
            <a class="button" href={userTabPath(request, user.user_id, "profile")}>
              {consoleTexts.cancel}
            </a>
          </div>
        </PostForm>
      </div>
    </Card>
  );
  return userPage(request, user, "profile", body);
}
