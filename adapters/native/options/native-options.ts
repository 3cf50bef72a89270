/** Limits on the engine's memory and disk, and the sizes at which it writes. Every value has a default. */

import { CELL_BYTES_MAX } from '../../../src/model/cell-size-limit.ts'
import { type RequestMemory, UNLIMITED_MEMORY } from '../../../src/store/request-memory.ts'
import { type CompactionOptions, DEFAULT_COMPACTION_OPTIONS } from './compaction-options.ts'
import { DEFAULT_BLOCK_CACHE_BYTES, REMOVED_NAMED_MAX, WIDE_COST } from './default-limits.ts'
import { DEFAULT_SPLIT_OPTIONS, type SplitOptions } from './split-options.ts'
import { DEFAULT_STOP_OPTIONS, type StopOptions } from './stop-options.ts'
import { DEFAULT_UPKEEP_OPTIONS, type UpkeepOptions } from './upkeep-options.ts'
import { DEFAULT_WAL_OPTIONS, type WalOptions } from './wal-options.ts'

export interface NativeOptions {
  /** A region's memstore is flushed at this size. HBase: hbase.hregion.memstore.flush.size; a table may state its own. */
  readonly flushBytes: number
  /** A region refuses writes above so many times flushBytes. HBase: hbase.hregion.memstore.block.multiplier. */
  readonly blockMultiplier: number
  /** Above this, writes to any region wait for a flush. HBase: hbase.regionserver.global.memstore.size. */
  readonly memstoreBytesMax: number
  /** Open scanners keep so much memory of flushed memstores; beyond it they go on in the files. */
  readonly heldSnapshotBytesMax: number
  /** Bytes of blocks that open scanners keep between their batches. */
  readonly awakeBytesMax: number
  /** Logs above this make the regions that keep the oldest of them flush. HBase's hbase.regionserver.maxlogs is a number of files. */
  readonly walBytesMax: number
  readonly wal: WalOptions
  /** Bytes of closed logs that stay for readers of changes without a hold; 0, the default: none. */
  readonly changesKeepBytes: number
  /** When store files are compacted, and which. */
  readonly compaction: CompactionOptions
  /** When regions are split by themselves. */
  readonly split: SplitOptions
  /** Work by the clock. */
  readonly upkeep: UpkeepOptions
  /** Which regions a stop flushes; the log keeps the others' cells. */
  readonly stop: StopOptions
  /** Puts later than this after now are refused; Infinity: none. HBase: hbase.hregion.keyvalue.timestamp.slop.millisecs; a table may state its own. */
  readonly timestampSlopMs: number
  /** Tombstones hide cells of their own visibility labels alone. HBase: a VisibilityController among hbase.coprocessor.region.classes. */
  readonly visibilityLabels: boolean
  readonly blockCacheBytes: number
  /** Store files that have a descriptor at a time; the others are opened again by the reads that need them. */
  readonly openFilesMax: number
  /** See DiscardedFiles. */
  readonly removedNamedMax: number
  /** Bytes of a file that the engine gives up for the manifest if the disk is full when a table or snapshot is dropped; 0, the default: no file. */
  readonly manifestReserveBytes: number
  /** The largest cell that an append or increment may make. HBase: hbase.server.keyvalue.maxsize. */
  readonly cellBytesMax: number
  /** Cells that a scan reads, returned or not, before other requests have their turn. */
  readonly scanSliceCells: number
  /** A change of more cells is made in several turns of the event loop. A cell whose column is read first counts as sixteen. */
  readonly wideCost: number
  /** That of all requests, for increments and appends, and for what blocks have used. */
  readonly memory: RequestMemory
  /** True in tests: the engine overwrites released memory, so that a late reader shows. */
  readonly poisonReleased: boolean
}

const MIB = 1024 * 1024

export const DEFAULT_NATIVE_OPTIONS: NativeOptions = {
  flushBytes: 128 * MIB,
  blockMultiplier: 4,
  memstoreBytesMax: 512 * MIB,
  heldSnapshotBytesMax: 256 * MIB,
  awakeBytesMax: 64 * MIB,
  walBytesMax: 1024 * MIB,
  wal: DEFAULT_WAL_OPTIONS,
  changesKeepBytes: 0,
  compaction: DEFAULT_COMPACTION_OPTIONS,
  split: DEFAULT_SPLIT_OPTIONS,
  upkeep: DEFAULT_UPKEEP_OPTIONS,
  stop: DEFAULT_STOP_OPTIONS,
  timestampSlopMs: Number.POSITIVE_INFINITY,
  visibilityLabels: false,
  blockCacheBytes: DEFAULT_BLOCK_CACHE_BYTES,
  openFilesMax: 512,
  removedNamedMax: REMOVED_NAMED_MAX,
  manifestReserveBytes: 0,
  cellBytesMax: CELL_BYTES_MAX,
  scanSliceCells: 20_000,
  wideCost: WIDE_COST,
  memory: UNLIMITED_MEMORY,
  poisonReleased: false,
}
