/** The help of each command: its effect and examples. */

import { ADMINISTRATION_HELP } from './administration-help.ts'
import { DATA_HELP } from './data-help.ts'
import { REPLICATION_HELP } from './replication-help.ts'
import { TABLE_COMMANDS_HELP } from './table-commands-help.ts'

const HELP: ReadonlyMap<string, string> = new Map(
  [DATA_HELP, TABLE_COMMANDS_HELP, ADMINISTRATION_HELP, REPLICATION_HELP].flatMap((text) =>
    text
      .trim()
      .split(/^@/m)
      .filter((part) => part !== '')
      .map((part) => {
        const end = part.indexOf('\n')
        return [part.slice(0, end).trim(), part.slice(end + 1).trimEnd()] as const
      }),
  ),
)

export function commandHelp(name: string): string {
  return HELP.get(name) ?? 'There is no help for this command.'
}

const PROMPT = /^\s*hbase> /

/**
 * An example of the command: of those of its help the first one with an option that the failure names, or else the first. Undefined: there is
 * none.
 */
export function usageOf(name: string, failure: string): string | undefined {
  const examples = commandHelp(name)
    .split('\n')
    .filter((line) => PROMPT.test(line))
    .map((line) => line.replace(PROMPT, '').trim())
  const options = failure.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []
  return examples.find((example) => options.some((option) => example.includes(option))) ?? examples[0]
}

/** The commands that have help, for a test. */
export function commandsWithHelp(): string[] {
  return [...HELP.keys()]
}
