import type { PasswordRule } from "../../../domain/passwords/strength.ts";
import type { Translate } from "../../../locales/translate.ts";
import type { CreateAccountScreen } from "./step.ts";
import { Account, PasswordField } from "../../kit/account.tsx";
import type { Drawn, StepDrawing } from "../../kit/drawing.ts";
import { Action, Form, Name, ProblemNote } from "../../kit/form.tsx";
import { Tile } from "../../kit/marks.tsx";

/** Asks a new person who is invited for a password. */
export function drawCreateAccount(
  { frame, say, problem }: StepDrawing,
  { organization, inviter, email, rules }: CreateAccountScreen,
): Drawn {
  const demands = rules.flatMap((rule) => demandsOf(say, rule));
  return {
    title: say.text("createAccountTitle"),
    pictures: [organization.logoUrl],
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={organization.name} picture={organization.logoUrl} />
      </div>
    ),
    content: (
      <>
        <p class="lead">
          {say.pieces("invitationLead", { inviter: <Name>{inviter}</Name>, organization: <Name>{organization.name}</Name> })}
        </p>
        <Account
          frame={frame}
          account={email}
          about={say.text("createAccountFor")}
          change="have-account"
          changeText={say.text("passwordChange")}
          changeName={say.text("createAccountOtherName")}
        />
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <PasswordField
              say={say}
              account={email}
              label={say.text("createAccountPassword")}
              autocomplete="new-password"
              problem={problem}
              demands="demands"
            />
            <ul class="demands" id="demands">
              {demands.map((demand) => (
                <li key={demand}>{demand}</li>
              ))}
            </ul>
          </div>
          <Action value="create-account">{say.text("createAccountSubmit")}</Action>
        </Form>
      </>
    ),
  };
}

/** A rule of the connection in the person's language. Nothing for what every password keeps. */
function demandsOf(say: Translate, { code, format = [], items = [] }: PasswordRule): readonly string[] {
  switch (code) {
    case "lengthAtLeast":
      return [say.text("demandLength", { count: String(format[0]) })];
    case "shouldContain":
      return items.flatMap((item) => demandsOf(say, item));
    case "lowerCase":
      return [say.text("demandLowerCase")];
    case "upperCase":
      return [say.text("demandUpperCase")];
    case "numbers":
      return [say.text("demandNumbers")];
    case "specialCharacters":
      return [say.text("demandSpecial")];
    case "containsAtLeast":
      return [say.text("demandKinds")];
    case "identicalChars":
      return [say.text("demandIdentical")];
    case "sequentialChars":
      return [say.text("demandSequential")];
    default:
      return [];
  }
}
