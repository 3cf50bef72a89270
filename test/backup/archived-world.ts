/** A store on the disk, whose log goes to the destination of its backups. */

import { join } from 'node:path'
import { laterStore } from '../../adapters/native/backup/later-store.ts'
import { isRestored, restoredManifest } from '../../adapters/native/backup/restored-manifest.ts'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { encodePiece } from '../../src/backup/archive/archive-piece.ts'
import { archivedLogs, removePiece, stretchName } from '../../src/backup/archive/archived-logs.ts'
import { runsIn } from '../../src/backup/archive/known-pieces.ts'
import { LaterEntries } from '../../src/backup/archive/later-entries.ts'
import { type PieceFault, pieceName } from '../../src/backup/archive/piece-file.ts'
import { restorePoint } from '../../src/backup/archive/restore-point.ts'
import { StretchWriter } from '../../src/backup/archive/stretch-writer.ts'
import { createBackup } from '../../src/backup/create-backup.ts'
import { Destination } from '../../src/backup/destination.ts'
import { type RestoreDamage, restoreBackup } from '../../src/backup/restore-backup.ts'
import { writeSafely } from '../../src/backup/safe-file.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { StreamEntry } from '../../src/store/log-streams.ts'
import { StoreUnderTest, tableOf } from '../adapters/native/store-under-test.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'
import { faultOfStoreFile, noWait, openStore, rowsOf } from './backup-world.ts'

interface RestoredTo {
  readonly base: string
  readonly asOf: number
  readonly fault: PieceFault | undefined
  readonly damage: readonly RestoreDamage[]
}

interface RestoreChoice {
  /** The name of the only backup that may be taken. */
  readonly only?: string
  /** Called before each piece is decoded. */
  readonly onRead?: () => Promise<void>
}

export class ArchivedWorld {
  readonly #root: string
  readonly session: StoreUnderTest
  readonly destination: Destination
  readonly clusterId: string
  stretches = 0
  #stream: string | undefined
  #writer!: StretchWriter
  #parts: StreamEntry[][] = []

  private constructor(root: string, session: StoreUnderTest, destination: Destination, clusterId: string) {
    this.#root = root
    this.session = session
    this.destination = destination
    this.clusterId = clusterId
  }

  static async open(root: string): Promise<ArchivedWorld> {
    const session = new StoreUnderTest()
    const clock = { now: () => session.time }
    const files = { fileSystem: NODE_FILE_SYSTEM, clock, random: Math.random }
    session.store = await openNativeStore({ directory: join(root, 'store'), ...files })
    const destination = await Destination.openOrMake(join(root, 'dest'))
    const world = new ArchivedWorld(root, session, destination, await session.store.clusterId())
    await world.newStretch()
    await session.createTable(tableOf('f'), ['m'])
    await world.archive()
    return world
  }

  get now(): number {
    return this.session.time
  }

  /** Of the destination. */
  get folder(): string {
    return this.destination.folder
  }

  at(name: string): string {
    return join(this.#root, name)
  }

  pass(ms: number): void {
    this.session.time += ms
  }

  async newStretch(): Promise<void> {
    const { logStreams } = this.session.store.upkeep
    if (this.#stream !== undefined) await logStreams!.leaveLog(this.#stream, OWN_CALL)
    this.#stream = await logStreams!.followLog(1 << 30, OWN_CALL)
    this.stretches++
    const name = stretchName(this.now, `s${this.stretches}`)
    this.#writer = new StretchWriter(this.folder, { clusterId: this.clusterId, stretch: name })
    this.#parts = []
  }

  async archive(): Promise<void> {
    for (;;) {
      const { entries } = await this.session.store.upkeep.logStreams!.readLog(this.#stream!, OWN_CALL)
      if (entries.length === 0) return
      await this.#writer.add(entries)
      this.#parts.push([...entries])
    }
  }

  /** Notes that the pieces have all by now. */
  async note(): Promise<void> {
    await this.#writer.reached(this.now)
  }

  async put(rows: readonly string[]): Promise<void> {
    this.pass(1000)
    await this.session.put(rows)
    await this.archive()
  }

  async backUp(): Promise<void> {
    this.pass(1000)
    const backups = this.session.store.upkeep.backups!
    const { destination } = this
    await createBackup({ ...noWait, backups, server: 'rpc:h:1', destination, call: OWN_CALL })
    await this.archive()
  }

  /** All pieces of the newest stretch become one. */
  async join(): Promise<void> {
    const stretch = (await archivedLogs(this.folder)).at(-1)!
    const last = this.#parts.length
    const named = { clusterId: this.clusterId, stretch: stretch.name, first: 1, last }
    await writeSafely(join(stretch.folder, pieceName(1, last)), encodePiece(named, this.#parts.flat()))
    for (const { name } of stretch.pieces) await removePiece(stretch, name)
  }

  async restore(time: number, folder: string, { only, onRead }: RestoreChoice = {}): Promise<RestoredTo> {
    const { destination } = this
    const { sound } = await destination.backups()
    const candidates = sound.filter(({ name }) => only === undefined || name === only)
    const point = restorePoint(candidates, await runsIn(this.folder), time)!
    const { base, logs } = point
    const parts = { tables: undefined, keepsIdentity: false, random: Math.random }
    const entries =
      logs &&
      new LaterEntries({
        destination: this.folder,
        ...logs,
        until: time,
        take: async () => onRead?.(),
      })
    const damage = await restoreBackup({
      ...noWait,
      destination,
      restored: base,
      folder: this.at(folder),
      isWanted: (table) => isRestored(table, undefined),
      faultOfStoreFile,
      manifestFor: (bytes) => restoredManifest(bytes, parts),
      later: entries && {
        until: time,
        storeFor: (bytes) =>
          laterStore(bytes, { ...parts, fileSystem: NODE_FILE_SYSTEM, entries: () => entries.read() }),
      },
    })
    const fault = entries?.fault
    const asOf = fault === undefined ? point.asOf : (entries?.lastAt ?? base.backup.at)
    return { base: base.name, asOf, fault, damage }
  }

  async rows(folder: string): Promise<string[]> {
    const { store } = await openStore(this.at(folder))
    try {
      return await rowsOf(store)
    } finally {
      await store.close()
    }
  }
}

export async function inArchivedWorld(work: (world: ArchivedWorld) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (root) => {
    const world = await ArchivedWorld.open(root)
    try {
      await work(world)
    } finally {
      await world.session.store.close()
    }
  })
}
