import type { RegionLoad } from '../../src/store/upkeep.ts'

/** The load of a region as a cluster tells it: each figure is another number. */
export function loadOfRegion(name: Buffer): RegionLoad {
  return {
    name,
    stores: 1,
    storeFiles: 2,
    storeFileSizeMB: 3,
    memStoreSizeMB: 4,
    storeFileIndexSizeKB: 5,
    rootIndexSizeKB: 6,
    staticIndexSizeKB: 7,
    staticBloomSizeKB: 8,
    readRequests: 9,
    writeRequests: 10,
    compactingCells: 11,
    compactedCells: 12,
    completedSequenceId: 13,
    storeSequenceIds: [],
    lastMajorCompaction: 17,
    figures: {
      uncompressedSizeMB: 14,
      regionSizeMB: 15,
      filteredReadRequests: 16n,
      dataLocality: 0.5,
      storeReferences: 18,
      dataLocalityForSsd: 0.25,
      blocksTotalWeight: 19n,
      blocksLocalWeight: 20n,
      blocksLocalWithSsdWeight: 21n,
      compactedFileReferences: 22,
      compactionState: 'MAJOR_AND_MINOR',
      cachedRatio: 0.75,
    },
  }
}
