/**
 * The manifest's edits. Each replaces everything recorded of its subject; Catalog applies them. Names and kinds are
 * PERSISTED: never rename.
 */

import { Packr } from 'msgpackr'
import { isStepEnd, type Steps } from '../../../src/model/steps.ts'
import { isEdit } from './edit-shape.ts'

export type AttributeList = readonly (readonly [string, string])[]

/** A store file: its number names it, in the directory of its region and family. */
export interface FileRecord {
  readonly number: number
  readonly family: Buffer
  readonly maxSequenceId: number
  /** Encoded name of the region that the file was written for; missing where that is the file's own region. */
  readonly owner?: string
  /** The file's info has it, too, and that of no other file: see newFileId. Missing in stores of before this was kept. */
  readonly id?: string
  /** Only the rows from here on count; missing: from the first. */
  readonly from?: Buffer
  /** Only the rows before this one count; missing: to the last. */
  readonly to?: Buffer
}

export interface RegionRecord {
  /** Never used again, so that the log records of a dropped region never reach another. */
  readonly number: number
  readonly regionId: number
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** Cells up to this sequence id are in store files, or were dropped with their family. */
  readonly flushedSequenceId: number
  readonly files: readonly FileRecord[]
  /** Closed by itself, though its table is enabled. */
  readonly isClosed?: boolean
  /** The numbers of its copies for reads that are closed by themselves, in order; missing: none is. */
  readonly closedCopies?: readonly number[]
}

export interface FamilyRecord {
  readonly name: Buffer
  readonly attributes: AttributeList
  /** Missing where there is none. */
  readonly configuration?: AttributeList
  /** Cells up to this sequence id belong to an earlier family of the same name, which was removed. */
  readonly sinceSequenceId: number
}

export interface TableRecord {
  readonly name: string
  readonly attributes: AttributeList
  readonly state: 'ENABLED' | 'DISABLED'
  readonly families: readonly FamilyRecord[]
  readonly regions: readonly RegionRecord[]
  /** Missing in edits of older versions, which pass over it, and in those that make the table: Catalog fills it in. */
  readonly origin?: TableOrigin
}

/** The last event that changed what is in the table without a record of the log. */
export interface TableOrigin {
  /** The number of a region or a file that came with it: another one for each event. */
  readonly mark: number
  /** Records of the log up to this sequence id are of before it. */
  readonly since: number
  /** True: cells came in. Missing: the table was made or emptied. */
  readonly isUnlogged?: boolean
}

/** A table that the gateway shows, as clients have altered it: it has no regions of its own. */
export type ShownTableRecord = Pick<TableRecord, 'name' | 'attributes' | 'families'>

/** A snapshot: the table as it was, with files of its own, which are links. */
export interface SnapshotRecord {
  readonly name: string
  /** Names its directory; never used again. */
  readonly number: number
  readonly table: TableRecord
  readonly type: 'FLUSH' | 'SKIPFLUSH'
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Seconds; 0: the snapshot is kept until a client deletes it. */
  readonly timeToLiveSeconds: number
  /** Time to live and greatest file size as the creator stated them, as decimal numbers of 64 bits; undefined in older stores. */
  readonly given?: { readonly timeToLiveSeconds: string; readonly maxFileBytes: string }
  /** Absent: the snapshot has no owner. */
  readonly owner?: string
  /** The actions that users may do with the table, where the server that took it has permissions. */
  readonly permissions?: readonly SnapshotPermission[]
}

export interface SnapshotPermission {
  readonly user: string
  /** Missing: of the whole table. */
  readonly family?: Buffer
  /** Missing: of the whole family. */
  readonly qualifier?: Buffer
  /** Names, such as READ. */
  readonly actions: readonly string[]
}

/** A file of the log. */
export interface LogRecord {
  readonly number: number
  /** Its length; undefined while it is written. */
  readonly bytes?: number
}

/** A log that is kept for readers of changes only: a start does not read it. */
export interface KeptLogRecord {
  readonly number: number
  readonly bytes: number
  /** Sequence ids of its first and its last record. */
  readonly first: number
  readonly last: number
  /** When the first was made, about: milliseconds since 1970; missing: unknown. */
  readonly at?: number
}

/** See LogHold. */
export interface LogHoldRecord {
  readonly name: string
  readonly position: number
  readonly keepBytesMax: number
  /** The reason why the log is not kept for it any more; missing: it is. */
  readonly loss?: string
  /** Missing where there are none, and in records of older versions. */
  readonly unlogged?: readonly string[]
}

export interface LogKeepingRecord {
  /** All records behind this sequence id are in the logs. */
  readonly from: number
  readonly kept: readonly KeptLogRecord[]
  readonly holds: readonly LogHoldRecord[]
}

/** A region that an edit has taken away. */
export interface RetiredRegion {
  readonly number: number
  /** Missing where the manifest does not know it. */
  readonly table?: string
  /** The log's records of the region up to this sequence id are not needed: store files have their cells, or these were dropped. */
  readonly lastSequenceId: number
  /** As RegionRecord's; missing in edits of older versions. */
  readonly regionId?: number
  readonly startKey?: Buffer
}

