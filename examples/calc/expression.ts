/** Arithmetic as people write it: + - * / % ^, brackets, functions, pi and e. Read by recursive descent; nothing is ever executed. */

const FUNCTIONS: Readonly<Record<string, (...numbers: number[]) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: Math.round,
  floor: Math.floor,
  ceil: Math.ceil,
  ln: Math.log,
  log: Math.log10,
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  min: Math.min,
  max: Math.max,
};
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };
const DEEPEST = 100;

/** Throws a line that says where it stops making sense. */
export function evaluate(expression: string): number {
  const reader = new Reader(expression);
  const value = reader.sum(0);
  reader.end();
  if (!Number.isFinite(value)) throw new Error("undefined_result: the result is not a finite number");
  return value;
}

class Reader {
  readonly #tokens: string[];
  #next = 0;

  constructor(expression: string) {
    const tokens = expression.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+|[a-z]+|[-+*/%^(),]|\S/gi) ?? [];
    this.#tokens = tokens.map((token) => token.toLowerCase());
  }

  sum(depth: number): number {
    let value = this.#product(depth);
    for (;;) {
      if (this.#take("+")) value += this.#product(depth);
      else if (this.#take("-")) value -= this.#product(depth);
      else return value;
    }
  }

  end(): void {
    if (this.#next < this.#tokens.length) this.#complain("an operator");
  }

  #product(depth: number): number {
    let value = this.#signed(depth);
    for (;;) {
      if (this.#take("*")) value *= this.#signed(depth);
      else if (this.#take("/")) value /= this.#signed(depth);
      else if (this.#take("%")) value %= this.#signed(depth);
      else return value;
    }
  }

  #signed(depth: number): number {
    if (depth > DEEPEST) throw new Error(`invalid_request: more than ${DEEPEST} levels of brackets and signs`);
    if (this.#take("-")) return -this.#signed(depth + 1);
    if (this.#take("+")) return this.#signed(depth + 1);
    return this.#power(depth);
  }

  /** From right to left: 2^3^2 is 2^9. */
  #power(depth: number): number {
    const base = this.#atom(depth);
    return this.#take("^") ? base ** this.#signed(depth + 1) : base;
  }

  #atom(depth: number): number {
    const token = this.#tokens[this.#next] ?? "";
    if (/^[\d.]/.test(token) && token !== ".") {
      this.#next++;
      return Number(token);
    }
    if (this.#take("(")) return this.#closed(this.sum(depth + 1));
    if (Object.hasOwn(CONSTANTS, token)) {
      this.#next++;
      return CONSTANTS[token] ?? Number.NaN;
    }
    const work = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (work === undefined) return this.#complain("a number");
    this.#next++;
    if (!this.#take("(")) return this.#complain(`( after ${token}`);
    const given = [this.sum(depth + 1)];
    while (this.#take(",")) given.push(this.sum(depth + 1));
    return this.#closed(work(...given));
  }

  #closed(value: number): number {
    return this.#take(")") ? value : this.#complain(")");
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#next] !== token) return false;
    this.#next++;
    return true;
  }

  #complain(expected: string): never {
    const token = this.#tokens[this.#next];
    throw new Error(
      `invalid_request: ${expected} was expected ${token === undefined ? "at the end" : `where ${JSON.stringify(token)} stands`}`,
    );
  }
}
