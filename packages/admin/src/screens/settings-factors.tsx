import * as z from "zod";
import { Card, FactList, MissingScope } from "../components/blocks.tsx";
import { DataTable } from "../components/table.tsx";
import { StateBadge } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { policiesSchema, factorEditScreens, readMessageTypes, readRememberSettings, rememberFields } from "./settings-factor-forms.tsx";
import { textsOfRecord } from "./form-fields.ts";
import { read, readPart, type ReadPart } from "./read-parts.ts";
import { tenantSettingsPage } from "./settings-frame.ts";

const texts = consoleTexts.settings.factors;

const factorsSchema = z.array(z.looseObject({ name: z.string(), enabled: z.boolean() }));
type ShownFactor = z.infer<typeof factorsSchema>[number];

/** The factors whose switch has an effect. The service rejects the others. */
const isSupported = ({ name, enabled }: ShownFactor): boolean => enabled || Object.hasOwn(texts.hints, name);

const yesNo = (value: string | undefined): string => (value === "true" ? consoleTexts.yes : consoleTexts.no);

/** The second factors: when one is required, which ones users can add, and how codes reach phones. */
const factorsScreen: ConsoleScreen = {
  path: "/settings/factors",
  async show(request) {
    const { api, scopes } = request;
    const [policies, factors, messages, remembered] = await Promise.all([
      readPart(read(api, ["guardian", "policies"]).then((body) => policiesSchema.parse(body))),
      readPart(read(api, ["guardian", "factors"]).then((body) => factorsSchema.parse(body))),
      readPart(readMessageTypes(request)),
      readPart(readRememberSettings(request)),
    ]);
    const mayChange = scopes.has("update:guardian_factors");
    return tenantSettingsPage(
      request,
      "factors",
      <div class="stack">
        <Card
          title={texts.policies}
          about={texts.policiesAbout}
          actions={scopes.has("update:mfa_policies") && <EditLink request={request} form="policy" title={texts.policies} />}
        >
          <Part part={policies}>{([policy = "none"]) => <FactList items={[[texts.policy, texts.policyTexts[policy] ?? policy]]} />}</Part>
        </Card>
        <Card title={texts.title} about={texts.about}>
          <Part part={factors}>{(all) => <FactorTable request={request} factors={all} mayChange={mayChange} />}</Part>
        </Card>
        <Card title={texts.phone} actions={mayChange && <EditLink request={request} form="phone" title={texts.phone} />}>
          <Part part={messages}>
            {(types) => {
              const names = Object.entries(texts.messageTexts).flatMap(([type, text]) => (types[type] === true ? [text] : []));
              return <FactList items={[[texts.messages, names.join(", ") || texts.noMessages]]} />;
            }}
          </Part>
        </Card>
        <Card title={texts.remember} actions={mayChange && <EditLink request={request} form="remember" title={texts.remember} />}>
          <Part part={remembered}>
            {(record) => {
              const shown = textsOfRecord(rememberFields, record);
              return (
                <FactList
                  items={rememberFields.map(({ name, label, kind }) => [
                    label,
                    kind === "switch" ? yesNo(shown[name]) : texts.duration(Number(shown[name])),
                  ])}
                />
              );
            }}
          </Part>
        </Card>
      </div>,
    );
  },
};

/** Renders a part of the page, or the scope that it needs. */
function Part<T>({ part, children }: { readonly part: ReadPart<T>; children(value: T): preact.JSX.Element }): preact.JSX.Element {
  return "value" in part ? children(part.value) : <MissingScope scopes={part.missingScopes} />;
}

function EditLink({ request, form, title }: EditLinkProps): preact.JSX.Element {
  return (
    <a class="button small" href={request.links.to(["settings", "factors", form])} aria-label={`${consoleTexts.edit}: ${title}`}>
      {consoleTexts.edit}
    </a>
  );
}

interface EditLinkProps {
  readonly request: ScreenRequest;
  readonly form: string;
  readonly title: string;
}

function FactorTable({ request, factors, mayChange }: FactorTableProps): preact.JSX.Element {
  const nameOf = ({ name }: ShownFactor): string => texts.names[name] ?? name;
  return (
    <DataTable
      caption={texts.title}
      rows={[...factors].sort((one, other) => Number(isSupported(other)) - Number(isSupported(one)))}
      rowKey={({ name }) => name}
      columns={[
        {
          title: texts.factor,
          cell: (factor) => (
            <>
              <strong>{nameOf(factor)}</strong>
              {texts.hints[factor.name] !== undefined && <p class="hint">{texts.hints[factor.name]}</p>}
            </>
          ),
        },
        {
          title: texts.state,
          isTight: true,
          hasLabel: false,
          cell: (factor) => (
            <StateBadge level={factor.enabled ? "good" : "plain"}>
              {factor.enabled ? texts.on : isSupported(factor) ? texts.off : texts.unsupported}
            </StateBadge>
          ),
        },
        {
          title: "",
          isTight: true,
          cell: (factor) => {
            const action = factor.enabled ? texts.turnOff : texts.turnOn;
            return (
              mayChange &&
              isSupported(factor) && (
                <a
                  class="button small"
                  href={request.links.to(["settings", "factors", factor.name, factor.enabled ? "off" : "on"])}
                  aria-label={`${action} ${nameOf(factor)}`}
                >
                  {action}
                </a>
              )
            );
          },
        },
      ]}
    />
  );
}

interface FactorTableProps {
  readonly request: ScreenRequest;
  readonly factors: readonly ShownFactor[];
  readonly mayChange: boolean;
}

/** The screens of second factors. */
export const factorScreens: readonly ConsoleScreen[] = [factorsScreen, ...factorEditScreens];
