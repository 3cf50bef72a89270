/**
 * Records of the log that no region has, in files of lost+found: each has the form of a log, and the records of one region.
 *
 *     lost+found/records/data/NAMESPACE/TABLE/REGION-SEQUENCEID.log   of a region that the table had
 *     lost+found/records/unknown/REGION-SEQUENCEID.log                of a region that the manifest does not know
 *     lost+found/records/old/REGION-SEQUENCEID.log                    of a region that may be one of a table dropped long ago
 */

import type { TableName } from '../../../src/model/table-name.ts'
import { tableDirectory } from '../layout/region-directory.ts'
import type { FileSystem } from '../platform/file-system.ts'

const RECORDS = 'lost+found/records'
const FILE_NAME = /^(\d+)-\d+(\.\d+)?\.log$/
/** Ends the name of a file whose records a repair has put into regions. */
export const TAKEN = '.taken'

export interface SetAsideRecords {
  readonly path: string
  readonly region: number
  /** See recordsFolder. */
  readonly folder: string
}

/** Where the records are of regions that a table had. `directory`: the store's. */
export function recordsFolder(directory: string, table: TableName): string {
  return tableDirectory(`${directory}/${RECORDS}`, table)
}

export interface RecordsPlace {
  readonly region: number
  /** The sequence id of the first record. */
  readonly sequenceId: number
  readonly table: TableName | undefined
  readonly isOld: boolean
}

/** A free path for the records of a region. */
export function recordsPath(
  fileSystem: FileSystem,
  directory: string,
  { region, sequenceId, table, isOld }: RecordsPlace,
): string {
  const elsewhere = `${directory}/${RECORDS}/${isOld ? 'old' : 'unknown'}`
  const folder = isOld || table === undefined ? elsewhere : recordsFolder(directory, table)
  const base = `${folder}/${region}-${String(sequenceId).padStart(10, '0')}`
  let path = `${base}.log`
  for (let copy = 2; fileSystem.exists(path); copy++) path = `${base}.${copy}.log`
  return path
}

/** The files that wait for a repair. */
export function setAsideRecords(fileSystem: FileSystem, directory: string): SetAsideRecords[] {
  const root = `${directory}/${RECORDS}`
  const folders = [`${root}/unknown`]
  for (const namespace of fileSystem.list(`${root}/data`))
    for (const table of fileSystem.list(`${root}/data/${namespace}`))
      folders.push(`${root}/data/${namespace}/${table}`)
  return folders.flatMap((folder) =>
    fileSystem.list(folder).flatMap((name) => {
      const region = FILE_NAME.exec(name)?.[1]
      return region === undefined ? [] : [{ path: `${folder}/${name}`, region: Number(region), folder }]
    }),
  )
}
