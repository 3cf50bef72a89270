/** Options that take one value. A second value on one command line is refused: users cannot see which of the two counts. */

import { type Command, InvalidArgumentError, Option } from 'commander'

/** An option that may be repeated: its parser keeps the values before. */
export class RepeatableOption extends Option {}

/** Makes `program` and all its subcommands refuse an option with one value that is given twice, also with the same value. */
export function refuseSecondValues(program: Command): void {
  for (const option of program.options) if (hasOneValue(option)) refuseSecondValue(program, option)
  for (const command of program.commands) refuseSecondValues(command)
}

/** False for flags without a value: a second one means the same. */
function hasOneValue(option: Option): boolean {
  return (option.required || option.optional) && !option.variadic && !(option instanceof RepeatableOption)
}

function refuseSecondValue(command: Command, option: Option): void {
  let isGiven = false
  command.on(`option:${option.name()}`, () => {
    if (isGiven) command.error(`error: option '${option.flags}' is given twice, and takes one value`)
    isGiven = true
  })
}

/** Checks a value for a parser that keeps values by name. Throws InvalidArgumentError for a name that has a value already. */
export function checkFirst(name: string, isThere: boolean): void {
  if (isThere) throw new InvalidArgumentError(`${name} is given twice.`)
}
