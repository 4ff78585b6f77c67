/** An error that a person caused or can mend: it is printed as one line, without a stack, and the command ends with its code. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A command that was typed wrongly. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, 2);
  }
}
