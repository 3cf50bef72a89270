import { createHash } from 'node:crypto'
import { namespaceOf, qualifierOf, type TableName } from '../../../src/model/table-name.ts'

/** File systems take no longer names. */
const NAME_BYTES_MAX = 255
const PREFIX_CHARACTERS = 64

/** HBase's layout below the store's directory: data/NAMESPACE/TABLE/ENCODED_REGION/FAMILY/FILE. */
export function tableDirectory(root: string, table: TableName): string {
  return `${root}/data/${shortName(namespaceOf(table))}/${shortName(qualifierOf(table))}`
}

export function regionDirectory(root: string, table: TableName, encodedName: string): string {
  return `${tableDirectory(root, table)}/${encodedName}`
}

/** A family's name may hold nearly any byte; a byte that is no letter, digit, `_` or `-` becomes %HH. */
export function familyDirectory(regionPath: string, family: Buffer): string {
  const name = family.toString('latin1').replaceAll(/[^A-Za-z0-9_-]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `${regionPath}/${shortName(name)}`
}

export function filePath(regionPath: string, family: Buffer, number: number): string {
  return `${familyDirectory(regionPath, family)}/${String(number).padStart(10, '0')}`
}

/** The number of a store file, or of a snapshot's folder, by its path; undefined for other names. */
export function numberIn(path: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /^\d{10}$/.test(name) ? Number(name) : undefined
}

/** Ends the name of a store file that is being written. A start removes such files: nothing has named them yet. PERSISTED. */
export const UNFINISHED = '.unfinished'

/** A name that is too long for a directory keeps its beginning, and has its SHA-256 for the rest. No other name has a `~`. PERSISTED. */
function shortName(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name
  const prefix = name.slice(0, PREFIX_CHARACTERS).replaceAll(/[^!-~]/g, '_')
  return `${prefix}~${createHash('sha256').update(name).digest('hex')}`
}
