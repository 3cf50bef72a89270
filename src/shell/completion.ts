/** Completes the end of a line: commands and constants, and within quotes tables and families. */

import { CONSTANTS } from './constants.ts'

export interface Completions {
  readonly candidates: readonly string[]
  /** The end of the line, which a candidate replaces. */
  readonly begun: string
}

export interface KnownNames {
  readonly commands: readonly string[]
  /** Names of all tables. */
  tables(): Promise<readonly string[]>
  /** Names of the table's families; none where there is no such table. */
  families(table: string): Promise<readonly string[]>
}

export async function completions(line: string, names: KnownNames): Promise<Completions> {
  const quoted = /(['"])([^'"]*)$/.exec(line)
  const isWithin = (line.match(/'/g) ?? []).length % 2 === 1 || (line.match(/"/g) ?? []).length % 2 === 1
  if (quoted !== null && isWithin) return withinQuotes(line, quoted[1]!, quoted[2]!, names)
  const begun = /\w*$/.exec(line)![0]
  const isFirst = /^\s*\w*$/.test(line)
  const all = isFirst ? names.commands : [...CONSTANTS.keys()]
  return { candidates: begun === '' && !isFirst ? [] : all.filter((name) => name.startsWith(begun)), begun }
}

async function withinQuotes(
  line: string,
  quote: string,
  begun: string,
  names: KnownNames,
): Promise<Completions> {
  const before = line.slice(0, line.length - begun.length - 1)
  const table = /['"]([^'"]+)['"]/.exec(before)?.[1]
  // The first name of a command is a table's. The names after it are columns or rows.
  const all =
    table === undefined
      ? (await names.tables()).map((name) => name + quote)
      : (await names.families(table)).map((family) => `${family}:`)
  return { candidates: all.filter((name) => name.startsWith(begun)), begun }
}
