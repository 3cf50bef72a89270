/** What a snapshot is told to be, and what of it is kept. */

import { parseTableName } from '../../../src/model/table-name.ts'
import type { SnapshotDescription } from '../../../src/store/upkeep.ts'
import type { AttributeList, SnapshotRecord } from '../catalog/manifest-edit.ts'

/** Milliseconds of 64 bits, in seconds. */
const TIME_TO_LIVE_MAX = 9_223_372_036_854_775n

/** HBase: SnapshotProcedure, which states it in the description of the table that the snapshot keeps. */
export function withMaxFileBytes(attributes: AttributeList, bytes: bigint): AttributeList {
  if (bytes <= 0n || attributes.some(([name]) => name === 'MAX_FILESIZE')) return attributes
  return [...attributes, ['MAX_FILESIZE', bytes.toString()]]
}

/** What is told of the snapshot is what was given, within HBase's bounds: SnapshotDescriptionUtils.validate. */
export function givenTo(
  timeToLive: bigint,
  maxFileBytes: bigint,
): Pick<SnapshotRecord, 'timeToLiveSeconds' | 'given'> {
  const seconds = timeToLive > TIME_TO_LIVE_MAX ? 0n : timeToLive
  return {
    timeToLiveSeconds: seconds < 0n ? 0 : Math.min(Number(seconds), Number.MAX_SAFE_INTEGER),
    given: { timeToLiveSeconds: seconds.toString(), maxFileBytes: maxFileBytes.toString() },
  }
}

export function describeSnapshot(snapshot: SnapshotRecord): SnapshotDescription {
  const { name, table, type, createdAt, timeToLiveSeconds, given } = snapshot
  return {
    name,
    table: parseTableName(table.name),
    type,
    createdAt,
    timeToLiveSeconds: BigInt(given?.timeToLiveSeconds ?? timeToLiveSeconds),
    maxFileBytes: BigInt(given?.maxFileBytes ?? 0),
    owner: snapshot.owner ?? '',
    regions: table.regions.length,
  }
}
