/**
 * A backup, as a text: a JSON value a line. The first line describes the backup, the lines between describe its files, and the last one has the SHA-256
 * of all before it.
 *
 * PERSISTED: a later version reads what an earlier one has written.
 */

import { createHash } from 'node:crypto'
import { areTexts, isJsonObject, isTextOrNone, jsonOf } from '../model/json-values.ts'
import { isPathInside } from '../store/kept-moment.ts'

export interface BackupFacts {
  readonly format: 1
  /** When the server was as the backup has it: milliseconds since 1970, by its clock. */
  readonly at: number
  readonly clusterId: string
  /** The moment's id, as archived logs name it; undefined: of an older version. */
  readonly moment?: string | undefined
  /** The server, as the user has named it. */
  readonly server: string
  /** Names of the tables, those of the system among them. */
  readonly tables: readonly string[]
  /** Paths of the files that the server should have had and had not. */
  readonly missing: readonly string[]
  /** Bytes of all files, and of those that no earlier backup had. */
  readonly bytes: number
  readonly newBytes: number
}

export interface BackupFile {
  /** In a store's folder. */
  readonly path: string
  readonly bytes: number
  /** The file of the destination with its bytes, below `files`. */
  readonly content: string
  /** In hexadecimal; undefined for a link, whose bytes nothing has read. */
  readonly sha256?: string | undefined
  readonly table?: string | undefined
}

export interface Backup extends BackupFacts {
  readonly files: readonly BackupFile[]
}

export function encodeBackup({ files, ...facts }: Backup): string {
  const lines = [facts, ...files].map((line) => `${JSON.stringify(line)}\n`)
  return sealedText(lines.join(''))
}

/** Adds the line with the SHA-256 to a text, which ends with a line feed. */
export function sealedText(text: string): string {
  return `${text}${JSON.stringify({ sha256: sumOf(text) })}\n`
}

/** The text before the last line; undefined where that line does not have its SHA-256. */
export function unsealedText(text: string): string | undefined {
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  const last = jsonOf(text.slice(end))
  const before = text.slice(0, end)
  return isJsonObject(last) && last['sha256'] === sumOf(before) ? before : undefined
}

/** Throws an Error that says how the text is damaged, or that a newer version has written it. */
export function decodeBackup(text: string): Backup {
  const end = text.lastIndexOf('\n', text.length - 2) + 1
  const [head = '', ...lines] = text.slice(0, end).split('\n')
  const facts = jsonOf(head)
  if (isJsonObject(facts) && typeof facts['format'] === 'number' && facts['format'] > 1)
    throw new Error(`a newer version of Tidegate has written it (format ${facts['format']})`)
  if (unsealedText(text) === undefined) throw new Error('it is damaged: its checksum is not that of its text')
  lines.pop()
  const files = lines.map(jsonOf)
  if (!isFacts(facts) || !files.every(isFile)) throw new Error('it is no backup')
  return { ...facts, files }
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The last millisecond that a Date has. */
const TIME_MAX = 8_640_000_000_000_000

function isFacts(value: unknown): value is BackupFacts {
  if (!isJsonObject(value)) return false
  const { at, clusterId, moment, server, tables, missing, bytes, newBytes } = value
  const areNames = typeof clusterId === 'string' && typeof server === 'string' && isTextOrNone(moment)
  const isTime = typeof at === 'number' && Math.abs(at) <= TIME_MAX
  return (
    [at, bytes, newBytes].every(Number.isSafeInteger) &&
    isTime &&
    areNames &&
    areTexts(tables) &&
    areTexts(missing)
  )
}

function isFile(value: unknown): value is BackupFile {
  if (!isJsonObject(value)) return false
  const { path, bytes, content, sha256, table } = value
  const arePaths = [path, content].every((each) => typeof each === 'string' && isPathInside(each))
  const isSum = sha256 === undefined || (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256))
  return arePaths && isSum && Number.isSafeInteger(bytes) && isTextOrNone(table)
}
