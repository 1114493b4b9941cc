import type { ComponentChildren } from "preact";
import { Card, MissingScope } from "../components/blocks.tsx";
import { ConfirmCard, DangerCard } from "../components/confirm-page.tsx";
import type { LinkQuery } from "../console-links.ts";
import { consoleTexts } from "../console-texts.ts";
import {
  redirectTo,
  type ConsoleScreen,
  type ScreenPage,
  type ScreenRequest,
  type ScreenResult,
  type Section,
  type SubmittedForm,
} from "../screen.ts";
import { change, readPart } from "./read-parts.ts";
import { pathOfScreen } from "./record-form.tsx";

/** Describes a kind of records. */
interface RecordKind<T, Tab extends string> {
  /** The item of the navigation, whose name is also the first segment of the paths. */
  readonly section: Exclude<Section, "home">;
  /**
   * The tabs in their order, with their titles. The first one has the path of the record; the name of each other one is
   * a segment.
   */
  readonly tabs: Readonly<Record<Tab, string>>;
  readonly read: (request: ScreenRequest) => Promise<T>;
  idOf(record: NoInfer<T>): string;
  nameOf(record: NoInfer<T>): string;
  badges?(record: NoInfer<T>): ComponentChildren;
  readonly deletion: RecordDeletion<NoInfer<T>>;
}

/** How a record is deleted. */
interface RecordDeletion<T> {
  readonly texts: { readonly delete: string; readonly deleteTitle: string; readonly deleteAbout: string };
  /** The collection of the record in the Management API, such as `clients`. */
  readonly collection: string;
  readonly scope: string;
  /** The name of the message after the deletion. */
  readonly done: string;
  /** Returns the text that the operator has to type, because the deletion destroys other records too. */
  typed?(record: T): string;
  /** Returns why the record cannot be deleted. */
  refusal?(record: T): string | undefined;
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
  /** The danger zone of the record, and the page that deletes the record. */
  readonly deletion: readonly ConsoleScreen[];
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
  const page = (request: ScreenRequest, record: T, current: string, body: ComponentChildren, actions?: ComponentChildren): ScreenPage => ({
    title: nameOf(record),
    section,
    trail: [{ text: consoleTexts.sections[section], href: request.links.to([section]) }],
    recordId: idOf(record),
    badges: badges?.(record),
    ...(actions !== undefined && { actions }),
    tabs: titles.map(([tab, text]) => ({ text, href: pathOf(request.links, idOf(record), tab), isCurrent: tab === current })),
    body,
  });
  const confirmation = ({ path, tab, submit, typed, ...texts }: ConfirmationParts<T, string>): ConsoleScreen => {
    const show = async (request: ScreenRequest, fault?: string): Promise<ScreenPage> => {
      const record = await kind.read(request);
      const back = pathOf(request.links, idOf(record), tab);
      const asked = typed === undefined ? {} : { typed: typed(record), fault };
      const action = pathOfScreen(request, path);
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
  };
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
    confirmation,
    deletion: deletionScreens(kind, page, confirmation),
  };
}

/** Creates the danger zone of a record, and the page that deletes the record. */
function deletionScreens<T, Tab extends string>(
  { section, idOf, read, deletion }: RecordKind<T, Tab>,
  page: (request: ScreenRequest, record: T, current: string, body: ComponentChildren) => ScreenPage,
  confirmation: (parts: ConfirmationParts<T, string>) => ConsoleScreen,
): readonly ConsoleScreen[] {
  const { texts, collection, scope, done, typed, refusal } = deletion;
  const tab = "danger";
  return [
    {
      path: `/${section}/:id/${tab}`,
      async show(request) {
        const record = await read(request);
        const reason = refusal?.(record);
        const body =
          reason === undefined ? (
            <DangerCard
              title={texts.delete}
              about={texts.deleteAbout}
              href={request.links.to([section, idOf(record), "delete"])}
              scope={scope}
              isAllowed={request.scopes.has(scope)}
            />
          ) : (
            <Card title={consoleTexts.dangerZone}>
              <p class="in">{reason}</p>
            </Card>
          );
        return page(request, record, tab, body);
      },
    },
    confirmation({
      path: `/${section}/:id/delete`,
      tab,
      title: texts.deleteTitle,
      about: texts.deleteAbout,
      confirm: texts.delete,
      ...(typed !== undefined && { typed }),
      async submit({ api, links, params: { id = "" } }) {
        await change(api, "DELETE", [collection, id]);
        return redirectTo(links.to([section], { done }));
      },
    }),
  ];
}
