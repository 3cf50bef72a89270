/**
 * Loads the files that another cluster has loaded into its tables. Its log has only their names, so this server must be able to read them where
 * they lie there. HBase: HFileReplicator, which copies them first.
 */

import { HBaseError } from '../../../../model/errors.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../../model/table-name.ts'
import type { Call } from '../../../../store/call.ts'
import type { Store } from '../../../../store/store.ts'
import type { BulkLoadFile, BulkLoads } from '../../../../store/upkeep.ts'
import { BulkLoadDescriptorSchema } from '../../../../wire/rpc/gen/wal_pb.ts'
import { readClientMessage } from '../../messages/read-message.ts'
import type { ReplicateRequest } from './read-entries.ts'
import type { BulkLoadMarker } from './received-changes.ts'

type Folders = Pick<ReplicateRequest, 'filesFolder' | 'archiveFolder'>

/** Returns how many files were loaded. Throws IO for files that this server cannot read, UNSUPPORTED in front of a cluster. */
export async function loadMarkedFiles(
  markers: readonly BulkLoadMarker[],
  folders: Folders,
  { catalog, upkeep }: Pick<Store, 'catalog' | 'upkeep'>,
  call: Call,
): Promise<number> {
  let count = 0
  for (const { table, descriptor } of markers) {
    const { encodedRegionName, stores, replicate, clusterIds } = readClientMessage(
      BulkLoadDescriptorSchema,
      descriptor,
    )
    if (!replicate) continue
    // A cluster moves the files of a load, and would take them away from their owner.
    const loads = catalog.hasSystemTables ? undefined : upkeep.bulkLoads
    if (loads === undefined) throw notLoaded(table, 'this server takes no files of other clusters')
    if (folders.filesFolder === '') throw notLoaded(table, 'the request does not say where its files lie')
    for (const { familyName, storeFile } of stores) {
      const family = Buffer.from(familyName)
      for (const name of storeFile) {
        const region = Buffer.from(encodedRegionName).toString()
        const path = [namespaceOf(table), qualifierOf(table), region, family.toString(), name].map(
          step(table),
        )
        await loadFile(table, { family, path: path.join('/'), clusterIds }, { folders, loads, catalog }, call)
        count++
      }
    }
  }
  return count
}

interface LoadParts {
  readonly folders: Folders
  readonly loads: BulkLoads
  readonly catalog: Pick<Store['catalog'], 'regions'>
}

/** Loads one file from where it was loaded, or from the archive. */
async function loadFile(
  table: TableName,
  file: BulkLoadFile,
  { folders: { filesFolder, archiveFolder }, loads, catalog }: LoadParts,
  call: Call,
): Promise<void> {
  const regions = await catalog.regions(table, call)
  const places = [filesFolder, archiveFolder].filter((folder) => folder !== '')
  const failures: string[] = []
  for (const folder of places) {
    const placed = { ...file, path: `${folder}/${file.path}` }
    try {
      for (const { encodedName } of regions)
        if (await loads.bulkLoad({ table, encodedName }, [placed], call)) return
    } catch (error) {
      if (!(error instanceof HBaseError) || error.code !== 'IO') throw error
      failures.push(error.message)
      continue
    }
    throw notLoaded(table, `${placed.path} has rows of several regions`)
  }
  throw notLoaded(table, failures.join('; '))
}

/** Returns the name of a folder or file, and refuses one that leads elsewhere. */
function step(table: TableName): (name: string) => string {
  return (name) => {
    if (name !== '' && name !== '.' && name !== '..' && !/[/\\\0]/.test(name)) return name
    throw notLoaded(table, `${JSON.stringify(name)} is no name of a file`)
  }
}

function notLoaded(table: TableName, reason: string): HBaseError {
  return new HBaseError('REFUSED', `a bulk load of ${table} cannot be replicated: ${reason}`)
}
