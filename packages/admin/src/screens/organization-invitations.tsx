import type { ComponentChildren } from "preact";
import { Card, EmptyState, NoticeBox, ShownOnce } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { ChoiceField, LineField, PostForm, SelectField } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import {
  clientPageSchema,
  invitationPageSchema,
  shownInvitationSchema,
  shownConnectionsSchema,
  type ShownClient,
  type ShownInvitation,
  type ShownOrganization,
} from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenPage, type ScreenRequest, type SubmittedForm } from "../screen.ts";
import { maximumChoices } from "./choice-form.tsx";
import { isConsole } from "./console-client.ts";
import { organizationFrame } from "./organization-frame.ts";
import { change, pageSize, read, readDetail } from "./read-parts.ts";
import { readRoleChoices } from "./user-roles.tsx";

const texts = consoleTexts.organizations;

/** The invitations to the organization. */
const invitationsScreen = organizationFrame.tab({
  tab: "invitations",
  read: async ({ api, query }, id) =>
    invitationPageSchema.parse(
      await read(api, ["organizations", id, "invitations"], { take: String(pageSize), from: query.get("from") ?? "" }),
    ),
  actions: ({ links, scopes }, { id }) =>
    scopes.has("create:organization_invitations") && (
      <a class="button main" href={links.to(["organizations", id, "invitations", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.invite}
      </a>
    ),
  body: ({ invitations, next }, request, { id }) => {
    const { links, now, query, scopes } = request;
    return (
      <Card>
        {invitations.length === 0 ? (
          <EmptyState icon="users" text={texts.invitationsEmpty} />
        ) : (
          <DataTable
            caption={texts.tabs.invitations}
            rows={invitations}
            rowKey={(invitation) => invitation.id}
            columns={[
              { title: texts.invitee, cell: ({ invitee }) => <bdi>{invitee.email}</bdi> },
              {
                title: consoleTexts.users.state,
                isTight: true,
                hasLabel: false,
                cell: ({ expires_at: at }) =>
                  Date.parse(at ?? "") <= now ? (
                    <StateBadge level="plain">{texts.expired}</StateBadge>
                  ) : (
                    <StateBadge level="good">{texts.open}</StateBadge>
                  ),
              },
              { title: texts.inviter, cell: ({ inviter }) => <ValueOrDash>{inviter.name}</ValueOrDash> },
              { title: texts.app, isMinor: true, cell: ({ client_id: client }) => <ExactValue value={client} what={texts.app} /> },
              { title: texts.expires, isTight: true, cell: ({ expires_at: at }) => <Timestamp at={at} now={now} /> },
              {
                title: "",
                isTight: true,
                cell: (invitation) =>
                  scopes.has("delete:organization_invitations") && (
                    <a
                      class="button small bad"
                      href={links.to(["organizations", id, "invitations", invitation.id, "withdraw"])}
                      aria-label={`${texts.withdraw} ${invitation.invitee.email}`}
                    >
                      {texts.withdraw}
                    </a>
                  ),
              },
            ]}
          />
        )}
        <ListPager
          count={invitations.length}
          first={query.has("from") ? organizationFrame.path(request, id, "invitations") : undefined}
          next={next === undefined ? undefined : organizationFrame.path(request, id, "invitations", { from: next })}
        />
      </Card>
    );
  },
});

/** The page that invites a user, and shows the link once. */
const inviteScreen: ConsoleScreen = {
  path: "/organizations/:id/invitations/new",
  needsRecentSignIn: true,
  show: (request) => invitePage(request, new URLSearchParams(), undefined),
  async submit(request, form) {
    const { api, params, session } = request;
    const connection = form.get("connection") ?? "";
    const body = {
      inviter: { name: session.user.name ?? session.user.email ?? session.user.sub },
      invitee: { email: form.get("email")?.trim() ?? "" },
      client_id: form.get("client") ?? "",
      ...(connection !== "" && { connection_id: connection }),
      roles: form.getAll("role"),
      send_invitation_email: form.has("send"),
    };
    try {
      const created = await change(api, "POST", ["organizations", params["id"] ?? "", "invitations"], body);
      return invitedPage(request, await organizationFrame.read(request), shownInvitationSchema.parse(created));
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409, 429].includes(error.status))) throw error;
      return { ...(await invitePage(request, form, error.message)), status: 400 };
    }
  },
};

