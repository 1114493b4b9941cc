import type * as z from "zod";
import { expectTypeOf, test } from "vitest";
import type { OptionShape } from "./option-schemas.ts";
import type { optionsSchema } from "./options-schema.ts";
import type { CryptoOptions, PosternOptions } from "./options.ts";

test("the options schema accepts every type that PosternOptions allows", () => {
  expectTypeOf<PosternOptions>().toExtend<z.input<typeof optionsSchema>>();
});

test("OptionShape requires a schema for every option", () => {
  expectTypeOf<Omit<OptionShape<PosternOptions>, "logger">>().not.toExtend<OptionShape<PosternOptions>>();
  expectTypeOf<Omit<OptionShape<CryptoOptions>, "hasher">>().not.toExtend<OptionShape<CryptoOptions>>();
});

test("OptionShape requires each schema to have the type of its option, and to be optional if the option is optional", () => {
  interface Options {
    readonly name: string;
    readonly size?: number;
  }
  expectTypeOf<{ name: z.ZodString; size: z.ZodOptional<z.ZodNumber> }>().toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodOptional<z.ZodString>; size: z.ZodOptional<z.ZodNumber> }>().not.toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodString; size: z.ZodNumber }>().not.toExtend<OptionShape<Options>>();
  expectTypeOf<{ name: z.ZodNumber; size: z.ZodOptional<z.ZodNumber> }>().not.toExtend<OptionShape<Options>>();
});
