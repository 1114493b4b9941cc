import { Card, EmptyState } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, StateBadge, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownConsentsSchema, shownEventsSchema, shownFactorsSchema, shownOrganizationsSchema } from "../resources.ts";
import { redirectTo } from "../screen.ts";
import { eventLevel, eventTitle } from "./log-events.ts";
import { organizationName } from "./organization-frame.ts";
import { change, read } from "./read-parts.ts";
import { userTabPath, userTab } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** The log events of the user. */
export const userEventsScreen = userTab({
  tab: "events",
  read: async ({ api }, userId) => shownEventsSchema.parse(await read(api, ["users", userId, "logs"], { per_page: "50" })),
  body: (events, { links, now }) => (
    <Card title={texts.tabs.events}>
      {events.length === 0 ? (
        <EmptyState icon="logs" text={texts.eventsEmpty} />
      ) : (
        <DataTable
          caption={texts.tabs.events}
          rows={events}
          rowKey={(event) => event.log_id}
          columns={[
            { title: consoleTexts.logs.event, cell: (event) => <a href={links.to(["logs", event.log_id])}>{eventTitle(event.type)}</a> },
            {
              title: consoleTexts.logs.outcome,
              isTight: true,
              hasLabel: false,
              cell: ({ type }) => <StateBadge level={eventLevel(type)}>{consoleTexts.logs.outcomes[eventLevel(type)]}</StateBadge>,
            },
            { title: consoleTexts.logs.description, cell: (event) => <ValueOrDash>{event.description}</ValueOrDash> },
            { title: texts.client, cell: (event) => <ValueOrDash>{event.client_name}</ValueOrDash> },
            { title: consoleTexts.logs.ip, isTight: true, cell: (event) => <ValueOrDash>{event.ip}</ValueOrDash> },
            { title: consoleTexts.logs.time, isTight: true, cell: (event) => <Timestamp at={event.date} now={now} /> },
          ]}
        />
      )}
    </Card>
  ),
});

/** The organizations that the user is a member of. */
export const userOrganizationsScreen = userTab({
  tab: "organizations",
  read: async ({ api }, userId) => shownOrganizationsSchema.parse(await read(api, ["users", userId, "organizations"], { per_page: "100" })),
  body: (organizations, { links }) => (
    <Card title={texts.organizations}>
      {organizations.length === 0 ? (
        <EmptyState icon="users" text={texts.organizationsEmpty} />
      ) : (
        <DataTable
          caption={texts.organizations}
          rows={organizations}
          rowKey={({ id }) => id}
          columns={[
            {
              title: texts.organization,
              cell: (organization) => (
                <a href={links.to(["organizations", organization.id])}>
                  <bdi>{organizationName(organization)}</bdi>
                </a>
              ),
            },
            { title: "Id", cell: ({ id }) => <ExactValue value={id} what="id" /> },
          ]}
        />
      )}
    </Card>
  ),
});

/** The consents that the user gave to apps. */
export const userConsentsScreen = userTab({
  tab: "consents",
  read: async ({ api }, userId) => shownConsentsSchema.parse(await read(api, ["grants"], { user_id: userId, per_page: "100" })),
  body: (consents, request, user) => (
    <Card title={texts.consents} about={texts.consentsAbout}>
      {consents.length === 0 ? (
        <EmptyState icon="apps" text={texts.consentsEmpty} />
      ) : (
        <DataTable
          caption={texts.consents}
          rows={consents}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.client, cell: ({ clientID }) => <ExactValue value={clientID} what={texts.client} /> },
            { title: texts.audience, cell: ({ audience }) => <ValueOrDash>{audience}</ValueOrDash> },
            { title: texts.scopes, cell: ({ scope }) => <ValueOrDash>{scope.join(", ")}</ValueOrDash> },
            {
              title: "",
              isTight: true,
              cell: ({ id, clientID }) =>
                request.scopes.has("delete:grants") && (
                  <ActionButton
                    request={request}
                    action={userTabPath(request, user.user_id, "consents")}
                    hidden={{ consent: id }}
                    kind="small"
                    label={`${texts.revokeConsent} ${clientID}`}
                  >
                    {texts.revokeConsent}
                  </ActionButton>
                ),
            },
          ]}
        />
      )}
    </Card>
  ),
  async submit(request, form) {
    await change(request.api, "DELETE", ["grants", form.get("consent") ?? ""]);
    return redirectTo(userTabPath(request, request.params["id"] ?? "", "consents", { done: "consent-revoked" }));
  },
});

/** The second factors and passkeys of the user. */
export const userFactorsScreen = userTab({
  tab: "factors",
  read: async ({ api }, userId) =>
    shownFactorsSchema.parse(await read(api, ["users", userId, "authentication-methods"], { per_page: "100" })),
  body: (factors, { links, now, scopes }, user) => (
    <Card title={texts.factors}>
      {factors.length === 0 ? (
        <EmptyState icon="check" text={texts.factorsEmpty} />
      ) : (
        <DataTable
          caption={texts.factors}
          rows={factors}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.factor, cell: (factor) => texts.factorKinds[factor.type] ?? factor.type },
            { title: texts.name, cell: (factor) => <ValueOrDash>{factor.name || factor.phone_number || factor.email}</ValueOrDash> },
            {
              title: consoleTexts.users.state,
              isTight: true,
              hasLabel: false,
              cell: ({ confirmed }) => (
                <StateBadge level={confirmed === false ? "warn" : "good"}>
                  {confirmed === false ? texts.pending : texts.confirmed}
                </StateBadge>
              ),
            },
            { title: texts.created, isTight: true, cell: (factor) => <Timestamp at={factor.created_at} now={now} /> },
            {
              title: texts.lastSeen,
              isTight: true,
              cell: (factor) => <Timestamp at={factor.last_auth_at} now={now} missing={consoleTexts.never} />,
            },
            {
              title: "",
              isTight: true,
              cell: ({ id, type }) =>
                scopes.has("delete:authentication_methods") && (
                  <a
                    class="button small bad"
                    href={links.to(["users", user.user_id, "factors", id, "remove"])}
                    aria-label={`${texts.removeFactor} ${texts.factorKinds[type] ?? type}`}
                  >
                    {texts.removeFactor}
                  </a>
                ),
            },
          ]}
        />
      )}
    </Card>
  ),
});
