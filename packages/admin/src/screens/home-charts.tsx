import type { JSX } from "preact";
import { Card, EmptyState, MissingScope } from "../components/blocks.tsx";
import { DayChart } from "../components/day-chart.tsx";
import { DataTable } from "../components/table.tsx";
import { Timestamp } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ShownDay } from "../resources.ts";
import { eventTitle } from "./log-events.ts";
import type { ReadPart } from "./read-parts.ts";

const texts = consoleTexts.statistics;

const day = 86_400_000;

/** Days that the charts show. */
const shownDays = 30;

/** The numbers of one day. A day without events has zeros. */
interface DayNumbers {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly logins: number;
  readonly failures: number;
  readonly signups: number;
  readonly activeUsers: number | null;
}

/** Returns the last 30 days, the oldest first, with zeros for the days that the service omits. */
export function completeDays(days: readonly ShownDay[], now: number): readonly DayNumbers[] {
  const byDate = new Map(days.map((one) => [one.date.slice(0, 10), one]));
  return Array.from({ length: shownDays }, (_, index) => {
    const date = new Date(now - (shownDays - 1 - index) * day).toISOString().slice(0, 10);
    const { logins = 0, failures, signups = 0, active_users: activeUsers } = byDate.get(date) ?? {};
    return { date, logins, failures: failures ?? 0, signups, activeUsers: activeUsers ?? null };
  });
}

/** Renders the charts of the last 30 days, each with a table of its numbers. */
export function StatisticsCard({ days, now }: StatisticsProps): JSX.Element {
  if (!("value" in days)) {
    return (
      <Card title={texts.title}>
        <MissingScope scopes={days.missingScopes} />
      </Card>
    );
  }
  const latest = days.value.map(({ updated_at: at }) => at ?? "").reduce((a, b) => (a > b ? a : b), "");
  if (latest === "") {
    return (
      <Card title={texts.title}>
        <EmptyState icon="home" title={texts.emptyTitle} text={texts.empty} />
      </Card>
    );
  }
  const shown = completeDays(days.value, now);
  const total = (pick: (one: DayNumbers) => number): number => shown.reduce((sum, one) => sum + pick(one), 0);
  const active = shown.findLast(({ activeUsers }) => activeUsers !== null)?.activeUsers ?? 0;
  const charts = [
    { key: "logins", title: texts.logins, level: "good", value: total((one) => one.logins), bars: shown.map((one) => one.logins) },
    { key: "failures", title: texts.failures, level: "bad", value: total((one) => one.failures), bars: shown.map((one) => one.failures) },
    { key: "signups", title: texts.signups, level: "plain", value: total((one) => one.signups), bars: shown.map((one) => one.signups) },
    { key: "active", title: texts.active, level: "plain", value: active, bars: shown.map((one) => one.activeUsers ?? 0) },
  ] as const;
  return (
    <Card
      title={texts.title}
      actions={
        <span class="soft">
          {texts.asOf} <Timestamp at={latest} now={now} />
        </span>
      }
    >
      <div class="charts">
        {charts.map(({ key, title, level, value, bars }) => (
          <DayChart
            key={key}
            title={title}
            value={value}
            level={level}
            bars={bars.map((count, index) => ({ date: shown[index]?.date ?? "", count }))}
          />
        ))}
      </div>
      <Reasons days={days.value} />
      <details class="numbers">
        <summary>{texts.numbers}</summary>
        <DataTable
          caption={texts.numbers}
          rows={shown.toReversed()}
          rowKey={({ date }) => date}
          columns={[
            { title: texts.day, cell: ({ date }) => <time dateTime={date}>{date}</time> },
            { title: texts.logins, cell: ({ logins }) => logins },
            { title: texts.failures, cell: ({ failures }) => failures },
            { title: texts.signups, cell: ({ signups }) => signups },
            { title: texts.active, cell: ({ activeUsers }) => activeUsers ?? consoleTexts.none },
          ]}
        />
      </details>
    </Card>
  );
}

interface StatisticsProps {
  readonly days: ReadPart<readonly ShownDay[]>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Renders why sign-ins failed in these days, the most frequent reason first. */
function Reasons({ days }: { readonly days: readonly ShownDay[] }): JSX.Element | null {
  const counts = new Map<string, number>();
  for (const { failures_by_type: types } of days) {
    for (const [type, count] of Object.entries(types ?? {})) counts.set(type, (counts.get(type) ?? 0) + count);
  }
  if (counts.size === 0) return null;
  return (
    <div class="in">
      <h3>{texts.reasons}</h3>
      <dl class="reason-counts">
        {[...counts]
          .toSorted(([, a], [, b]) => b - a)
          .map(([type, count]) => (
            <div key={type}>
              <dt>{eventTitle(type)}</dt>
              <dd>{count}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}
