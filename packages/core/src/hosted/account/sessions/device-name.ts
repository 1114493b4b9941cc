/** Browsers and the parts of their user agents, the most specific first: most browsers also name others. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrom(e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns a name for a browser and its system, such as `Firefox, Windows`. Undefined if the user agent is unknown. */
export function deviceName(userAgent: string): string | undefined {
  const named = [browsers, systems].flatMap((table) => table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return named.length === 0 ? undefined : named.join(", ");
}