async function invitePage(request: ScreenRequest, form: SubmittedForm, fault: string | undefined): Promise<ScreenPage> {
  const { api, links } = request;
  const [organization, all, connections = [], roles = []] = await Promise.all([
    organizationFrame.read(request),
    read(api, ["clients"], { take: String(maximumChoices), is_global: "false" }).then((body) => clientPageSchema.parse(body).clients),
    readDetail(read(api, ["connections"], { per_page: String(maximumChoices) }).then((body) => shownConnectionsSchema.parse(body))),
    readDetail(readRoleChoices(request)),
  ]);
  // Only clients with a callback sign users in. The console is the last one, because few invitations are for operators.
  const withCallback = all.filter(({ callbacks }) => (callbacks ?? []).length > 0);
  const isLast = ({ callbacks }: ShownClient): number => Number(isConsole(request, callbacks));
  const clients = withCallback.toSorted((a, b) => isLast(a) - isLast(b));
  const chosen = new Set(form.getAll("role"));
  const content: ComponentChildren =
    clients.length === 0 ? (
      <EmptyState icon="apps" text={texts.noApp} />
    ) : (
      <div class="in">
        {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
        <PostForm request={request} action={links.to(["organizations", organization.id, "invitations", "new"])} class="form" guards>
          <LineField name="email" label={texts.email} type="email" value={form.get("email") ?? ""} required />
          <SelectField
            name="client"
            label={texts.app}
            hint={texts.appHint}
            value={form.get("client") ?? ""}
            options={clients.map((client) => [client.client_id, client.name] as const)}
          />
          <SelectField
            name="connection"
            label={texts.connection}
            value={form.get("connection") ?? ""}
            options={[["", texts.anyConnection], ...connections.map(({ id, name, display_name: shown }) => [id, shown || name] as const)]}
          />
          {roles.length > 0 && (
            <fieldset>
              <legend>{texts.roles}</legend>
              {roles.map((role) => (
                <ChoiceField
                  key={role.id}
                  type="checkbox"
                  name="role"
                  value={role.id}
                  title={role.name}
                  about={role.description ?? undefined}
                  checked={chosen.has(role.id)}
                />
              ))}
            </fieldset>
          )}
          <ChoiceField
            type="checkbox"
            name="send"
            value="yes"
            title={texts.send}
            about={texts.sendAbout}
            checked={fault === undefined || form.has("send")}
          />
          <div class="actions">
            <button type="submit" class="button main">
              {texts.sendInvitation}
            </button>
            <a class="button" href={organizationFrame.path(request, organization.id, "invitations")}>
              {consoleTexts.cancel}
            </a>
          </div>
        </PostForm>
      </div>
    );
  return organizationFrame.page(request, organization, "invitations", <Card title={texts.inviteTitle}>{content}</Card>);
}

function invitedPage(request: ScreenRequest, organization: ShownOrganization, invitation: ShownInvitation): ScreenPage {
  const body = (
    <Card title={texts.invited}>
      <div class="in form">
        {invitation.invitation_url ? (
          <>
            <NoticeBox level="warn">{texts.linkAbout}</NoticeBox>
            <ShownOnce value={invitation.invitation_url} what={texts.linkTitle} />
          </>
        ) : (
          <p>{texts.linkNone}</p>
        )}
        <p class="actions">
          <a class="button" href={organizationFrame.path(request, organization.id, "invitations")}>
            {texts.openOrganization}
          </a>
        </p>
      </div>
    </Card>
  );
  return organizationFrame.page(request, organization, "invitations", body);
}

/** The page that withdraws an invitation. */
const withdrawScreen = organizationFrame.confirmation({
  path: "/organizations/:id/invitations/:invitation/withdraw",
  tab: "invitations",
  title: texts.withdrawTitle,
  about: texts.withdrawAbout,
  confirm: texts.withdraw,
  async submit(request) {
    const { id = "", invitation = "" } = request.params;
    await change(request.api, "DELETE", ["organizations", id, "invitations", invitation]);
    return redirectTo(organizationFrame.path(request, id, "invitations", { done: "invitation-withdrawn" }));
  },
});

/** The screens of an organization's invitations. */
export const organizationInvitationScreens: readonly ConsoleScreen[] = [invitationsScreen, inviteScreen, withdrawScreen];
