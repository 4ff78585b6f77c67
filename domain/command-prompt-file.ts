/** The file of a command prompt that a registry gives as data. */
import { nameFault } from "./content-name.js";
import { InvalidContent } from "./strict-fields.js";
import { trimWhiteSpace } from "./text.js";
import { flowValue, quotedText } from "./yaml-text.js";

export interface StructuredPrompt {
  readonly name: string;
  readonly description?: string | null;
  readonly args_schema?: unknown;
  readonly content: string;
}

/** Throws InvalidContent. With a blank description the file is one that no scan serves. */
export function commandPromptFile({ name, description, args_schema: schema, content }: StructuredPrompt): string {
  const fault = nameFault(name);
  if (fault !== undefined) throw new InvalidContent(`invalid prompt name ${JSON.stringify(name)}: it ${fault}`);
  const lines = [
    "---",
    `name: ${name}`,
    `description: ${quotedText(trimWhiteSpace(description ?? ""))}`,
    ...(schema === undefined || schema === null ? [] : [`args_schema: ${flowValue(schema)}`]),
    "---",
    content,
  ];
  const text = lines.join("\n");
  return text.endsWith("\n") ? text : `${text}\n`;
}
