/** Arithmetic, units, statistics. */
import { randomInt } from "node:crypto";
import { Type } from "typebox";
import { type Offer, offer } from "../example.js";
import { evaluate } from "./expression.js";
import { convert, QUANTITIES, significant } from "./units.js";

const Numbers = Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000, description: "The numbers" });

export function calcOffers(): Offer[] {
  return [
    offer({
      id: "calc::evaluate",
      description:
        "Calculate the result of an arithmetic expression with + - * / % ^, brackets and functions such as sqrt, round, min and max.",
      request: Type.Object(
        { expression: Type.String({ minLength: 1, maxLength: 1000, description: "For example (3 + 4) * sqrt(2)" }) },
        { additionalProperties: false },
      ),
      response: Type.Object({ result: Type.Number() }),
      answer: ({ expression }) => ({ result: significant(evaluate(expression)) }),
    }),
    offer({
      id: "calc::convert-unit",
      description:
        "Convert a measure from one unit to another: length, weight, volume, time, temperature, area, speed or data size.",
      request: Type.Object(
        {
          value: Type.Number({ description: "How much of the first unit" }),
          from: Type.String({ minLength: 1, maxLength: 10, description: "Unit it is in, for example mi, lb or F" }),
          to: Type.String({ minLength: 1, maxLength: 10, description: "Unit it shall be in, for example km, kg or C" }),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ value: Type.Number(), unit: Type.String(), quantity: Type.String() }),
      answer: ({ value, from, to }) => ({ unit: to, ...convert(value, from, to) }),
    }),
    offer({
      id: "calc::list-units",
      description: "List the units of measure that can be converted, by quantity.",
      request: Type.Object({}, { additionalProperties: false }),
      response: Type.Object({ quantities: Type.Record(Type.String(), Type.Array(Type.String())) }),
      answer: () => ({
        quantities: Object.fromEntries(Object.entries(QUANTITIES).map(([quantity, units]) => [quantity, Object.keys(units)])),
      }),
    }),
    offer({
      id: "calc::statistics",
      description: "Summarise a list of numbers: count, sum, mean, median, smallest, largest and standard deviation.",
      request: Type.Object({ numbers: Numbers }, { additionalProperties: false }),
      response: Type.Object({
        count: Type.Integer(),
        sum: Type.Number(),
        mean: Type.Number(),
        median: Type.Number(),
        minimum: Type.Number(),
        maximum: Type.Number(),
        standard_deviation: Type.Number({ description: "Of the whole population" }),
      }),
      answer: ({ numbers }) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        const at = (place: number): number => sorted[place] ?? Number.NaN;
        const count = sorted.length;
        const sum = sorted.reduce((total, number) => total + number, 0);
        const mean = sum / count;
        const variance = sorted.reduce((total, number) => total + (number - mean) ** 2, 0) / count;
        return {
          count,
          sum: significant(sum),
          mean: significant(mean),
          median: significant((at(Math.floor((count - 1) / 2)) + at(Math.ceil((count - 1) / 2))) / 2),
          minimum: at(0),
          maximum: at(count - 1),
          standard_deviation: significant(Math.sqrt(variance)),
        };
      },
    }),
    offer({
      id: "calc::random",
      description: "Draw random whole numbers between two bounds, to roll dice, draw lots or take a sample.",
      request: Type.Object(
        {
          minimum: Type.Integer({ minimum: -1e9, maximum: 1e9, description: "Smallest possible number" }),
          maximum: Type.Integer({ minimum: -1e9, maximum: 1e9, description: "Largest possible number" }),
          count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: "How many to draw" })),
        },
        { additionalProperties: false },
      ),
      response: Type.Object({ numbers: Type.Array(Type.Integer()) }),
      answer: ({ minimum, maximum, count = 1 }) => {
        if (minimum > maximum) throw new Error("invalid_request: minimum is larger than maximum");
        return { numbers: Array.from({ length: count }, () => randomInt(minimum, maximum + 1)) };
      },
    }),
  ];
}