/** The part of an edit that takes regions away: see RetiredRegion. Missing in edits of older versions. */
interface Retiring {
  readonly lastSequenceId?: number
}

/** The table of files with cells that no record of the log has; missing where there are none, and in edits of older versions. */
interface Unlogged {
  readonly unloggedIn?: string
}

/** A flush: it adds these files to the region's. */
export interface FlushedRegion {
  readonly region: number
  readonly flushedSequenceId: number
  readonly files: readonly FileRecord[]
}

export type ManifestEdit =
  /** The first edit of a file: which rewrite of the manifest it is. */
  | { readonly kind: 'generation'; readonly number: number }
  /** Numbers and sequence ids below these have been used. */
  | { readonly kind: 'counters'; readonly nextNumber: number; readonly nextSequenceId: number }
  /** The store's UUID: recorded once, by the first start that finds none. */
  | { readonly kind: 'cluster'; readonly id: string }
  /**
   * The files that the log has, at least: each is there before it is recorded, and removed afterwards. `keeping`: what else is kept of it; missing where
   * that is nothing, and in edits of older versions, which pass over it.
   */
  | {
      readonly kind: 'logs'
      readonly logs: readonly LogRecord[]
      readonly keeping?: LogKeepingRecord
    }
  /** In a rewritten manifest: files that the edits before it had taken away. */
  | { readonly kind: 'discarded'; readonly files: readonly number[] }
  | { readonly kind: 'namespace'; readonly name: string; readonly properties: AttributeList }
  | { readonly kind: 'namespace-gone'; readonly name: string }
  | ({ readonly kind: 'table'; readonly table: TableRecord } & Retiring & Unlogged)
  | { readonly kind: 'shown-table'; readonly table: ShownTableRecord }
  | ({ readonly kind: 'table-gone'; readonly name: string } & Retiring)
  /**
   * In a rewritten manifest: regions that the edits before it had taken away, while the log has records of them; `since`: regions with
   * lower numbers may have gone without being named. By itself: the log's records of these regions are set aside.
   */
  | { readonly kind: 'retired'; readonly since?: number; readonly regions: readonly RetiredRegion[] }
  | ({ readonly kind: 'flush' } & FlushedRegion & Unlogged)
  /** Flushes of several regions side by side. */
  | { readonly kind: 'flushes'; readonly regions: readonly FlushedRegion[] }
  /** A compaction: it replaces these files of a family of the region, by their numbers, by others or none. */
  | {
      readonly kind: 'compaction'
      readonly region: number
      readonly replaced: readonly number[]
      readonly files: readonly FileRecord[]
    }

  /** A split or a merge: these regions of a table, side by side, give way to others of the same rows. */
  | ({
      readonly kind: 'regions'
      readonly table: string
      readonly replaced: readonly number[]
      readonly regions: readonly RegionRecord[]
    } & Retiring)
  | { readonly kind: 'snapshot'; readonly snapshot: SnapshotRecord }
  | { readonly kind: 'snapshot-gone'; readonly name: string }
  /** One of the store's switches; those that no edit names are on. */
  | { readonly kind: 'switch'; readonly name: string; readonly isOn: boolean }

const PACKR = new Packr({ useRecords: false })

/** Values that are packed at once, with those in them. */
const PACKED_AT_ONCE = 64
const MAP_KEYS_MAX = 15
/** MessagePack: a map of up to 15 keys, and a list whose length is a uint32. */
const FIXMAP = 0x80
const LIST32 = 0xdd

/** In steps, as a table may have 100,000 regions, and a region as many files: its bytes one after the other. */
export function encodeEdit(edit: ManifestEdit): Steps<Buffer[]> {
  return packed(edit)
}

function* packed(value: unknown): Steps<Buffer[]> {
  if (!isPackedInParts(value)) return [PACKR.pack(value)]
  const parts: Buffer[] = []
  if (Array.isArray(value)) {
    parts.push(listHeader(value.length))
    for (const [index, element] of value.entries()) {
      for (const part of yield* packed(element)) parts.push(part)
      if (isStepEnd(index)) yield
    }
  } else {
    const entries = Object.entries(value)
    parts.push(Buffer.from([FIXMAP | entries.length]))
    for (const [key, field] of entries) {
      parts.push(PACKR.pack(key))
      for (const part of yield* packed(field)) parts.push(part)
    }
  }
  yield
  return parts
}

/** True for a list or a record with many values in it. */
function isPackedInParts(value: unknown): value is object {
  return (
    valuesLeft(value, PACKED_AT_ONCE) < 0 &&
    (Array.isArray(value) || Object.keys(value as object).length <= MAP_KEYS_MAX)
  )
}

function valuesLeft(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return most - 1
  let left = most
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    left = valuesLeft(inner, left)
    if (left < 0) break
  }
  return left
}

function listHeader(length: number): Buffer {
  const header = Buffer.alloc(5, LIST32)
  header.writeUInt32BE(length, 1)
  return header
}

/** Undefined for bytes that are no edit. */
export function decodeEdit(bytes: Buffer): ManifestEdit | undefined {
  try {
    const edit: unknown = PACKR.unpack(bytes)
    return isEdit(edit) ? edit : undefined
  } catch {
    return undefined
  }
}
