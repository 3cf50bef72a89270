/** Files of cells into and out of tables: NDJSON, CSV, sequence files. */

import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isHBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'
import { parseTableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import { exportCells, importCells } from '../../transfer/files.ts'
import type { CellReader } from '../../transfer/formats/cell-format.ts'
import { fieldsReader, KEY_FIELD } from '../../transfer/formats/cell-table.ts'
import { FORMATS, type FormatName } from '../../transfer/formats/formats.ts'
import { progressText, TransferProgress } from '../../transfer/progress.ts'
import { RateLimit } from '../../transfer/rate-limit.ts'
import { type LoginFlags, readLogin } from '../remote/login-options.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import { EXIT_FINE } from '../terminal/tool-run.ts'
import { printTransfer } from './copy-command.ts'
import { type NamedStore, openNamedStore, serversOf } from './named-store.ts'
import { type PartFlags, partOf } from './part-options.ts'

export interface CellFileFlags extends PartFlags, LoginFlags {
  readonly fields?: string
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
  const file = path === STDIO ? undefined : await open(path, 'wx')
  let isEmpty = true
  const write = (bytes: Buffer): Promise<void> => {
    isEmpty &&= bytes.length === 0
    return written(file, bytes)
  }
  try {
    // With tags, so that a warning can name their loss.
    await withTransfer({ ...flags, withTags: true }, path === STDIO, async (parts) => {
      const writer = FORMATS[flags.format].writer()
      await exportCells({ ...parts, part: partOf(flags), writer, write })
    })
    await file?.sync()
  } catch (error) {
    // So that the same command can be given again.
    if (isEmpty && file !== undefined) rmSync(path)
    throw error
  } finally {
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
  if (file !== undefined) await file.writeFile(bytes)
  else if (!process.stdout.write(bytes)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}

export async function importFiles(paths: readonly string[], flags: Transfer): Promise<number> {
  const read = readerOf(flags)
  await withTransfer(flags, false, async (parts) => {
    for (const path of paths.flatMap(filesOf)) {
      const chunks: AsyncIterable<Buffer> = path === STDIO ? process.stdin : createReadStream(path)
      try {
        await importCells({ ...parts, read, chunks, pause: (milliseconds) => pause(milliseconds) })
      } catch (error) {
        const reason = isHBaseError(error) ? plainMessage(error) : (error as Error).message
        throw new Error(`${path === STDIO ? 'the input' : path}: ${reason}`, { cause: error })
      }
    }
  })
  return EXIT_FINE
}

function readerOf({ format, fields }: Transfer): CellReader {
  if (fields === undefined) return FORMATS[format].read
  const names = fields.split(',')
  if (format !== 'csv') throw new Error('--fields are of CSV files')
  if (!names.includes(KEY_FIELD)) throw new Error(`--fields must have ${KEY_FIELD}, the field of the row`)
  return fieldsReader(names, BigInt(Date.now()))
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
  printProgress(progressText(progress))
}

function milliseconds(): number {
  return performance.now()
}
