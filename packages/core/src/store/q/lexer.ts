import type { SearchFieldName, Operand } from "./ast.ts";
import { checkCharacters, skipBlanks } from "./characters.ts";
import { QueryError } from "./error.ts";
import { fieldName, readOperand, readRun } from "./values.ts";

/**
 * A token of a `q` parameter. `plus` requires the next clause. Clauses are required by default, so `plus` has no
 * effect.
 */
export type Token =
  | { readonly kind: "open" | "close" | "and" | "or" | "not" | "plus"; readonly at: number }
  | { readonly kind: "field"; readonly field: SearchFieldName; readonly at: number }
  | { readonly kind: "operand"; readonly operand: Operand; readonly at: number };

const words: Readonly<Record<string, "and" | "or" | "not">> = { AND: "and", "&&": "and", OR: "or", "||": "or", NOT: "not" };
const prefixes: Readonly<Record<string, "not" | "plus">> = { "-": "not", "!": "not", "+": "plus" };

/**
 * Splits a `q` parameter into tokens, in one pass.
 *
 * Only the first colon of a clause is a separator. Later colons belong to the value, so that
 * `identifier:https://api.example.com/` needs no quotes. Inside `field:( … )` no colon is a separator. `?` is an
 * ordinary character, because Auth0 has no one-character wildcard.
 */
export function tokenize(source: string): readonly Token[] {
  checkCharacters(source);
  const tokens: Token[] = [];
  /**
   * For each open parenthesis, whether the words inside belong to a field before it, or before an enclosing
   * parenthesis.
   */
  const groups: boolean[] = [];
  for (let at = skipBlanks(source, 0); at < source.length;) {
    const character = source.charAt(at);
    const prefix = prefixes[character];
    let end = at + 1;
    if (character === "(") {
      groups.push(groups.at(-1) ?? false);
      tokens.push({ kind: "open", at });
    } else if (character === ")") {
      groups.pop();
      tokens.push({ kind: "close", at });
    } else if (prefix !== undefined) {
      tokens.push({ kind: prefix, at });
    } else {
      end = readClause(source, at, groups, tokens);
    }
    at = skipBlanks(source, end);
  }
  return tokens;
}

function readClause(source: string, at: number, groups: boolean[], tokens: Token[]): number {
  const inField = groups.at(-1) ?? false;
  const name = readRun(source, at, inField ? '()"' : '()":');
  const word = source.slice(at, name.end);
  const operator = Object.hasOwn(words, word) ? words[word] : undefined;
  if (operator !== undefined && source.charAt(name.end) !== ":") {
    tokens.push({ kind: operator, at });
    return name.end;
  }
  if (inField || source.charAt(name.end) !== ":") {
    if (!inField && "[{<>".includes(source.charAt(at))) throw new QueryError(at, "a range needs a field before it");
    return pushOperand(source, at, tokens);
  }
  const valueAt = skipBlanks(source, name.end + 1);
  if (word === "_exists_") return pushExists(source, valueAt, at, tokens);
  tokens.push({ kind: "field", field: fieldName(name.value, at), at });
  if (source.charAt(valueAt) !== "(") return pushOperand(source, valueAt, tokens);
  groups.push(true);
  tokens.push({ kind: "open", at: valueAt });
  return valueAt + 1;
}

function pushOperand(source: string, at: number, tokens: Token[]): number {
  const { value: operand, end } = readOperand(source, at);
  tokens.push({ kind: "operand", operand, at });
  return end;
}

/** Reads `_exists_:field` as `field:*`. */
function pushExists(source: string, nameAt: number, at: number, tokens: Token[]): number {
  const name = readRun(source, nameAt, '()":');
  const next = source.charAt(name.end);
  if (next !== "" && '(":'.includes(next)) throw new QueryError(name.end, "_exists_ must be followed by the name of a field");
  tokens.push(
    { kind: "field", field: fieldName(name.value, nameAt), at },
    { kind: "operand", operand: { kind: "exists", at: nameAt }, at: nameAt },
  );
  return name.end;
}
