import * as z from "zod";
import { StateBadge, type StateLevel } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ScreenRequest } from "../screen.ts";
import { read } from "./read-parts.ts";

const texts = consoleTexts.settings.streams;

/** A log stream. */
export const streamSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  status: z.string(),
  sink: z.record(z.string(), z.unknown()).nullish(),
  delivered_until: z.string().nullish(),
  failures: z.number().nullish(),
  last_error: z.string().nullish(),
  signing_secret: z.string().nullish(),
});
export type ShownStream = z.infer<typeof streamSchema>;

const levels: { readonly [status: string]: StateLevel } = { active: "good", paused: "plain", suspended: "bad" };

/** Renders the state of a log stream. */
export function StreamState({ stream: { status } }: { readonly stream: ShownStream }) {
  return <StateBadge level={levels[status] ?? "plain"}>{texts.states[status] ?? status}</StateBadge>;
}

/** Returns the receiver of a log stream in words. The host application can add types. */
export function receiverName({ type }: ShownStream): string {
  return texts.receivers[type] ?? type;
}

/** Reads the log stream that the path names. */
export const readStream = async ({ api, params: { id = "" } }: ScreenRequest) => streamSchema.parse(await read(api, ["log-streams", id]));
