import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { isStepEnd, type Steps } from '../../../src/model/steps.ts'
import type { Call } from '../../../src/store/call.ts'
import { NO_SEQUENCE_ID, type RegionLoad, type RegionLoads } from '../../../src/store/upkeep.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { Engine } from '../engine/engine.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { HFile } from '../hfile/hfile.ts'
import type { Region } from '../region/region.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** The cells of a compaction are not counted. */
export class NativeLoads implements RegionLoads {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async regionLoads(call: Call): Promise<RegionLoad[]> {
    this.#engine.calls.check(call)
    return manyATurn(this.#loadsInSteps())
  }

  *#loadsInSteps(): Steps<RegionLoad[]> {
    const { tables } = this.#engine
    const loads: RegionLoad[] = []
    let seen = 0
    for (const region of tables.regions.values()) {
      if (isStepEnd(seen++)) yield
      const isServed =
        region.isOpen && !region.closed.isClosed && tables.find(region.table.name)?.isEnabled === true
      if (isServed) loads.push(loadOf(region))
    }
    return loads
  }
}

function loadOf({ name, stores, memstoreBytes, requests, lastFlush = NO_SEQUENCE_ID }: Region): RegionLoad {
  const runs = stores.flatMap(({ files }) => files.map(({ run }) => run))
  const indexBytes = sum(runs.map((run) => (run instanceof HFile ? run.trailer.dataIndexBytes : 0)))
  return {
    name,
    stores: stores.length,
    storeFiles: runs.length,
    storeFileSizeMB: units(sum(runs.map(({ fileBytes }) => fileBytes)), MIB),
    memStoreSizeMB: units(memstoreBytes, MIB),
    storeFileIndexSizeKB: 0,
    rootIndexSizeKB: 0,
    staticIndexSizeKB: units(indexBytes, KIB),
    staticBloomSizeKB: 0,
    readRequests: requests.reads,
    writeRequests: requests.writes,
    compactingCells: 0,
    compactedCells: 0,
    // A flush writes all families.
    completedSequenceId: lastFlush,
    storeSequenceIds: stores.map(({ descriptor, oldestUnflushed }) => ({
      family: descriptor.name,
      sequenceId: Number.isFinite(oldestUnflushed) ? oldestUnflushed - 1 : lastFlush,
    })),
    lastMajorCompaction: lastMajorCompaction(runs),
  }
}

/** HBase: HRegion.getOldestHfileTs, of which a flush by itself changes nothing. */
function lastMajorCompaction(runs: readonly CellRun[]): number {
  const made = runs.flatMap((run) =>
    run instanceof HFile && run.majorCompaction ? [run.info.getLong(InfoKey.CreateTime) ?? 0] : [],
  )
  return made.length === 0 ? 0 : Math.min(...made)
}

/** HBase: HRegionServer.roundSize. */
function units(bytes: number, unitBytes: number): number {
  return bytes === 0 ? 0 : Math.max(1, Math.floor(bytes / unitBytes))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
