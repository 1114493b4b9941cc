import type { Page } from "playwright-core";
import { controlPlaneScreens, tenantScreens } from "../../../packages/admin/src/screens.ts";

/** The parts of a page of the console that the conventions are about. */
export interface PageFacts {
  /** The top edge of the title bar after the page is scrolled to its end, below the bar of the console. */
  readonly barTop: number;
  readonly trail: number;
  readonly title: string;
  readonly id: string;
  readonly canCopyId: boolean;
  /** The texts of the tabs. */
  readonly tabs: readonly string[];
  readonly currentTabs: number;
  /** Whether every tab is a link to a URL below the console. */
  readonly areTabsLinks: boolean;
  /** The names of the links and buttons in the title bar. */
  readonly actions: readonly string[];
  /** The pixels between the last one and the end of the bar. */
  readonly actionsEnd: number;
  readonly primary: number;
  readonly dates: number;
  /** Dates without an exact instant in the title. */
  readonly inexactDates: readonly string[];
  /** Dates outside `<time>`. */
  readonly bareDates: readonly string[];
  /** Empty lists that say no next step. */
  readonly deadEnds: readonly string[];
  readonly empty: number;
  readonly raw: boolean;
  /** Whether the last card is the danger zone, with a link to a page that asks. */
  readonly endsWithDanger: boolean;
  /** The confirmation: a form with one button, and a link back. */
  readonly confirms: boolean;
  readonly typed: boolean;
  readonly secrets: number;
}

/** Returns what a page shows. */
export async function readPageFacts(page: Page): Promise<PageFacts> {
  return page.evaluate(() => {
    const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
    const texts = (selector: string): string[] => all(selector).map((one) => (one.textContent ?? "").trim());
    scrollTo(0, document.documentElement.scrollHeight);
    const [bar] = all(".bar");
    const box = bar?.getBoundingClientRect();
    const [actions] = all(".bar .actions");
    const padding = bar === undefined ? 0 : Number.parseFloat(getComputedStyle(bar).paddingInlineEnd);
    const copy = document.querySelector("main")?.cloneNode(true);
    if (copy instanceof HTMLElement) for (const one of copy.querySelectorAll("time, code, pre, textarea, option")) one.replaceWith(" ");
    const date = /\d{4}-\d\d-\d\d|\d+ (?:second|minute|hour|day|week|month|year)s? ago|yesterday|\bin \d+ (?:minutes|hours)\b/g;
    const last = all(".card").at(-1);
    const [asks] = all(".card.danger form");
    return {
      barTop: (box?.top ?? Number.NaN) - (all(".top")[0]?.getBoundingClientRect().bottom ?? 0),
      trail: all(".trail a[href]").length,
      title: texts(".bar h1").join(),
      id: texts(".bar .id code").join(),
      canCopyId: all(".bar .id [data-copy]:not([hidden])").length === 1,
      tabs: texts(".tabs a"),
      currentTabs: all(".tabs a[aria-current=page]").length,
      areTabsLinks: all(".tabs > *").every((tab) => tab.matches('a[href^="/admin/t/"]')),
      actions: texts(".bar .actions a, .bar .actions button:not([hidden])"),
      actionsEnd: actions === undefined || box === undefined ? 0 : box.right - padding - actions.getBoundingClientRect().right,
      primary: all(".bar .actions .button.main").length,
      dates: all("main time").length,
      inexactDates: all("main time")
        .filter(
          (one) => !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/.test(one.title) || Number.isNaN(Date.parse(one.getAttribute("datetime") ?? "")),
        )
        .map((one) => one.outerHTML),
      bareDates: copy?.textContent?.match(date) ?? [],
      deadEnds: all(".empty")
        .filter((one) => {
          const sentences = [...one.querySelectorAll("h2, p")].flatMap((part) => (part.textContent ?? "").split(/(?<=[.!?]) /));
          return sentences.length < 2 && one.querySelector("a, button") === null && actions === undefined;
        })
        .map((one) => one.textContent ?? ""),
      empty: all(".empty").length,
      raw: all("pre#raw").length === 1 || texts(".tabs a").includes("Raw JSON"),
      endsWithDanger: last?.matches(".danger") === true && last.querySelector('a.bad[href$="/delete"]') !== null,
      confirms: asks?.querySelectorAll("button.bad.main").length === 1 && asks.querySelector("a[href]") !== null,
      typed: all("input[name=typed]").length === 1,
      secrets: all(".secret code").length,
    };
  });
}

/** Every screen of the console. */
export const consoleScreens = [...tenantScreens, ...controlPlaneScreens];

/** Returns the path of the screen that has a path. Screens with more fixed segments come first. */
export function routeOf(path: string): string | undefined {
  const parameters = (route: string): number => route.split(":").length;
  return consoleScreens
    .map((screen) => screen.path)
    .toSorted((a, b) => parameters(a) - parameters(b))
    .find((route) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}/?$`).test(path));
}
