import * as z from "zod";
import { Card, EmptyState } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { StateBadge, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { redirectTo, type ConsoleScreen } from "../screen.ts";
import { change, pageSize, read } from "./read-parts.ts";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.deliveries;

/** A page of logout tokens that apps have not accepted. */
const deliveryPageSchema = z.looseObject({
  logout_deliveries: z.array(
    z.looseObject({
      id: z.string(),
      client_id: z.string(),
      session_id: z.string(),
      user_id: z.string(),
      status: z.string(),
      failures: z.number(),
      last_error: z.string().nullish(),
      created_at: z.string(),
    }),
  ),
  next: z.string().optional(),
});

/** The logout tokens that apps have not accepted, newest first, each with a button that sends it again. */
export const deliveriesScreen: ConsoleScreen = {
  path: "/settings/deliveries",
  async show(request) {
    const { api, links, now, query, scopes } = request;
    const from = query.get("from") ?? "";
    const { logout_deliveries: deliveries, next } = deliveryPageSchema.parse(
      await read(api, ["logout-deliveries"], { take: String(pageSize), from, sort: "created_at:desc" }),
    );
    const action = tenantSettingsPath(request, "deliveries");
    return tenantSettingsPage(
      request,
      "deliveries",
      <Card title={texts.title} about={texts.about}>
        {deliveries.length === 0 ? (
          <EmptyState icon="check" title={texts.emptyTitle} text={texts.empty} />
        ) : (
          <DataTable
            caption={texts.title}
            rows={deliveries}
            rowKey={({ id }) => id}
            columns={[
              {
                title: texts.app,
                cell: ({ client_id: client, user_id: user }) => (
                  <>
                    <a href={links.to(["apps", client])}>{client}</a>
                    <small>
                      <a href={links.to(["users", user])}>
                        <bdi>{user}</bdi>
                      </a>
                    </small>
                  </>
                ),
              },
              {
                title: texts.state,
                isTight: true,
                hasLabel: false,
                cell: ({ status }) => (
                  <StateBadge level={status === "failed" ? "bad" : "warn"}>{texts.states[status] ?? status}</StateBadge>
                ),
              },
              {
                title: texts.reason,
                cell: ({ last_error: reason, failures }) => (
                  <>
                    <ValueOrDash>{reason}</ValueOrDash>
                    <small>{texts.attempts(failures)}</small>
                  </>
                ),
              },
              { title: texts.created, isTight: true, cell: ({ created_at: at }) => <Timestamp at={at} now={now} /> },
              {
                title: "",
                isTight: true,
                cell: ({ id, client_id: client, session_id: session }) =>
                  scopes.has("delete:sessions") && (
                    <ActionButton request={request} action={action} hidden={{ id }} kind="small" label={texts.retryOf(client, session)}>
                      {texts.retry}
                    </ActionButton>
                  ),
              },
            ]}
          />
        )}
        <ListPager
          count={deliveries.length}
          first={from === "" ? undefined : action}
          next={next === undefined ? undefined : tenantSettingsPath(request, "deliveries", { from: next })}
        />
      </Card>,
    );
  },
  async submit(request, form) {
    const page = (done: string) => redirectTo(tenantSettingsPath(request, "deliveries", { done }));
    try {
      await change(request.api, "POST", ["logout-deliveries", form.get("id") ?? "", "retry"]);
    } catch (error) {
      // The app may have accepted the token after the page was opened.
      if (error instanceof ManagementError && error.status === 404) return page("delivery-gone");
      throw error;
    }
    return page("delivery-retried");
  },
};
