import type { JSX } from "preact";
import { Card, EmptyState, MissingScope } from "../components/blocks.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { Timestamp } from "../components/values.tsx";
import type { AdminFinding } from "../admin-options.ts";
import { consoleTexts } from "../console-texts.ts";
import { clientPageSchema, shownConnectionsSchema, shownDaysSchema, shownEventsSchema, type ShownEvent } from "../resources.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { isConsole } from "./console-client.ts";
import { StatisticsCard } from "./home-charts.tsx";
import { eventTitle, failureTypes } from "./log-events.ts";
import { read, readDetail, readPart, type ReadPart } from "./read-parts.ts";

const texts = consoleTexts.home;

/** The first page: what is missing, what failed, and what the doctor found. */
export const homeScreen: ConsoleScreen = {
  path: "/",
  async show(request) {
    const { api, tenantId, now } = request;
    const since = new Date(now - 86_400_000).toISOString();
    const [clients, connections, hasMail, domains, failures, days, findings] = await Promise.all([
      readPart(read(api, ["clients"], { take: "10" }).then((body) => clientPageSchema.parse(body).clients)),
      readPart(read(api, ["connections"], { per_page: "10" }).then((body) => shownConnectionsSchema.parse(body))),
      readPart(readDetail(read(api, ["emails", "provider"])).then((body) => body !== undefined)),
      readPart(read(api, ["custom-domains"]).then((body) => Array.isArray(body) && body.length > 0)),
      readPart(
        read(api, ["logs"], {
          per_page: "8",
          q: `date:[${since} TO *] AND (${failureTypes.map((type) => `type:${type}`).join(" OR ")})`,
        }).then((body) => shownEventsSchema.parse(body)),
      ),
      readPart(read(api, ["stats", "daily"]).then((body) => shownDaysSchema.parse(body))),
      request.findings(),
    ]);
    // Only clients with a callback sign users in. The console is one of them, and machine clients are none.
    const isApp = valueOf(clients)?.some(({ callbacks }) => (callbacks ?? []).length > 0 && !isConsole(request, callbacks));
    return {
      title: request.isControlPlane ? tenantId : texts.title,
      section: "home",
      body: (
        <div class="stack">
          <StatisticsCard days={days} now={now} />
          <div class="columns">
            <Card title={texts.setUp} about={texts.setUpAbout}>
              <ul class="steps">
                <Step title={texts.firstApp} about={texts.firstAppAbout} isDone={isApp} href={request.links.to(["apps", "new"])} />
                <Step
                  title={texts.connection}
                  about={texts.connectionAbout}
                  isDone={valueOf(connections)?.length !== 0 && "value" in connections}
                  href={request.links.to(["connections"])}
                />
                <Step title={texts.mail} about={texts.mailAbout} isDone={valueOf(hasMail)} />
                <Step
                  title={texts.domain}
                  about={texts.domainAbout}
                  isDone={valueOf(domains)}
                  href={request.links.to(["settings", "domains"])}
                />
              </ul>
            </Card>
            <Failures request={request} failures={failures} />
          </div>
          {findings !== undefined && <Findings findings={findings} />}
        </div>
      ),
    };
  },
};

function valueOf<T>(part: ReadPart<T>): T | undefined {
  return "value" in part ? part.value : undefined;
}

function Step({ title, about, isDone, href }: StepProps): JSX.Element {
  return (
    <li class={isDone === true ? "done" : ""}>
      <span class="dot">
        <ConsoleIcon name="check" />
      </span>
      <div>
        {href === undefined || isDone === true ? <strong>{title}</strong> : <a href={href}>{title}</a>}
        {isDone === true && <span class="unseen"> {consoleTexts.yes}</span>}
        <p>{about}</p>
      </div>
    </li>
  );
}

interface StepProps {
  readonly title: string;
  readonly about: string;
  readonly isDone: boolean | undefined;
  /** The page on which the step is done. */
  readonly href?: string;
}

function Failures({
  request: { links, now },
  failures,
}: {
  readonly request: ScreenRequest;
  readonly failures: ReadPart<readonly ShownEvent[]>;
}): JSX.Element {
  const all = (
    <a class="button small" href={links.to(["logs"], { kind: "failures" })}>
      {texts.allFailures}
    </a>
  );
  return (
    <Card title={texts.failures} actions={"value" in failures ? all : undefined}>
      {!("value" in failures) ? (
        <MissingScope scopes={failures.missingScopes} />
      ) : failures.value.length === 0 ? (
        <EmptyState icon="check" text={texts.failuresEmpty} />
      ) : (
        <ul class="list">
          {failures.value.map((event) => (
            <li key={event.log_id}>
              <div class="line">
                <a href={links.to(["logs", event.log_id])}>{eventTitle(event.type)}</a>
                <Timestamp at={event.date} now={now} />
              </div>
              <p class="soft">
                <bdi>{[event.user_name, event.client_name].filter((value) => typeof value === "string" && value !== "").join(" · ")}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Findings({ findings }: { readonly findings: readonly AdminFinding[] }): JSX.Element {
  const shown = findings.filter(({ level }) => level !== "ok");
  return (
    <Card title={texts.findings}>
      {shown.length === 0 ? (
        <EmptyState icon="check" text={texts.findingsGood} />
      ) : (
        <ul class="steps">
          {shown.map(({ level, message, cure }) => (
            <li key={message}>
              <span class={`dot ${level === "error" ? "bad" : "warn"}`}>
                <ConsoleIcon name="alert" />
              </span>
              <div>
                <strong>
                  {texts.findingLevels[level]}: {message}
                </strong>
                {cure !== undefined && <p>{cure}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
