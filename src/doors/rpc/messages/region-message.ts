/** Writes regions and their loads as protobuf. HBase: ProtobufUtil.toRegionInfo, HRegionServer.createRegionLoad. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Replica } from '../../../gateway/catalog/replicas.ts'
import { META_REGION, META_TABLE } from '../../../model/meta-table.ts'
import type { RegionFigures } from '../../../store/region-figures.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import {
  RegionLoad_CompactionState,
  type RegionLoad as RegionLoadRead,
  type RegionLoadSchema,
} from '../../../wire/rpc/gen/cluster-status_pb.ts'
import {
  type RegionInfoSchema,
  RegionSpecifier_RegionSpecifierType,
  type RegionSpecifier as RegionSpecifierMessage,
} from '../../../wire/rpc/gen/hbase_pb.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'

const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType

export function regionMessage({
  table,
  regionId,
  startKey,
  endKey,
  replica,
}: Pick<Replica, 'table' | 'regionId' | 'startKey' | 'endKey' | 'replica'>): MessageInitShape<
  typeof RegionInfoSchema
> {
  return {
    regionId: BigInt(table === META_TABLE ? META_REGION.regionId : regionId),
    tableName: tableNameMessage(table),
    startKey,
    endKey,
    offline: false,
    split: false,
    replicaId: replica,
  }
}

export function specifierOf({ type, value }: RegionSpecifierMessage): RegionSpecifier {
  return { isEncoded: type === ENCODED_REGION_NAME, name: Buffer.from(value) }
}

/** Casts a signed number to 64 unsigned bits, as Java does. */
function unsigned(value: number): bigint {
  return BigInt.asUintN(64, BigInt(value))
}

export function loadMessage(load: RegionLoad): MessageInitShape<typeof RegionLoadSchema> {
  return {
    regionSpecifier: { type: REGION_NAME, value: load.name },
    stores: load.stores,
    storefiles: load.storeFiles,
    storefileSizeMB: load.storeFileSizeMB,
    memStoreSizeMB: load.memStoreSizeMB,
    storefileIndexSizeKB: BigInt(load.storeFileIndexSizeKB),
    rootIndexSizeKB: load.rootIndexSizeKB,
    totalStaticIndexSizeKB: load.staticIndexSizeKB,
    totalStaticBloomSizeKB: load.staticBloomSizeKB,
    readRequestsCount: BigInt(load.readRequests),
    writeRequestsCount: BigInt(load.writeRequests),
    totalCompactingKVs: BigInt(load.compactingCells),
    currentCompactedKVs: BigInt(load.compactedCells),
    completeSequenceId: unsigned(load.completedSequenceId),
    storeCompleteSequenceId: load.storeSequenceIds.map(({ family, sequenceId }) => ({
      familyName: family,
      sequenceId: unsigned(sequenceId),
    })),
    lastMajorCompactionTs: BigInt(load.lastMajorCompaction),
    ...(load.figures && figuresMessage(load.figures)),
  }
}

function figuresMessage(
  figures: RegionFigures,
): Exclude<MessageInitShape<typeof RegionLoadSchema>, RegionLoadRead> {
  return {
    storeUncompressedSizeMB: figures.uncompressedSizeMB,
    regionSizeMB: figures.regionSizeMB,
    filteredReadRequestsCount: figures.filteredReadRequests,
    dataLocality: figures.dataLocality,
    dataLocalityForSsd: figures.dataLocalityForSsd,
    blocksTotalWeight: figures.blocksTotalWeight,
    blocksLocalWeight: figures.blocksLocalWeight,
    blocksLocalWithSsdWeight: figures.blocksLocalWithSsdWeight,
    storeRefCount: figures.storeReferences,
    maxCompactedStoreFileRefCount: figures.compactedFileReferences,
    compactionState: RegionLoad_CompactionState[figures.compactionState],
    currentRegionCachedRatio: figures.cachedRatio,
  }
}
