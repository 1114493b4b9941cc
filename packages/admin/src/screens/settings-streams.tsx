import * as z from "zod";
import { Card, EmptyState, FactList, NoticeBox } from "../components/blocks.tsx";
import { DangerCard } from "../components/confirm-page.tsx";
import { ConsoleIcon } from "../components/console-icon.tsx";
import { RawView } from "../components/raw-view.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, Timestamp } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen } from "../screen.ts";
import { newStreamScreens } from "./new-stream.tsx";
import { read } from "./read-parts.ts";
import { settingsRecordPage, tenantSettingsPage } from "./settings-frame.ts";
import { streamChangeScreens } from "./stream-changes.tsx";
import { readStream, receiverName, streamSchema, StreamState } from "./stream-frame.tsx";

const texts = consoleTexts.settings.streams;

/** The log streams. */
const streamsScreen: ConsoleScreen = {
  path: "/settings/streams",
  async show(request) {
    const { api, links, scopes } = request;
    const streams = z.array(streamSchema).parse(await read(api, ["log-streams"]));
    const add = scopes.has("create:log_streams") && (
      <a class="button main" href={links.to(["settings", "streams", "new"])}>
        <ConsoleIcon name="plus" />
        {texts.new}
      </a>
    );
    return tenantSettingsPage(
      request,
      "streams",
      <Card title={texts.title} about={texts.about}>
        {streams.length === 0 ? (
          <EmptyState icon="logs" title={texts.emptyTitle} text={texts.empty} action={add} />
        ) : (
          <DataTable
            caption={texts.title}
            rows={streams}
            rowKey={({ id }) => id}
            columns={[
              {
                title: texts.name,
                cell: ({ id, name }) => (
                  <span class="who">
                    <a href={links.to(["settings", "streams", id])}>
                      <bdi>{name}</bdi>
                    </a>
                  </span>
                ),
              },
              { title: texts.type, isTight: true, cell: receiverName },
              { title: texts.state, isTight: true, hasLabel: false, cell: (stream) => <StreamState stream={stream} /> },
            ]}
          />
        )}
      </Card>,
      streams.length > 0 && add,
    );
  },
};

/** A log stream: what it has delivered, and why deliveries failed. */
const streamScreen: ConsoleScreen = {
  path: "/settings/streams/:id",
  async show(request) {
    const { links, now, scopes, issuer } = request;
    const stream = await readStream(request);
    const { id, name, status, sink, failures, last_error: fault, delivered_until: until } = stream;
    const isActive = status === "active";
    return settingsRecordPage(
      request,
      "streams",
      { id, name, badges: <StreamState stream={stream} /> },
      <>
        {fault && <NoticeBox level={status === "suspended" ? "bad" : "warn"}>{`${texts.lastError}: ${fault}`}</NoticeBox>}
        <div class="stack">
          {" "}
          <Card title={texts.details} {...(status === "suspended" && { about: texts.suspendedAbout })}>
            <FactList
              items={[
                [texts.type, receiverName(stream)],
                ...Object.entries(sink ?? {}).flatMap(([setting, value]) =>
                  typeof value === "string" || typeof value === "number" ? [settingFact(setting, String(value))] : [],
                ),
                [texts.deliveredUntil, <Timestamp at={until} now={now} missing={consoleTexts.never} />],
                [texts.failures, String(failures ?? 0)],
              ]}
            />
          </Card>
          <RawView issuer={issuer} path={["api", "v2", "log-streams", id]} value={stream} />
          <DangerCard
            title={texts.delete}
            about={texts.deleteAbout}
            href={links.to(["settings", "streams", id, "delete"])}
            scope="delete:log_streams"
            isAllowed={scopes.has("delete:log_streams")}
          />
        </div>
      </>,
      scopes.has("update:log_streams") && (
        <a class="button" href={links.to(["settings", "streams", id, isActive ? "pause" : "resume"])}>
          {isActive ? texts.pause : texts.resume}
        </a>
      ),
    );
  },
};

/** Returns a setting of a receiver with its name in words. */
function settingFact(setting: string, value: string) {
  const label = texts.sinkFields[setting] ?? setting;
  return [label, <ExactValue value={value} what={label} />] as const;
}

/** The screens of log streams. */
export const streamScreens: readonly ConsoleScreen[] = [streamsScreen, ...newStreamScreens, streamScreen, ...streamChangeScreens];
