/** A store in memory whose log is archived in a folder of the disk; the test moves the time. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordSequenceId,
} from '../../../adapters/native/wal/wal-format.ts'
import { decodePiece } from '../../../src/backup/archive/archive-piece.ts'
import { archivedLogs, type Stretch } from '../../../src/backup/archive/archived-logs.ts'
import { Archiver } from '../../../src/backup/archive/archiver.ts'
import { Destination } from '../../../src/backup/destination.ts'
import { CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import type { StreamEntry } from '../../../src/store/log-streams.ts'
import { StoreUnderTest, tableOf } from '../../adapters/native/store-under-test.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { remote } from '../backup-world.ts'

const EVERY_MS = 1000
/** The disk has so long for its work; a test that fails takes it. */
const WORK_MS_MAX = 20_000

interface Pause {
  readonly due: number
  readonly end: () => void
}

export class ArchiveWorld {
  readonly session: StoreUnderTest
  readonly folder: string
  readonly archiver: Archiver
  readonly logged: string[] = []
  /** The folder that later lives know. */
  known: string | undefined
  /** A backup copies nothing before it resolves. */
  held: Promise<void> = Promise.resolve()
  readonly #pauses = new Set<Pause>()

  private constructor(session: StoreUnderTest, folder: string, keepBytesMax: number, isKnown: boolean) {
    this.session = session
    this.folder = join(folder, 'dest')
    const { store } = session
    this.archiver = new Archiver({
      streams: store.upkeep.logStreams!,
      backups: remote(store.upkeep.backups!),
      clusterId: () => store.clusterId(),
      server: 'native:s',
      folder: this.folder,
      everyMs: EVERY_MS,
      isKnown,
      onKnown: async () => void (this.known = this.folder),
      keepBytesMax,
      limiter: () => () => this.held,
      now: () => session.time,
      random: Math.random,
      pause: (ms, signal) => this.#pause(ms, signal),
      log: (level, message) => this.logged.push(`${level}: ${message}`),
    })
  }

  static async open(folder: string, keepBytesMax: number, isKnown: boolean): Promise<ArchiveWorld> {
    const options = { wal: { logBytesMax: 2000, syncEveryBytes: 2000 } }
    const session = await StoreUnderTest.open(options, undefined, Math.random)
    await session.createTable(tableOf('f'))
    return new ArchiveWorld(session, folder, keepBytesMax, isKnown)
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end)
        this.#pauses.delete(pause)
        resolve()
      }
      const pause = { due: this.session.time + ms, end }
      this.#pauses.add(pause)
      signal.addEventListener('abort', end)
    })
  }

  /** Lets so many milliseconds pass, and the archiver do what is due. */
  async pass(ms: number): Promise<void> {
    this.session.time += ms
    for (const pause of this.#pauses) if (pause.due <= this.session.time) pause.end()
    await this.settled()
  }

  /** Resolves once the archiver waits for the time. */
  async settled(): Promise<void> {
    await this.until(() => this.#pauses.size > 0)
  }

  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = performance.now() + WORK_MS_MAX; performance.now() < end; ) {
      if (await isSo()) return
      await nextTurn()
    }
    throw new Error(`it did not come to that: ${this.logged.join('; ')}`)
  }

  /** Passes time until it is so. */
  async passUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = performance.now() + WORK_MS_MAX; performance.now() < end; ) {
      if (await isSo()) return
      await this.pass(EVERY_MS)
    }
    throw new Error(`it did not come to that: ${this.logged.join('; ')}`)
  }

  /** The sentences of the health page. */
  async troubles(): Promise<string> {
    await this.archiver.look()
    return this.archiver.state.troubles().join('; ')
  }

  stretches(): Promise<Stretch[]> {
    return archivedLogs(this.folder)
  }

  async backups(): Promise<number> {
    return (await (await Destination.open(this.folder)).backups()).sound.length
  }

  async entries(stretch: Stretch): Promise<StreamEntry[]> {
    const entries: StreamEntry[] = []
    for (const { path } of stretch.pieces) {
      const piece = decodePiece(await readFile(path))
      if (piece.fault !== undefined) throw new Error(`${path}: ${piece.fault}`)
      entries.push(...piece.entries)
    }
    return entries
  }

  /** The rows that the records of all stretches have. */
  async rows(): Promise<string[]> {
    const rows: string[] = []
    for (const stretch of await this.stretches()) {
      for (const entry of await this.entries(stretch)) {
        if (entry.kind !== 'records') continue
        const { bytes } = entry
        for (let at = 0; at < bytes.length; ) {
          const end = at + recordBytesAt(bytes, at)
          // Marks have none.
          if (recordSequenceId(bytes, at) > 0)
            for (const { row } of cellsOf(new CellBlock(bytes, at + RECORD_CELLS_OFFSET, end)))
              rows.push(row.toString())
          at = end
        }
      }
    }
    return rows
  }
}

export async function inArchiveWorld(
  work: (world: ArchiveWorld) => Promise<void>,
  keepBytesMax = 1_000_000,
  isKnown = false,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const world = await ArchiveWorld.open(folder, keepBytesMax, isKnown)
    try {
      await work(world)
    } finally {
      await world.archiver.stop(1000)
      await world.session.store.close()
    }
  })
}
