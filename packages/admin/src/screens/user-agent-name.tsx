import type { JSX } from "preact";
import { consoleTexts } from "../console-texts.ts";
import type { SessionPage } from "../resources.ts";

/** Renders the browser and the system of a user agent, such as `Chrome on Windows`. */
export function userAgentName(device: SessionPage["sessions"][number]["device"]): JSX.Element {
  const agent = device?.last_user_agent ?? "";
  const name = (rules: readonly (readonly [RegExp, string])[]): string | undefined => rules.find(([pattern]) => pattern.test(agent))?.[1];
  const browser = name([
    [/\bEdg/, "Edge"],
    [/\bFirefox\//, "Firefox"],
    [/\bChrom(?:e|ium)\//, "Chrome"],
    [/\bSafari\//, "Safari"],
  ]);
  const system = name([
    [/\bAndroid\b/, "Android"],
    [/\biPhone|iPad\b/, "iOS"],
    [/\bWindows\b/, "Windows"],
    [/\bMac OS X\b/, "macOS"],
    [/\bLinux\b/, "Linux"],
  ]);
  const text =
    browser === undefined
      ? agent.slice(0, 80) || consoleTexts.user.unknownDevice
      : system === undefined
        ? browser
        : `${browser} on ${system}`;
  return <bdi title={agent}>{text}</bdi>;
}
