import type { JSX } from "preact";
import { Card, FactList, JsonBlock, NoticeBox, ShownOnce } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { ExactValue, StateBadge, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownBlocksSchema, shownEventsSchema, shownTicketSchema, type DisplayedUser } from "../resources.ts";
import { redirectTo, ScreenNotFound, type ScreenRequest, type ScreenResult, type SubmittedForm } from "../screen.ts";
import { DataTable } from "../components/table.tsx";
import { change, read, readDetail } from "./read-parts.ts";
import { explainFailures, type SignInFailure } from "./sign-in-failures.ts";
import { readUser, userPage, userTabPath, userTab } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** The first tab: who the user is, whether the user can sign in, and what an operator does about it. */
export const userProfileScreen = userTab({
  tab: "profile",
  read: async ({ api }, userId) => {
    const [throttled, events] = await Promise.all([
      readDetail(read(api, ["user-blocks", userId]).then((body) => shownBlocksSchema.parse(body).blocked_for.length)),
      readDetail(read(api, ["users", userId, "logs"], { per_page: "50", sort: "date:-1" }).then((body) => shownEventsSchema.parse(body))),
    ]);
    return { throttled: throttled ?? 0, failures: events && explainFailures(events) };
  },
  actions: ({ links, scopes }, user) =>
    scopes.has("update:users") && (
      <a class="button" href={links.to(["users", user.user_id, "edit"])}>
        {texts.edit}
      </a>
    ),
  body: ({ throttled, failures }, request, user) => (
    <div class="stack">
      <Access request={request} user={user} throttled={throttled} />
      {failures !== undefined && <Failures request={request} failures={failures} />}
      <Details request={request} user={user} />
      <Identities user={user} />
      <div class="columns">
        <JsonBlock id="user-metadata" title={texts.userMetadata} value={user.user_metadata ?? {}} />
        <JsonBlock id="app-metadata" title={texts.appMetadata} value={user.app_metadata ?? {}} />
      </div>
    </div>
  ),
  submit: submitProfile,
});

