/** Reads of a store in another thread than the one that writes it. See docs/engine.md, "Threads". */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Metric } from '../../../src/model/metric.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { HandoutId, Handouts, ScanLimits } from '../../../src/store/handouts.ts'
import type { ReadRows } from '../../../src/store/rows.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import { EngineCalls } from '../engine/engine-calls.ts'
import { NativeHandouts } from '../facets/native-handouts.ts'
import { NativeReads } from '../facets/native-reads.ts'
import { blockCacheOf } from '../hfile/block-cache.ts'
import { cacheMetrics, openFileMetrics } from '../hfile/file-metrics.ts'
import { OpenFiles } from '../hfile/open-files.ts'
import type { NativeOptions } from '../options/native-options.ts'
import { type Clock, type FileSystem, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import type { ThreadWords } from '../platform/thread-words.ts'
import type { WakeUps } from '../platform/wake-ups.ts'
import { RowReader } from '../read/row-reader.ts'
import { WaitingScans } from '../region/waiting-scans.ts'
import type { MessageToWriter, ToReader } from '../threads/reader-messages.ts'
import { ReaderInbox } from './reader-inbox.ts'
import { ReaderRuns } from './reader-runs.ts'
import { ReaderTables } from './reader-tables.ts'
import { ReaderTurn } from './reader-turn.ts'

/** The writer hears so often how many reads the regions had. */
const REPORT_READS_MS = 1000

/** A reader's end of a message channel. */
export interface WriterPort {
  post(message: MessageToWriter): void
  /** The next list of messages that has arrived; undefined: none has. */
  receive(): readonly ToReader[] | undefined
  /** `arrived`: called with lists that `receive` has not returned. */
  onMessages(arrived: (list: readonly ToReader[]) => void): void
}

export interface ReaderConfig {
  /** Over the memory of the writer's. */
  readonly words: ThreadWords
  /** The number of this reader, from 0 on. */
  readonly reader: number
  readonly port: WriterPort
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly random: RandomSource
  readonly options: Pick<
    NativeOptions,
    'blockCacheBytes' | 'poisonReleased' | 'memory' | 'scanSliceCells' | 'awakeBytesMax' | 'openFilesMax'
  >
  /** As NativeStoreConfig.turns. */
  readonly turns?: LoopTurns
  /** Undefined: the writer does not hear how often regions are read. */
  readonly wakeUps?: WakeUps
  /** Undefined where no spans are recorded. */
  readonly spans?: SpanRecorder | undefined
}

/** The facets of reads. */
export interface StoreReader {
  readonly rows: ReadRows
  readonly handouts: Handouts
  /** As LocalReads.mayRead. */
  readonly mayRead: (table: TableName) => boolean
  /** As Catalog.table, of tables that the engine has. */
  table(name: TableName): Promise<TableDescriptor>
  /** Of the same names as the engine's, of this thread alone. */
  readonly metrics: readonly Metric[]
  close(): void
}

/** Cells stay in shared memory only as long as the turn of the reader: those of an answer are copied. */
class ReaderHandouts extends NativeHandouts {
  override next(id: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch> {
    return super.next(id, { ...limits, allowScattered: false }, call)
  }
}

interface Applied {
  readonly tables: ReaderTables
  readonly runs: ReaderRuns
  readonly turn: ReaderTurn
}

function apply(message: ToReader, { tables, runs, turn }: Applied): void {
  switch (message.kind) {
    case 'table':
      tables.showTable(message.view)
      break
    case 'noTable':
      tables.removeTable(message.name)
      break
    case 'region':
      tables.showRegion(message.view)
      break
    case 'noRegion':
      tables.removeRegion(message.number)
      break
    case 'growth':
      runs.grow(message.run, message.growth)
      break
    case 'kept':
      turn.kept(message.message)
      break
    case 'replace':
      runs.replace(message.run, message.by)
  }
}

export function openReader(config: ReaderConfig): StoreReader {
  const { port, fileSystem, clock, random, options, reader, words } = config
  const turn = new ReaderTurn({ words, reader, post: (message) => port.post(message) })
  const { requests } = turn
  const blockCache = blockCacheOf(options)
  const openFiles = new OpenFiles(fileSystem, options.openFilesMax)
  const runs = new ReaderRuns({ blockCache, openFiles, requests, words })
  const inbox = new ReaderInbox({
    words,
    receive: () => port.receive(),
    apply: (message) => apply(message, { tables, runs, turn }),
    grow: ({ run, growth }) => runs.grow(run, growth),
  })
  const rowReader = new RowReader(random)
  const tools = { runs, inbox, requests, rowReader, closings: { changes: 0 }, waiting: new WaitingScans() }
  const tables = new ReaderTables(tools, () => {
    turn.begin()
    inbox.takeAll()
  })
  const calls = new EngineCalls(clock, () => undefined)
  const handouts = new ReaderHandouts(calls, options)
  tables.onGone = () => handouts.letGoOfGone()
  const engine = {
    calls,
    tables,
    clock,
    mvcc: turn,
    turns: config.turns ?? new LoopTurns(() => monotonicMs(clock)),
    random,
    options,
    blockCache,
    spans: config.spans,
  }
  port.onMessages((list) => inbox.arrived(list))
  const stopReports = config.wakeUps?.(() => {
    const counts = tables.takeReads()
    if (counts.length > 0) requests.reads(counts)
  }, REPORT_READS_MS)
  return {
    rows: new NativeReads(engine, handouts),
    handouts,
    mayRead: (table) => tables.knows(table),
    table: async (name) => tables.descriptor(name),
    metrics: [...cacheMetrics(blockCache), ...openFileMetrics(openFiles)],
    close: () => {
      void calls.close()
      stopReports?.()
      handouts.closeAll()
    },
  }
}
