/**
 * The list of a kept moment: the text of the file `list` in its folder, a JSON value a line. The first line describes the moment, the
 * others its files. A file's name is the one that it has in the folder; its path, the one that it has in a store's folder.
 *
 * PERSISTED, in backups: a later version reads what an earlier one has written.
 */

import { areTexts, isJsonObject, isTextOrNone, jsonOf } from '../model/json-values.ts'

/** A store's folder with a file of this name is no store yet: a restore was cut off there, and goes on. */
export const UNFINISHED_RESTORE = 'restore.unfinished'

/** The name of the list in the folder of a moment. */
export const MOMENT_LIST = 'list'

/** The names of files in the folder of a moment. */
export const FILE_NAME: RegExp = /^[0-9a-z]{1,50}(?:\.log)?$/

export interface MomentFile {
  readonly name: string
  /** Below the store's folder, with `/`. */
  readonly path: string
  /** The file may be longer: what follows is not of this moment. */
  readonly bytes: number
  /** The same for all copies of the file: no other file of a server has it. Undefined for a file of which that is not known. */
  readonly id?: string | undefined
  /** The table whose cells the file has; undefined for logs and the manifest. */
  readonly table?: string | undefined
}

export interface MomentFacts {
  readonly format: 1
  readonly id: string
  /** Milliseconds since 1970, by the server's clock. */
  readonly createdAt: number
  readonly clusterId: string
  /** Names of the tables, those of the system among them. */
  readonly tables: readonly string[]
  /** Paths of the files that the store should have and its disk has not. */
  readonly missing: readonly string[]
  /** Paths of the files that the server knows to be damaged; undefined: of an older version. */
  readonly damaged?: readonly string[] | undefined
}

export interface Moment extends MomentFacts {
  readonly files: readonly MomentFile[]
}

export function momentLine(value: MomentFacts | MomentFile): string {
  return `${JSON.stringify(value)}\n`
}

/** Throws an Error for a text that is no list of a moment, or one of a later version. */
export function parseMoment(text: string): Moment {
  const [head = '', ...lines] = text.split('\n')
  const facts = jsonOf(head)
  if (!isFacts(facts)) throw new Error('it is no list of a moment')
  if (facts.format !== 1)
    throw new Error(`its format is ${String(facts.format)}: a newer version has written it`)
  if (lines.pop() !== '') throw new Error('its last line is cut')
  const files = lines.map((line, index) => {
    const file = jsonOf(line)
    if (!isFile(file)) throw new Error(`line ${index + 2} is no file of a moment`)
    return file
  })
  return { ...facts, files }
}

function isFacts(value: unknown): value is MomentFacts {
  if (!isJsonObject(value)) return false
  const { format, id, createdAt, clusterId, tables, missing, damaged = [] } = value
  const isNamed = typeof id === 'string' && typeof clusterId === 'string'
  return (
    typeof format === 'number' &&
    isNamed &&
    Number.isSafeInteger(createdAt) &&
    areTexts(tables) &&
    areTexts(missing) &&
    areTexts(damaged)
  )
}

function isFile(value: unknown): value is MomentFile {
  if (!isJsonObject(value)) return false
  const { name, path, bytes, id, table } = value
  const isPlace =
    typeof name === 'string' && FILE_NAME.test(name) && typeof path === 'string' && isPathInside(path)
  const isSize = Number.isSafeInteger(bytes) && (bytes as number) >= 0
  return isPlace && isSize && isTextOrNone(id) && isTextOrNone(table)
}

/** Whether the path stays below the folder to which it is added: a list that was changed must not have files written elsewhere. */
export function isPathInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
}
