import { Card, EmptyState, FactList, NoticeBox } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { FilterButtons, FilterSelect } from "../components/post-form.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable, ListPager } from "../components/table.tsx";
import { ExactValue, StateBadge, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownEventSchema, shownEventsSchema, type ShownEvent } from "../resources.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { relativeTime } from "../relative-time.ts";
import { eventLevel, eventTitle } from "./log-events.ts";
import { csvOf, maximumRows, readAllEvents } from "./log-csv.ts";
import { logFilters, logSearch, type LogFilters } from "./log-search.ts";
import { pageSize, read } from "./read-parts.ts";

const texts = consoleTexts.logs;

/** The list of log events, newest first. */
const logsScreen: ConsoleScreen = {
  path: "/logs",
  async show(request) {
    const { api, query, links, now } = request;
    const filters = logFilters(query);
    if (request.wantsJson) return tail(request, filters);
    const before = query.get("before") ?? "";
    const q = logSearch(filters, now, before === "" ? {} : { before });
    const events = shownEventsSchema.parse(await read(api, ["logs"], { per_page: String(pageSize + 1), q }));
    const shown = events.slice(0, pageSize);
    const { range, kind, user, client, ip } = filters;
    const own = { range: query.get("range") ?? "", kind: query.get("kind") ?? "", user, client, ip };
    const last = shown.at(-1)?.log_id;
    return {
      title: texts.title,
      section: "logs",
      actions: (
        <>
          <button
            type="button"
            class="button"
            hidden
            aria-pressed="false"
            data-tail="events"
            data-stop={texts.tailStop}
            data-url={links.to(["logs"], { kind, user, client, ip })}
            data-since={shown[0]?.log_id ?? ""}
            title={texts.tailHint}
          >
            {texts.tail}
          </button>
          <a class="button" href={links.to(["logs", "csv"], own)} title={texts.csvHint(maximumRows)}>
            <ConsoleIcon name="download" />
            {texts.csv}
          </a>
        </>
      ),
      body: (
        <Card>
          <form class="filters" method="get" role="search" aria-label={texts.title}>
            <FilterSelect name="range" label={texts.range} value={range} options={Object.entries(texts.ranges)} />
            <FilterSelect name="kind" label={texts.kind} value={kind} options={Object.entries(texts.kinds)} />
            <FilterText name="user" label={texts.userId} value={user} />
            <FilterText name="client" label={consoleTexts.apps.id} value={client} />
            <FilterText name="ip" label={texts.ip} value={ip} />
            <FilterButtons isFiltered={Object.values(own).some((value) => value !== "")} clear={links.to(["logs"])} />
          </form>
          {shown.length === 0 && <EmptyState icon="logs" title={texts.emptyTitle} text={texts.empty} />}
          <DataTable
            id="events"
            caption={texts.title}
            rows={shown}
            rowKey={(event) => event.log_id}
            columns={[
              { title: texts.time, isTight: true, cell: (event) => <Timestamp at={event.date} now={now} /> },
              {
                title: texts.event,
                hasLabel: false,
                cell: (event) => (
                  <>
                    <a href={links.to(["logs", event.log_id])}>{eventTitle(event.type)}</a>
                    {event.description && (
                      <small>
                        <bdi>{event.description.slice(0, 160)}</bdi>
                      </small>
                    )}
                  </>
                ),
              },
              { title: texts.outcome, isTight: true, hasLabel: false, cell: (event) => <Outcome event={event} /> },
              { title: texts.user, cell: (event) => <UserOfEvent event={event} request={request} /> },
              { title: texts.client, cell: (event) => <ValueOrDash>{event.client_name}</ValueOrDash> },
              { title: texts.ip, isTight: true, cell: (event) => <ValueOrDash>{event.ip}</ValueOrDash> },
            ]}
          />
          <ListPager
            count={shown.length}
            first={before === "" ? undefined : links.to(["logs"], own)}
            next={events.length <= pageSize || last === undefined ? undefined : links.to(["logs"], { ...own, before: last })}
          />
        </Card>
      ),
    };
  },
};

function FilterText({ name, label, value }: { readonly name: string; readonly label: string; readonly value: string }) {
  return (
    <div>
      <label for={`filter-${name}`}>{label}</label>
      <input id={`filter-${name}`} name={name} type="text" value={value} maxLength={300} autocomplete="off" spellcheck={false} />
    </div>
  );
}