function Access({
  request,
  user,
  throttled,
}: {
  readonly request: ScreenRequest;
  readonly user: DisplayedUser;
  readonly throttled: number;
}): JSX.Element {
  const { scopes } = request;
  const action = userTabPath(request, user.user_id, "profile");
  const button = (name: string, text: string, kind = ""): JSX.Element => (
    <ActionButton key={name} request={request} action={action} hidden={{ action: name }} kind={kind}>
      {text}
    </ActionButton>
  );
  const hasEmail = typeof user.email === "string" && user.email !== "";
  const isUnverified = hasEmail && user.email_verified !== true;
  const problems = [
    ...(user.blocked === true ? [texts.accessBlocked] : []),
    ...(throttled > 0 ? [texts.accessThrottled] : []),
    ...(isUnverified ? [texts.accessUnverified] : []),
  ];
  const mayUpdate = scopes.has("update:users");
  const buttons = [
    ...(mayUpdate && throttled > 0 ? [button("throttle", texts.clearThrottle)] : []),
    ...(mayUpdate && isUnverified ? [button("verify", texts.verify), button("send-verification", texts.sendVerification)] : []),
    ...(scopes.has("create:user_tickets") && hasEmail ? [button("reset", texts.resetLink)] : []),
    ...(mayUpdate ? [user.blocked === true ? button("unblock", texts.unblock) : button("block", texts.block, "bad")] : []),
  ];
  return (
    <Card title={texts.access} actions={buttons.length > 0 ? buttons : undefined}>
      <div class="in">
        {problems.length === 0 ? (
          <StateBadge level="good">{texts.accessGood}</StateBadge>
        ) : (
          <ul>
            {problems.map((problem) => (
              <li key={problem}>
                <StateBadge level={problem === texts.accessUnverified ? "warn" : "bad"}>{problem}</StateBadge>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function Failures({
  request: { links, now },
  failures,
}: {
  readonly request: ScreenRequest;
  readonly failures: readonly SignInFailure[];
}): JSX.Element {
  return (
    <Card title={texts.failures} about={texts.failuresAbout}>
      <div class="in">
        {failures.length === 0 ? (
          <p class="soft">{texts.failuresEmpty}</p>
        ) : (
          <ul class="reasons">
            {failures.map(({ event, reason, remedy, count }) => (
              <li key={event.log_id}>
                <strong>{reason}</strong>
                <p>{remedy}</p>
                <p class="soft">
                  <Timestamp at={event.date} now={now} />, {texts.failureCount(count)}
                  {event.client_name ? (
                    <>
                      , <bdi>{event.client_name}</bdi>
                    </>
                  ) : null}{" "}
                  <a href={links.to(["logs", event.log_id])}>{texts.failureEvent}</a>
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function Details({ request: { now }, user }: { readonly request: ScreenRequest; readonly user: DisplayedUser }): JSX.Element {
  const verified = (is: boolean | null | undefined): JSX.Element => (
    <StateBadge level={is === true ? "good" : "warn"}>{is === true ? texts.verified : texts.notVerified}</StateBadge>
  );
  return (
    <Card title={texts.details}>
      <FactList
        items={[
          [
            texts.email,
            user.email ? (
              <>
                <ExactValue value={user.email} what={texts.email} /> {verified(user.email_verified)}
              </>
            ) : (
              <ValueOrDash>{undefined}</ValueOrDash>
            ),
          ],
          [texts.name, <ValueOrDash>{user.name}</ValueOrDash>],
          ...(user.phone_number
            ? ([
                [
                  texts.phone,
                  <>
                    <ExactValue value={user.phone_number} what={texts.phone} /> {verified(user.phone_verified)}
                  </>,
                ],
              ] as const)
            : []),
          ...(user.username ? ([[texts.username, <ExactValue value={user.username} what={texts.username} />]] as const) : []),
          ...(user.nickname ? ([[texts.nickname, <ValueOrDash>{user.nickname}</ValueOrDash>]] as const) : []),
          [texts.connection, <ValueOrDash>{user.connection}</ValueOrDash>],
          [texts.lastLogin, <Timestamp at={user.last_login} now={now} missing={consoleTexts.never} />],
          [texts.lastIp, <ValueOrDash>{user.last_ip}</ValueOrDash>],
          [texts.logins, <ValueOrDash>{user.logins_count ?? 0}</ValueOrDash>],
          [texts.passwordChanged, <Timestamp at={user.last_password_reset} now={now} />],
          [texts.created, <Timestamp at={user.created_at} now={now} />],
          [texts.updated, <Timestamp at={user.updated_at} now={now} />],
        ]}
      />
    </Card>
  );
}

function Identities({ user }: { readonly user: DisplayedUser }): JSX.Element {
  return (
    <Card title={texts.identities}>
      <DataTable
        caption={texts.identities}
        rows={user.identities ?? []}
        rowKey={({ provider, user_id: id }) => `${provider}|${id}`}
        columns={[
          { title: texts.connection, cell: ({ connection }) => <bdi>{connection}</bdi> },
          { title: texts.provider, cell: ({ provider }) => <bdi>{provider}</bdi> },
          { title: texts.identityId, cell: ({ user_id: id }) => <ExactValue value={id} what={texts.identityId} /> },
        ]}
      />
    </Card>
  );
}

async function submitProfile(request: ScreenRequest, form: SubmittedForm): Promise<ScreenResult> {
  const { api, params } = request;
  const id = params["id"] ?? "";
  const done = (outcome: string): Response => redirectTo(userTabPath(request, id, "profile", { done: outcome }));
  switch (form.get("action")) {
    case "block":
      await change(api, "PATCH", ["users", id], { blocked: true });
      return done("blocked");
    case "unblock":
      await change(api, "PATCH", ["users", id], { blocked: false });
      return done("unblocked");
    case "throttle":
      await change(api, "DELETE", ["user-blocks", id]);
      return done("throttle");
    case "verify":
      await change(api, "PATCH", ["users", id], { email_verified: true });
      return done("verified");
    case "send-verification":
      await change(api, "POST", ["jobs", "verification-email"], { user_id: id });
      return done("verification-sent");
    case "reset": {
      const { ticket } = shownTicketSchema.parse(await change(api, "POST", ["tickets", "password-change"], { user_id: id }));
      const user = await readUser(request);
      const body = (
        <Card title={texts.resetTitle}>
          <div class="in">
            <NoticeBox level="warn">{texts.resetAbout}</NoticeBox>
            <ShownOnce value={ticket} what={texts.resetTitle} />
          </div>
        </Card>
      );
      return userPage(request, user, "profile", body);
    }
    default:
      throw new ScreenNotFound();
  }
}
