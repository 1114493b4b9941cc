import type { ComponentChildren } from "preact";
import { Card, MissingScope } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import type { LinkQuery } from "../console-links.ts";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen, ScreenPage, ScreenRequest, ScreenResult, Section, SubmittedForm } from "../screen.ts";
import { readPart } from "./read-parts.ts";

/** Describes a kind of records. */
interface RecordKind<T, Tab extends string> {
  /** The item of the navigation, whose name is also the first segment of the paths. */
  readonly section: Exclude<Section, "home">;
  /** The tabs in their order, with their titles. The first one has the path of the record; the name of each other one is a segment. */
  readonly tabs: Readonly<Record<Tab, string>>;
  readonly read: (request: ScreenRequest) => Promise<T>;
  idOf(record: NoInfer<T>): string;
  nameOf(record: NoInfer<T>): string;
  badges?(record: NoInfer<T>): ComponentChildren;
}

/** The pages of a kind of records. */
interface RecordFrame<T, Tab extends string> {
  /** Reads the record that the path names. */
  readonly read: (request: ScreenRequest) => Promise<T>;
  /** Returns the path of a tab. */
  readonly path: (request: Pick<ScreenRequest, "links">, id: string, tab: Tab, query?: LinkQuery) => string;
  /** Returns the page of a record with a tab. */
  readonly page: (request: ScreenRequest, record: T, current: Tab, body: ComponentChildren, actions?: ComponentChildren) => ScreenPage;
  /** Creates the screen of a tab. */
  readonly tab: <Content>(parts: TabParts<T, Tab, Content>) => ConsoleScreen;
  /** Creates the page that asks before a change. It requires a recent sign-in. */
  readonly confirmation: (parts: ConfirmationParts<T, Tab>) => ConsoleScreen;
}

/** The parts of a tab. */
interface TabParts<T, Tab, Content> {
  readonly tab: Tab;
  /** Reads the content. It runs in parallel with the record. If the user's roles do not allow it, the tab says so. */
  read(request: ScreenRequest, id: string): Promise<Content>;
  body(content: Content, request: ScreenRequest, record: T): ComponentChildren;
  actions?(request: ScreenRequest, record: T): ComponentChildren;
  submit?(request: ScreenRequest, form: SubmittedForm): Promise<ScreenResult>;
}

/** The parts of a page that asks before a change. */
interface ConfirmationParts<T, Tab> {
  /** The path of the screen, such as `/users/:id/delete`. */
  readonly path: string;
  /** The tab that the page belongs to, and that the link back leads to. */
  readonly tab: Tab;
  readonly title: string;
  readonly about: string;
  /** The text of the button. */
  readonly confirm: string;
  /** Returns the text that the operator has to type, because the change destroys other records too. */
  typed?(record: T): string;
  submit(request: ScreenRequest): Promise<ScreenResult>;
}

/** Creates the pages of a kind of records. */
export function recordFrame<T, Tab extends string>(kind: RecordKind<T, Tab>): RecordFrame<T, Tab> {
  const { section, tabs, idOf, nameOf, badges } = kind;
  const titles = Object.entries<string>(tabs);
  const [[first] = [""]] = titles;
  const pathOf = (links: ScreenRequest["links"], id: string, tab: string, query: LinkQuery = {}): string =>
    links.to(tab === first ? [section, id] : [section, id, tab], query);
  const page: RecordFrame<T, Tab>["page"] = (request, record, current, body, actions) => ({
    title: nameOf(record),
    section,
    trail: [{ text: consoleTexts.sections[section], href: request.links.to([section]) }],
    recordId: idOf(record),
    badges: badges?.(record),
    ...(actions !== undefined && { actions }),
    tabs: titles.map(([tab, text]) => ({ text, href: pathOf(request.links, idOf(record), tab), isCurrent: tab === current })),
    body,
  });
  return {
    read: kind.read,
    path: ({ links }, id, tab, query) => pathOf(links, id, tab, query),
    page,
    tab: ({ tab, read, body, actions, submit }) => ({
      path: tab === first ? `/${section}/:id` : `/${section}/:id/${tab}`,
      async show(request) {
        const content = readPart(read(request, request.params["id"] ?? ""));
        const [record, part] = await Promise.all([kind.read(request), content]);
        const shown =
          "value" in part ? (
            body(part.value, request, record)
          ) : (
            <Card>
              <MissingScope scopes={part.missingScopes} />
            </Card>
          );
        return page(request, record, tab, shown, actions?.(request, record));
      },
      ...(submit !== undefined && { submit }),
    }),
    confirmation: ({ path, tab, submit, typed, ...texts }) => {
      const show = async (request: ScreenRequest, fault?: string): Promise<ScreenPage> => {
        const record = await kind.read(request);
        const segments = path.slice(1).split("/");
        const action = request.links.to(segments.map((one) => (one.startsWith(":") ? (request.params[one.slice(1)] ?? "") : one)));
        const back = pathOf(request.links, idOf(record), tab);
        const asked = typed === undefined ? {} : { typed: typed(record), fault };
        return page(request, record, tab, <ConfirmCard request={request} {...texts} {...asked} action={action} back={back} />);
      };
      return {
        path,
        needsRecentSignIn: true,
        show: (request) => show(request),
        async submit(request, form) {
          const isConfirmed = typed === undefined || form.get("typed")?.trim() === typed(await kind.read(request));
          return isConfirmed ? submit(request) : { ...(await show(request, consoleTexts.typedWrong)), status: 400 };
        },
      };
    },
  };
}