function Outcome({ event: { type } }: { readonly event: ShownEvent }) {
  const level = eventLevel(type);
  return <StateBadge level={level}>{texts.outcomes[level]}</StateBadge>;
}

function UserOfEvent({ event, request: { links } }: { readonly event: ShownEvent; readonly request: ScreenRequest }) {
  const name = event.user_name || event.user_id;
  if (!event.user_id) return <ValueOrDash>{name}</ValueOrDash>;
  return (
    <a href={links.to(["users", event.user_id])}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** Returns the events after the newest one that the page shows, oldest first, for the live log. */
async function tail({ api, query, links, now }: ScreenRequest, filters: LogFilters): Promise<Response> {
  const since = query.get("since") ?? "";
  const q = logSearch({ ...filters, range: "1h" }, now, since === "" ? {} : { after: since });
  const events = shownEventsSchema.parse(await read(api, ["logs"], { per_page: String(pageSize), q }));
  const rows = events.toReversed().map((event) => ({
    href: links.to(["logs", event.log_id]),
    text: eventTitle(event.type),
    about: (event.description ?? "").slice(0, 160),
    level: eventLevel(event.type),
    levelText: texts.outcomes[eventLevel(event.type)],
    date: event.date,
    shown: relativeTime(Date.parse(event.date), now),
    user: event.user_name || event.user_id || consoleTexts.none,
    client: event.client_name || consoleTexts.none,
    ip: event.ip || consoleTexts.none,
  }));
  return Response.json({ events: rows, since: events[0]?.log_id ?? since });
}

/** The filtered list as a file. */
const csvScreen: ConsoleScreen = {
  path: "/logs/csv",
  async show(request) {
    const events = await readAllEvents(request, logFilters(request.query));
    const name = `logs-${request.tenantId}-${new Date(request.now).toISOString().slice(0, 10)}.csv`;
    return new Response(csvOf(events), {
      headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}"` },
    });
  },
};

/** One log event. */
const logScreen: ConsoleScreen = {
  path: "/logs/:id",
  async show(request) {
    const { api, links, params, now, issuer } = request;
    const id = params["id"] ?? "";
    const event = shownEventSchema.parse(await read(api, ["logs", id]));
    const value = (text: string | null | undefined, what: string) =>
      text ? <ExactValue value={text} what={what} /> : <ValueOrDash>{undefined}</ValueOrDash>;
    return {
      title: eventTitle(event.type),
      section: "logs",
      trail: [{ text: texts.title, href: links.to(["logs"]) }],
      recordId: event.log_id,
      badges: <Outcome event={event} />,
      body: (
        <div class="stack">
          {event.description && <NoticeBox level={eventLevel(event.type)}>{event.description}</NoticeBox>}
          <Card title={texts.detail}>
            <FactList
              items={[
                [texts.time, <Timestamp at={event.date} now={now} />],
                [texts.type, value(event.type, texts.type)],
                [texts.user, <UserOfEvent event={event} request={request} />],
                [texts.userId, value(event.user_id, texts.userId)],
                [
                  texts.client,
                  event.client_id ? (
                    <a href={links.to(["apps", event.client_id])}>{event.client_name || event.client_id}</a>
                  ) : (
                    <ValueOrDash>{undefined}</ValueOrDash>
                  ),
                ],
                [texts.connection, <ValueOrDash>{event.connection}</ValueOrDash>],
                [texts.organization, <ValueOrDash>{event.organization_name || event.organization_id}</ValueOrDash>],
                [texts.ip, value(event.ip, texts.ip)],
                [texts.hostname, <ValueOrDash>{event.hostname}</ValueOrDash>],
                [texts.audience, <ValueOrDash>{event.audience}</ValueOrDash>],
                [texts.scope, <ValueOrDash>{event.scope}</ValueOrDash>],
                [texts.userAgent, <ValueOrDash>{event.user_agent}</ValueOrDash>],
              ]}
            />
          </Card>
          <RawView issuer={issuer} path={["api", "v2", "logs", id]} value={event} />
        </div>
      ),
    };
  },
};

export const logScreens: readonly ConsoleScreen[] = [logsScreen, csvScreen, logScreen];
