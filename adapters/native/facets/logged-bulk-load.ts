/** A bulk load that readers of the log are to see: the cells of the copied files go through the log and the memstores. */

import { InvariantError } from '../../../src/model/assert.ts'
import { compareBytes } from '../../../src/model/bytes.ts'
import { hasReplicationScope } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { encodeClusterIds } from '../cells/cluster-ids.ts'
import type { Engine } from '../engine/engine.ts'
import type { HFile } from '../hfile/hfile.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { FamilyStore } from '../region/family-store.ts'
import type { Region } from '../region/region.ts'
import type { SharedRun } from '../region/shared-run.ts'
import { LoadedCells } from '../write/loaded-cells.ts'
import { LoggedLoad } from '../write/logged-load.ts'

/** A block is a record of the log, which reads see as a whole, as a slice of a batch is. */
const BLOCK_BYTES = 1024 * 1024
/** A row is in one block, unless it is larger than that. */
const ROW_BYTES_MAX = 16 * 1024 * 1024

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The part of a file to load that decides how it is loaded. */
export interface LoadedSource {
  readonly store: FamilyStore
  /** See BulkLoadFile. */
  readonly clusterIds: readonly string[]
  readonly isReplicated: boolean
}

/** Throws DO_NOT_RETRY: a damaged file may end with another row than its info says. */
export function checkRows(region: Region, copied: HFile): void {
  if (!isWithin(region, copied))
    throw new HBaseError('DO_NOT_RETRY', `a file has rows that are not of region ${region.encodedName}`)
}

export function isWithin({ startKey, endKey }: Region, { firstRow, lastRow }: HFile): boolean {
  // Without cells.
  if (firstRow.length === 0) return true
  return compareBytes(firstRow, startKey) >= 0 && (endKey.length === 0 || compareBytes(lastRow, endKey) < 0)
}

/** Whether readers of the log are to see the cells. */
export function areForReaders({ keeping }: Engine, sources: readonly LoadedSource[]): boolean {
  return (
    keeping.isHeld &&
    sources.some(({ store, isReplicated }) => isReplicated && hasReplicationScope(store.descriptor))
  )
}

/** `files`: the copies, the later ones the newer ones. Where it throws, some of their cells may be written. */
export async function writeThroughLog(
  engine: Engine,
  region: Region,
  sources: readonly LoadedSource[],
  files: readonly FileRecord[],
): Promise<void> {
  const { storeFiles } = engine
  const opened: SharedRun<HFile>[] = []
  try {
    for (const file of files) opened.push(storeFiles.open(region, file))
    const runs = opened.map(({ run }) => run)
    for (const run of runs) checkRows(region, run)
    await writeRuns(engine, region, sources, files, runs)
  } catch (error) {
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    const message = `not all cells of the files were loaded into ${region.table.name}: ${String(error)}`
    throw new HBaseError('IO', message, { cause: error })
  } finally {
    for (const file of opened) file.release()
  }
}

async function writeRuns(
  engine: Engine,
  { table: { name: table } }: Region,
  sources: readonly LoadedSource[],
  files: readonly FileRecord[],
  runs: readonly HFile[],
): Promise<void> {
  const { calls, catalogLog, flusher, limits, mvcc, tables, turns, wal } = engine
  const names = files.map(({ family }) => family)
  const families = names.filter((name, index) => names.findIndex((other) => other.equals(name)) === index)
  const runsOf = (family: Buffer): HFile[] =>
    runs.filter((_, index) => names[index]!.equals(family)).toReversed()
  const rowBytesMax = Math.min(ROW_BYTES_MAX, limits.changeBytesMax)
  const cells = new LoadedCells(families.map(runsOf), {
    bytes: Math.min(BLOCK_BYTES, rowBytesMax),
    rowBytesMax,
  })
  const load = new LoggedLoad({
    wal,
    mvcc,
    limits,
    turns,
    retirements: catalogLog,
    flush: (region) => flusher.flush(region),
    served: () => {
      calls.checkIsOpen()
      return tables.served(table)
    },
    families,
    clusters: clustersOf(sources),
  })
  try {
    await load.write(cells)
  } finally {
    cells.close()
  }
}

/** The ids for the log's records, which are UUIDs; undefined: there are none. All files of a load come from the same clusters. */
function clustersOf([first]: readonly LoadedSource[]): Buffer | undefined {
  const ids = first?.clusterIds.filter((id) => UUID.test(id)) ?? []
  return ids.length === 0 ? undefined : encodeClusterIds(ids)
}
