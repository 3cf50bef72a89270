import {
  type FamilyDescriptor,
  type KeepDeletedCells,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  timeToLiveSecondsOf,
} from '../../../src/model/descriptor.ts'
import { TTL_FOREVER } from '../../../src/model/time-to-live.ts'

/** The rules in a family's attributes for the life of its cells, parsed once so that a read parses nothing. */
export interface FamilyRules {
  readonly name: Buffer
  readonly maxVersions: number
  readonly minVersions: number
  /** Infinity: for ever. */
  readonly timeToLiveMs: number
  readonly keepDeletedCells: KeepDeletedCells
  /** Tombstones hide only cells written before them, and each put counts as a version when it is written. */
  readonly newVersionBehavior: boolean
  /** IN_MEMORY_COMPACTION in capitals; undefined: not stated. */
  readonly inMemoryCompaction: string | undefined
  /** Tombstones hide cells of their own labels alone. HBase: with a VisibilityController, in all but system tables. */
  readonly isLabelled?: boolean
}

/** Throws ILLEGAL_ARGUMENT for an attribute that cannot be read. */
export function familyRules(family: FamilyDescriptor, isLabelled = false): FamilyRules {
  const seconds = timeToLiveSecondsOf(family)
  return {
    name: family.name,
    maxVersions: maxVersionsOf(family),
    minVersions: minVersionsOf(family),
    timeToLiveMs: seconds === TTL_FOREVER || seconds < 0 ? Number.POSITIVE_INFINITY : seconds * 1000,
    keepDeletedCells: keepDeletedCellsOf(family),
    newVersionBehavior: family.attributes.get('NEW_VERSION_BEHAVIOR')?.toLowerCase() === 'true',
    inMemoryCompaction: family.attributes.get('IN_MEMORY_COMPACTION')?.toUpperCase(),
    isLabelled,
  }
}
