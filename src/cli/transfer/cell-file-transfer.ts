/** Files of cells into and out of tables: NDJSON, CSV, sequence files. */

import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseTableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import { exportCells, importCells } from '../../transfer/files.ts'
import type { CellReader } from '../../transfer/formats/cell-format.ts'
import { familiesOfFields, faultOfNames, fieldsReader } from '../../transfer/formats/cell-table.ts'
import { FORMATS, type FormatName } from '../../transfer/formats/formats.ts'
import { MadeTable } from '../../transfer/made-table.ts'
import { progressText, TransferProgress } from '../../transfer/progress.ts'
import { RateLimit } from '../../transfer/rate-limit.ts'
import { type LoginFlags, readLogin } from '../remote/login-options.ts'
import { atEnd } from '../terminal/at-end.ts'
import { beginProgress, type ProgressFlags, showProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { writeWhole } from '../terminal/standard-streams.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import { printTransfer } from './copy-command.ts'
import { importRefusal } from './import-refusal.ts'
import { type NamedStore, openNamedStore, serversOf } from './named-store.ts'
import { type PartFlags, partOf } from './part-options.ts'
import { transferStep } from './transfer-steps.ts'

export interface CellFileFlags extends PartFlags, LoginFlags, ProgressFlags {
  readonly fields?: string
  readonly header?: 'skip' | 'use'
  readonly create?: boolean
  readonly families?: readonly Buffer[]
  readonly rate?: number
  readonly json?: true
}

interface Transfer extends CellFileFlags {
  readonly store: NamedStore
  readonly table: string
  readonly format: FormatName
}

const STDIO = '-'

/** Throws where the target is there: nothing is overwritten. */
export async function exportFile(target: string, flags: Transfer): Promise<number> {
  const path = flags.format === 'sequence' ? partFile(target) : target
  // There --json has its objects on stderr already.
  const shown = path === STDIO && flags.json === true ? ({ quiet: true } as const) : flags
  beginProgress('export', shown, () =>
    path === STDIO
      ? 'The output ends there'
      : `${path} has these rows and no end: remove it, and run the command again`,
  )
  const file = path === STDIO ? undefined : await open(path, 'wx')
  let isEmpty = true
  const removeEmpty = (): void => {
    if (isEmpty && file !== undefined) rmSync(path, { force: true })
  }
  let isOver = false
  const ended = atEnd(async () => {
    if (!isOver) removeEmpty()
  })
  const write = (bytes: Buffer): Promise<void> => {
    isEmpty &&= bytes.length === 0
    return written(file, bytes)
  }
  try {
    // With tags, so that a warning can name their loss.
    await withTransfer({ ...flags, withTags: true }, path === STDIO, async (parts) => {
      const end = showProgress(() => transferStep(parts.progress))
      const writer = FORMATS[flags.format].writer()
      await exportCells({ ...parts, part: partOf(flags), writer, write })
      end()
    })
    await file?.sync()
  } catch (error) {
    // So that the same command can be given again.
    removeEmpty()
    throw error
  } finally {
    isOver = true
    await ended()
    await file?.close()
  }
  // HBase's jobs take a folder with this file for a whole one.
  if (flags.format === 'sequence') writeFileSync(join(target, '_SUCCESS'), '')
  return EXIT_FINE
}

/** The file's name, as the first task of a MapReduce job gives it. */
function partFile(folder: string): string {
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  return join(folder, 'part-m-00000')
}

async function written(file: FileHandle | undefined, bytes: Buffer): Promise<void> {
  if (file === undefined) await writeWhole(bytes)
  else await file.writeFile(bytes)
}

export async function importFiles(paths: readonly string[], flags: Transfer): Promise<number> {
  const read = readerOf(flags)
  const files = paths.flatMap(filesOf)
  const reading = new ReadFiles(files)
  beginProgress('import', flags, () => 'Repeating the import is safe: run the same command again')
  await withTransfer(flags, false, async (parts) => {
    const end = showProgress(() => reading.step(parts.progress))
    const made = flags.create === true ? await madeTable(parts, flags) : undefined
    for (const path of files) {
      try {
        await importCells({
          ...parts,
          read,
          made,
          chunks: reading.chunksOf(path),
          pause: (milliseconds) => pause(milliseconds),
        })
      } catch (error) {
        const name = path === STDIO ? 'the input' : path
        throw new Error(`${name}: ${importRefusal(error, flags)}`, { cause: error })
      }
    }
    made?.checkIsMade()
    end()
  })
  return EXIT_FINE
}

/** Files that are read one after the other, and how far that is. */
class ReadFiles {
  /** Undefined: the input is among them. */
  readonly #total: number | undefined
  readonly #count: number
  #bytes = 0
  #files = 0

  constructor(paths: readonly string[]) {
    this.#count = paths.length
    this.#total = paths.includes(STDIO)
      ? undefined
      : paths.reduce((sum, path) => sum + statSync(path).size, 0)
  }

  async *chunksOf(path: string): AsyncGenerator<Buffer> {
    const chunks: AsyncIterable<Buffer> = path === STDIO ? process.stdin : createReadStream(path)
    for await (const chunk of chunks) {
      this.#bytes += chunk.length
      yield chunk
    }
    this.#files++
  }

  step({ table, rows }: TransferProgress): Step {
    return {
      task: table,
      amounts: [
        { unit: 'rows', done: rows },
        { unit: 'bytes', done: this.#bytes, total: this.#total },
        ...(this.#count > 1 ? [{ unit: 'files', done: this.#files, total: this.#count } as const] : []),
      ],
      ...(this.#total !== undefined && this.#total > 0 && { fraction: this.#bytes / this.#total }),
    }
  }
}

function madeTable(
  { store, table, call }: Pick<Parts, 'store' | 'table' | 'call'>,
  flags: Transfer,
): Promise<MadeTable> {
  const { families, fields } = flags
  const named = families ?? (fields === undefined ? undefined : familiesOfFields(fields.split(',')))
  return MadeTable.open(store.catalog, table, named, call)
}

/** Throws an Error for flags that do not go together. */
function readerOf({ format, fields, header, create, families }: Transfer): CellReader {
  if (families !== undefined && create !== true) throw new Error('--families is of --create')
  if (format !== 'csv') {
    if (fields !== undefined) throw new Error('--fields are of CSV files')
    if (header !== undefined) throw new Error('--header is of CSV files')
  }
  if (header === 'use') {
    if (fields !== undefined)
      throw new Error('--header use takes the names from the file: leave out --fields, or pass --header skip')
    return fieldsReader(undefined, BigInt(Date.now()))
  }
  if (fields === undefined) {
    if (header === 'skip')
      throw new Error('--header skip needs --fields, which name what the skipped line would')
    return FORMATS[format].read
  }
  const names = fields.split(',')
  const fault = faultOfNames(names)
  if (fault !== undefined) throw new Error(`--fields ${fields}: ${fault}`)
  return fieldsReader(names, BigInt(Date.now()), header === 'skip')
}

/** The files of a folder that HBase's jobs read: names that begin with `.` or `_` are left out. */
function filesOf(path: string): string[] {
  if (path === STDIO || !statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => !/^[._]/.test(name))
  return names.sort().map((name) => join(path, name))
}

type Parts = Parameters<typeof importCells>[0]

/** `isOutputTaken`: the cells go to stdout, so that the sums go to stderr. */
async function withTransfer(
  { store: named, table, rate, json, withTags = false, ...flags }: Transfer & { readonly withTags?: boolean },
  isOutputTaken: boolean,
  work: (parts: Pick<Parts, 'store' | 'table' | 'call' | 'progress' | 'rate'>) => Promise<void>,
): Promise<void> {
  const print = isOutputTaken ? printProgress : printLine
  const people = isOutputTaken ? printProgressText : printTransfer
  const report: ConstructorParameters<typeof TransferProgress>[2] =
    json === true ? (progress) => print(JSON.stringify(progress)) : people
  const store = await openNamedStore(named, printProgress, await readLogin(flags, serversOf(named)), withTags)
  try {
    const progress = new TransferProgress(table, milliseconds, report, warn)
    const limit = new RateLimit(rate ?? Number.POSITIVE_INFINITY, milliseconds, (time) => pause(time))
    await work({ store, table: parseTableName(table), call: OWN_CALL, progress, rate: limit })
    progress.done()
  } finally {
    await store.close()
  }
}

function warn(text: string): void {
  printProgress(`warning: ${text}`)
}

function printProgressText(progress: Parameters<typeof printTransfer>[0]): void {
  if (progress.isDone) printProgress(progressText(progress))
}

function milliseconds(): number {
  return performance.now()
}
