import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { isStepEnd, type Steps } from '../../../src/model/steps.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RequestFigures } from '../../../src/store/region-figures.ts'
import { NO_SEQUENCE_ID, type RegionLoad, type RegionLoads } from '../../../src/store/upkeep.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { RegionCompactions } from '../compact/region-compactions.ts'
import type { Engine } from '../engine/engine.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { HFile } from '../hfile/hfile.ts'
import type { Region } from '../region/region.ts'
import type { RequestRate } from '../upkeep/request-rate.ts'

const KIB = 1024
const MIB = 1024 * KIB

const NO_COMPACTIONS: RegionCompactions = { state: 'NONE', compactingCells: 0, compactedCells: 0 }

export class NativeLoads implements RegionLoads {
  readonly #engine: Engine
  readonly #compactor: Compactor
  readonly #requests: RequestRate

  constructor(engine: Engine, compactor: Compactor, requests: RequestRate) {
    this.#engine = engine
    this.#compactor = compactor
    this.#requests = requests
  }

  async regionLoads(call: Call): Promise<RegionLoad[]> {
    this.#engine.calls.check(call)
    return manyATurn(this.#loadsInSteps())
  }

  async requestFigures(call: Call): Promise<RequestFigures> {
    this.#engine.calls.check(call)
    return this.#requests.figures
  }

  *#loadsInSteps(): Steps<RegionLoad[]> {
    const { tables } = this.#engine
    const compactions = this.#compactor.byRegion()
    const loads: RegionLoad[] = []
    let seen = 0
    for (const region of tables.regions.values()) {
      if (isStepEnd(seen++)) yield
      const isServed =
        region.isOpen && !region.closed.isClosed && tables.find(region.table.name)?.isEnabled === true
      if (isServed) loads.push(loadOf(region, compactions.get(region) ?? NO_COMPACTIONS))
    }
    return loads
  }
}

function loadOf(
  { name, stores, memstoreDataBytes, requests, lastFlush = NO_SEQUENCE_ID }: Region,
  { state, compactingCells, compactedCells }: RegionCompactions,
): RegionLoad {
  const runs = stores.flatMap(({ files }) => files.map(({ run }) => run))
  const files = runs.filter((run) => run instanceof HFile)
  const fileBytes = sum(runs.map((run) => run.fileBytes))
  const rootIndexSizeKB = units(sum(files.map(({ rootIndexBytes }) => rootIndexBytes)), KIB)
  return {
    name,
    stores: stores.length,
    storeFiles: runs.length,
    storeFileSizeMB: units(fileBytes, MIB),
    memStoreSizeMB: units(memstoreDataBytes, MIB),
    storeFileIndexSizeKB: rootIndexSizeKB,
    rootIndexSizeKB,
    staticIndexSizeKB: units(sum(files.map(({ trailer }) => trailer.dataIndexBytes)), KIB),
    staticBloomSizeKB: units(sum(files.map(({ bloomBytes }) => bloomBytes)), KIB),
    readRequests: requests.reads,
    writeRequests: requests.writes,
    compactingCells,
    compactedCells,
    // A flush writes all families.
    completedSequenceId: lastFlush,
    storeSequenceIds: stores.map(({ descriptor, oldestUnflushed }) => ({
      family: descriptor.name,
      sequenceId: Number.isFinite(oldestUnflushed) ? oldestUnflushed - 1 : lastFlush,
    })),
    lastMajorCompaction: lastMajorCompaction(files),
    figures: {
      uncompressedSizeMB: units(sum(files.map(({ uncompressedBytes }) => uncompressedBytes)), MIB),
      regionSizeMB: units(fileBytes, MIB),
      filteredReadRequests: BigInt(requests.filteredReads),
      // All store files are on this machine.
      dataLocality: runs.length > 0 ? 1 : 0,
      dataLocalityForSsd: 0,
      blocksTotalWeight: BigInt(fileBytes),
      blocksLocalWeight: BigInt(fileBytes),
      blocksLocalWithSsdWeight: 0n,
      storeReferences: sum(stores.map(({ readersOfFiles }) => readersOfFiles)),
      compactedFileReferences: 0,
      compactionState: state,
      cachedRatio: 0,
    },
  }
}

/** HBase: HRegion.getOldestHfileTs, of which a flush by itself changes nothing. */
function lastMajorCompaction(files: readonly HFile[]): number {
  const made = files.flatMap(({ majorCompaction, info }) =>
    majorCompaction ? [info.getLong(InfoKey.CreateTime) ?? 0] : [],
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
