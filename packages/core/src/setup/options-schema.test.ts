import type * as z from "zod";
import { expectTypeOf, test } from "vitest";
import type { OptionShape } from "./option-schemas.ts";
import type { OptionsSchema } from "./options-schema.ts";
import type { CryptoOptions, PosternOptions } from "./options.ts";

test("the schema accepts every type that the interface of the options allows", () => {
  expectTypeOf<PosternOptions>().toExtend<z.input<typeof OptionsSchema>>();
});

test("an option of an interface needs a schema", () => {
  expectTypeOf<Omit<OptionShape<PosternOptions>, "logger">>().not.toExtend<OptionShape<PosternOptions>>();
  expectTypeOf<Omit<OptionShape<CryptoOptions>, "hasher">>().not.toExtend<OptionShape<CryptoOptions>>();
});

test("a schema has the type of its option, and is optional if the option is", () => {
  interface Options {
    readonly name: string;
    readonly size?: number;
  }
  expectTypeOf<{ name: z.ZodString; size: z.ZodOptional<z.ZodNumber> }>().toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodOptional<z.ZodString>; size: z.ZodOptional<z.ZodNumber> }>().not.toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodString; size: z.ZodNumber }>().not.toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodNumber; size: z.ZodOptional<z.ZodNumber> }>().not.toExtend<OptionShape<Options>>();
});
