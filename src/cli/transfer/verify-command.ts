/** `tidegate copy --verify`: compares tables of two stores or servers. */

import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { CellType } from '../../model/cell.ts'
import { counted } from '../../model/counted.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { isHBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { Store } from '../../store/store.ts'
import type { TableToCopy } from '../../transfer/copy-tables.ts'
import { progressText } from '../../transfer/progress.ts'
import type { CellDifference, DifferenceKind, RowDifference } from '../../transfer/verify/differences.ts'
import type { VerifySum } from '../../transfer/verify/verify-tables.ts'
import { escapedText } from '../../wire/text/escaped-text.ts'
import { readLogin } from '../remote/login-options.ts'
import { beginProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import type { CopyFlags } from './copy-command.ts'
import { type NamedStore, openNamedStore, serversOf } from './named-store.ts'
import { parseTime, partOf } from './part-options.ts'
import { showTransfer } from './transfer-steps.ts'
import { allTables } from './unseen-tables.ts'

const EXIT_DIFFERS = 1
const EXIT_NOT_COMPARED = 2
const SETTLE_MS = 10_000
const DIFFERENCES_MAX = 100

export interface VerifyFlags {
  readonly verify?: true
  readonly raw?: true
  readonly changedSince?: bigint
  readonly settleMs?: number
  readonly differencesMax?: number
}

export function addVerifyOptions(command: Command): Command {
  return command
    .option('--verify', 'copy nothing: compare the tables, and print the cells that differ')
    .option(
      '--raw',
      'with --verify: compare all stored cells, with markers of deletes and the cells that these hide, not only those that readers see',
    )
    .option(
      '--changed-since <timestamp>',
      'with --verify: compare only rows with a cell or a marker of this time or later',
      parseTime,
    )
    .option(
      '--settle-ms <milliseconds>',
      `with --verify: how long a difference may take to go away before it is reported (default: ${SETTLE_MS})`,
      parseWhole,
    )
    .option(
      '--differences-max <cells>',
      `with --verify: print no more differing cells than this; the others are counted (default: ${DIFFERENCES_MAX})`,
      parseWhole,
    )
}

function parseWhole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Throws an Error for flags that do not go together. */
export function checkVerifyFlags(flags: CopyFlags): void {
  if (flags.verify === true) {
    if (flags.create === true) throw new Error('--verify changes nothing: leave out --create')
    if (flags.changedSince !== undefined && (flags.raw === true || hasTimes(flags)))
      throw new Error('--changed-since compares what readers see, of all times: leave out --raw and times')
    if (flags.resume !== undefined) throw new Error('--verify keeps no state: leave out --resume')
    return
  }
  const alone = [
    flags.raw === true && '--raw',
    flags.changedSince !== undefined && '--changed-since',
    flags.settleMs !== undefined && '--settle-ms',
    flags.differencesMax !== undefined && '--differences-max',
  ].find((name) => name !== false)
  if (alone !== undefined) throw new Error(`${alone} is an option of --verify`)
}

function hasTimes({ startTime, endTime }: CopyFlags): boolean {
  return startTime !== undefined || endTime !== undefined
}

export async function runVerify(
  source: NamedStore,
  destination: NamedStore,
  flags: CopyFlags,
): Promise<number> {
  const answer = new VerifyAnswer(flags)
  beginProgress('copy --verify', flags, () => answer.advice())
  const { verifyTables } = await import('../../transfer/verify/verify-tables.ts')
  const login = await readLogin(flags, serversOf(source, destination))
  const from = await openNamedStore(source, printProgress, login, true)
  try {
    const to = await openNamedStore(destination, printProgress, login, true)
    try {
      const tables = flags.table ?? (await allTables(from, source, flags.user !== undefined))
      if (flags.table === undefined) await leaveOutOthers(to, tables, answer)
      const sums = await verifyTables({
        source: from,
        target: to,
        tables,
        part: partOf(flags),
        raw: flags.raw ?? false,
        changedSince: flags.changedSince,
        settleMs: flags.settleMs ?? SETTLE_MS,
        bytesPerSecond: flags.rate ?? Number.POSITIVE_INFINITY,
        call: OWN_CALL,
        now: () => performance.now(),
        wallClock: Date.now,
        pause: (milliseconds) => pause(milliseconds),
        begins: showTransfer,
        report: (progress) => {
          if (flags.json === true) printLine(JSON.stringify(progress))
        },
        settles: (table, rows, milliseconds) => printSettling(flags, table, rows, milliseconds),
        differs: (table, difference) => answer.differs(table, difference),
        compared: (sum) => answer.compared(sum),
        warn: (text) => printProgress(`warning: ${text}`),
        leftOut: (table, reason) => answer.leftOut(table, reason),
      })
      return answer.exitCode(sums)
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

function printSettling({ json }: CopyFlags, table: string, rows: number, milliseconds: number): void {
  if (json === true) printLine(JSON.stringify({ table, rowsWaiting: rows, settleMs: milliseconds }))
  else
    printProgress(
      `${table}: all is compared; waiting up to ${milliseconds / 1000} s for ${counted(rows, 'differing row')}, whose changes may be on their way`,
    )
}

/** Names the tables that the destination alone has. */
async function leaveOutOthers(
  { catalog }: Store,
  tables: readonly TableToCopy[],
  answer: VerifyAnswer,
): Promise<void> {
  const compared = new Set(tables.map(({ to }) => to))
  for (const { name } of await catalog.listTables(OWN_CALL, 'names'))
    if (!compared.has(name)) answer.leftOut(name, new Error(`the source has no table ${name}`))
}

class VerifyAnswer {
  readonly #isJson: boolean
  readonly #differencesMax: number
  readonly #left: string[] = []
  #printed = 0
  #unprinted = 0

  constructor({ json, differencesMax = DIFFERENCES_MAX }: CopyFlags) {
    this.#isJson = json ?? false
    this.#differencesMax = differencesMax
  }

  differs(table: string, { row, cells, more }: RowDifference): void {
    this.#unprinted += more
    for (const cell of cells) {
      if (this.#printed >= this.#differencesMax) {
        this.#unprinted++
        continue
      }
      this.#printed++
      printLine(this.#isJson ? differenceJson(table, row, cell) : differenceText(table, row, cell))
    }
  }

  compared(sum: VerifySum): void {
    printLine(this.#isJson ? JSON.stringify(sum) : sumText(sum))
  }

  leftOut(table: string, reason: unknown): void {
    this.#left.push(table)
    const why = isHBaseError(reason) ? plainMessage(reason) : reasonOf(reason)
    printProgress(`warning: ${table} is not compared: ${why}`)
  }

  /** For a comparison that is interrupted. */
  advice(): string {
    const differing = this.#printed + this.#unprinted
    return `${differing === 0 ? 'No cell differs so far' : `${counted(differing, 'cell differs', 'cells differ')} so far`}; nothing was changed, and the same command compares anew`
  }

  exitCode(sums: readonly VerifySum[]): number {
    if (this.#unprinted > 0)
      printProgress(`${counted(this.#unprinted, 'differing cell')} more: --differences-max prints them`)
    const left = this.#left
    if (left.length > 0)
      printProgress(
        `tidegate: ${counted(left.length, 'table is', 'tables are')} not compared, or not whole: ${left.join(', ')}`,
      )
    if (sums.some(({ rowsDiffering }) => rowsDiffering > 0) || this.#printed > 0) return EXIT_DIFFERS
    return left.length > 0 ? EXIT_NOT_COMPARED : EXIT_FINE
  }
}

const IN_WORDS: Readonly<Record<DifferenceKind, string>> = {
  missing: 'missing at the destination',
  extra: 'only at the destination',
  value: 'another value at the destination',
  tags: 'other tags at the destination',
}
const TYPES: ReadonlyMap<number, string> = new Map(
  Object.entries(CellType).map(([name, type]) => [type, name]),
)

function differenceText(table: string, row: Buffer, cell: CellDifference): string {
  const { column, timestamp, type, kind } = cell
  const marker = type === CellType.Put ? '' : `, ${TYPES.get(type) ?? type}`
  return `${table}: row ${escapedText(row)}, ${escapedText(column)} at ${timestamp}${marker}: ${IN_WORDS[kind]}`
}

/** A timestamp stands with all its digits. */
function differenceJson(
  table: string,
  row: Buffer,
  { column, timestamp, type, kind }: CellDifference,
): string {
  const named = { table, row: escapedText(row), column: escapedText(column) }
  const rest = { type: TYPES.get(type) ?? String(type), difference: kind }
  return `${JSON.stringify(named).slice(0, -1)},"timestamp":${timestamp},${JSON.stringify(rest).slice(1)}`
}

function sumText(sum: VerifySum): string {
  const { rowsDiffering, differences, moreDifferences, rowsChanging } = sum
  const { missing, extra, value, tags } = differences
  const kinds = [
    [missing, 'missing'],
    [extra, 'only at the destination'],
    [value, 'with another value'],
    [tags, 'with other tags'],
    [moreDifferences, 'more'],
  ] as const
  const cells = kinds
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${counted(count, 'cell')} ${words}`)
  const outcome =
    rowsDiffering === 0
      ? 'equal'
      : `${counted(rowsDiffering, 'row differs', 'rows differ')}: ${cells.join(', ')}`
  const changing =
    rowsChanging === 0
      ? ''
      : `; ${counted(rowsChanging, 'row')} kept changing, without a difference that lasted`
  return `${progressText(sum)}, ${outcome}${changing}`
}
