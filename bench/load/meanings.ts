/** Functions that no synthetic catalogue has, each with a need that means it and shares no term with it. */
import type { Synthetic } from "./generator.js";

export interface Meaning {
  readonly added: Synthetic;
  readonly need: string;
}

const meaning = (id: string, description: string, need: string): Meaning => ({
  added: { id, description, parameters: { type: "object", properties: {} } },
  need,
});

export const MEANINGS: readonly Meaning[] = [
  meaning("zoo::meals::serve", "Feeds the lions and tigers of the zoological garden.", "give food to big cats"),
  meaning("garage::tyres::swap", "Replaces worn tyres of an automobile.", "put new wheels on my car"),
  meaning("kitchen::soup::boil", "Boils vegetables into a soup.", "cook a warm broth"),
  meaning("opera::seats::reserve", "Reserves seats for an evening at the opera.", "book places at the musical theatre"),
  meaning("dentist::tooth::pull", "Extracts an aching tooth.", "remove a molar that hurts"),
  meaning("garden::lawn::mow", "Mows the lawn.", "cut the grass in the backyard"),
];
