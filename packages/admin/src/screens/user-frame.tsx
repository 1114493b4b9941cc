import type { ComponentChildren } from "preact";
import { MissingScope } from "../components/blocks.tsx";
import { consoleTexts } from "../console-texts.ts";
import { shownUserSchema, type DisplayedUser } from "../resources.ts";
import type { ConsoleScreen, ScreenPage, ScreenRequest, ScreenResult, SubmittedForm } from "../screen.ts";
import { read, readPart, type ReadPart } from "./read-parts.ts";
import { userName, UserState } from "./user-parts.tsx";

/** The tabs of a user's record, in their order, with the last segment of their path. */
const tabs = ["profile", "events", "sessions", "roles", "organizations", "consents", "factors", "raw", "danger"] as const;

/** The name of a tab. */
export type UserTab = (typeof tabs)[number];

/** Reads a user. */
export async function readUser({ api, params: { id = "" } }: ScreenRequest): Promise<DisplayedUser> {
  return shownUserSchema.parse(await read(api, ["users", id]));
}

/** Returns the path of a tab. */
export function userTabPath(
  { links }: ScreenRequest,
  userId: string,
  tab: UserTab,
  query: { readonly [name: string]: string } = {},
): string {
  return links.to(tab === "profile" ? ["users", userId] : ["users", userId, tab], query);
}

/** Returns the page of a user's record with a tab. */
export function userPage(
  request: ScreenRequest,
  user: DisplayedUser,
  current: UserTab,
  body: ComponentChildren,
  actions?: ComponentChildren,
): ScreenPage {
  const { links } = request;
  return {
    title: userName(user),
    section: "users",
    trail: [{ text: consoleTexts.users.title, href: links.to(["users"]) }],
    recordId: user.user_id,
    badges: <UserState user={user} />,
    ...(actions !== undefined && { actions }),
    tabs: tabs.map((tab) => ({
      text: consoleTexts.user.tabs[tab],
      href: userTabPath(request, user.user_id, tab),
      isCurrent: tab === current,
    })),
    body,
  };
}

/** The parts of a tab. */
interface TabParts<T> {
  readonly tab: UserTab;
  /** Reads the content. It runs in parallel with the user. If the user's roles do not allow it, the tab says so. */
  read(request: ScreenRequest, userId: string): Promise<T>;
  body(value: T, request: ScreenRequest, user: DisplayedUser): ComponentChildren;
  actions?(request: ScreenRequest, user: DisplayedUser): ComponentChildren;
  submit?(request: ScreenRequest, form: SubmittedForm): Promise<ScreenResult>;
}

/** Creates the screen of a tab. */
export function userTab<T>({ tab, read: readContent, body, actions, submit }: TabParts<T>): ConsoleScreen {
  return {
    path: tab === "profile" ? "/users/:id" : `/users/:id/${tab}`,
    async show(request) {
      const content: Promise<ReadPart<T>> = readPart(readContent(request, request.params["id"] ?? ""));
      const [user, part] = await Promise.all([readUser(request), content]);
      const shown = "value" in part ? body(part.value, request, user) : missing(part.missingScopes);
      return userPage(request, user, tab, shown, actions?.(request, user));
    },
    ...(submit !== undefined && { submit }),
  };
}

function missing(scopes: readonly string[]): ComponentChildren {
  return (
    <section class="card">
      <MissingScope scopes={scopes} />
    </section>
  );
}
