import { base64url } from "jose";
import { Card, EmptyState, NoticeBox, ShownOnce } from "../components/blocks.tsx";
import { ChoiceField, LineField, PostForm, SelectField } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { shownConnectionsSchema, shownTicketSchema, shownUserSchema, type ShownConnection } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import { change, read } from "./read-parts.ts";

const texts = consoleTexts.newUser;

/** The page that creates a user. */
export const newUserScreen: ConsoleScreen = {
  path: "/users/new",
  show: async (request) => newUserPage(request, await readConnections(request), new URLSearchParams(), undefined),
  async submit(request, form) {
    const { api, links } = request;
    const isInvited = form.get("credential") !== "password";
    const [email, name] = [form.get("email")?.trim() ?? "", form.get("name")?.trim() ?? ""];
    // The connection requires a password. This one is random and not shown: the link replaces it.
    const password = isInvited ? randomPassword() : (form.get("password") ?? "");
    try {
      const body = { connection: form.get("connection") ?? "", email, ...(name !== "" && { name }), password };
      const user = shownUserSchema.parse(await change(api, "POST", ["users"], body));
      if (!isInvited) return redirectTo(links.to(["users", user.user_id], { done: "saved" }));
      const ticket = { user_id: user.user_id, mark_email_as_verified: true };
      return createdPage(
        request,
        user.user_id,
        shownTicketSchema.parse(await change(api, "POST", ["tickets", "password-change"], ticket)).ticket,
      );
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      return { ...newUserPage(request, await readConnections(request), form, error.message), status: 400 };
    }
  },
};

/** The connections that store users with a password. */
async function readConnections({ api }: ScreenRequest): Promise<readonly ShownConnection[]> {
  return shownConnectionsSchema.parse(await read(api, ["connections"], { strategy: "auth0", per_page: "100" }));
}

/** A random text with each kind of character that a password policy may require. */
function randomPassword(): string {
  return `${base64url.encode(crypto.getRandomValues(new Uint8Array(24)))}aA1!`;
}

const trail = ({ links }: ScreenRequest) => [{ text: consoleTexts.users.title, href: links.to(["users"]) }];

function createdPage(request: ScreenRequest, userId: string, link: string): ScreenPage {
  return {
    title: texts.created,
    section: "users",
    trail: trail(request),
    recordId: userId,
    body: (
      <Card title={consoleTexts.user.resetTitle}>
        <div class="in form">
          <NoticeBox level="warn">{texts.linkAbout}</NoticeBox>
          <ShownOnce value={link} what={consoleTexts.user.resetTitle} />
          <p class="actions">
            <a class="button" href={request.links.to(["users", userId])}>
              {texts.open}
            </a>
          </p>
        </div>
      </Card>
    ),
  };
}

function newUserPage(
  request: ScreenRequest,
  connections: readonly ShownConnection[],
  form: SubmittedForm,
  fault: string | undefined,
): ScreenPage {
  const chosen = form.get("connection") ?? connections[0]?.name;
  const isInvited = form.get("credential") !== "password";
  return {
    title: texts.title,
    section: "users",
    trail: trail(request),
    body: (
      <Card>
        {connections.length === 0 ? (
          <EmptyState icon="users" text={texts.noConnection} />
        ) : (
          <div class="in">
            {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
            <PostForm request={request} action={request.links.to(["users", "new"])} class="form" guards>
              <LineField name="email" label={texts.email} type="email" value={form.get("email") ?? ""} required />
              <LineField name="name" label={texts.name} value={form.get("name") ?? ""} hint={texts.nameHint} />
              <SelectField
                name="connection"
                label={texts.connection}
                hint={texts.connectionHint}
                value={chosen ?? ""}
                options={connections.map(({ name, display_name: shown }) => [name, shown ?? name] as const)}
              />
              <fieldset>
                <legend>{texts.credential}</legend>
                <ChoiceField
                  type="radio"
                  name="credential"
                  value="link"
                  title={texts.invite}
                  about={texts.inviteAbout}
                  checked={isInvited}
                />
                <ChoiceField
                  type="radio"
                  name="credential"
                  value="password"
                  title={texts.password}
                  about={texts.passwordAbout}
                  checked={!isInvited}
                />
              </fieldset>
              <LineField
                name="password"
                label={texts.passwordLabel}
                type="password"
                hint={texts.passwordHint}
                autocomplete="new-password"
              />
              <div class="actions">
                <button type="submit" class="button main">
                  {texts.create}
                </button>
                <a class="button" href={request.links.to(["users"])}>
                  {consoleTexts.cancel}
                </a>
              </div>
            </PostForm>
          </div>
        )}
      </Card>
    ),
  };
}
