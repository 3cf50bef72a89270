/** A store on the disk, and a destination of its backups. */

import { join } from 'node:path'
import { isRestored, restoredManifest } from '../../adapters/native/backup/restored-manifest.ts'
import { firstFaultOf } from '../../adapters/native/inspect/first-fault.ts'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_CLOCK } from '../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import type { Progress, ProgressReport } from '../../src/backup/backup-progress.ts'
import { createBackup, type MadeBackup } from '../../src/backup/create-backup.ts'
import { Destination, type NamedBackup } from '../../src/backup/destination.ts'
import { type RestoreDamage, restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackups } from '../../src/backup/verify-backups.ts'
import type { Backups } from '../../src/store/backups.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { StoreUnderTest, tableOf } from '../adapters/native/store-under-test.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

export const MANIFESTS: readonly string[] = ['manifest', 'manifest.copy']
export const noWait = {
  take: async (): Promise<void> => undefined,
  report: (): void => undefined,
  now: (): number => 0,
  atEnd: (work: () => Promise<void>): (() => Promise<void>) => work,
}

export async function openStore(directory: string): Promise<StoreUnderTest> {
  const session = new StoreUnderTest()
  const files = { fileSystem: NODE_FILE_SYSTEM, clock: NODE_CLOCK, random: Math.random }
  session.store = await openNativeStore({ directory, ...files })
  return session
}

/** The same, for a client on another machine. */
export function remote(backups: Backups): Backups {
  return {
    beginBackup: async (call) => ({ ...(await backups.beginBackup(call)), folder: '/is/not/here' }),
    readBackup: (...args) => backups.readBackup(...args),
    endBackup: (...args) => backups.endBackup(...args),
  }
}

export function faultOfStoreFile(path: string): string | undefined {
  return firstFaultOf(NODE_FILE_SYSTEM, path)
}

export class World {
  readonly folder: string
  readonly session: StoreUnderTest
  readonly destination: Destination
  /** The last progress of each verb. */
  readonly progress: Map<string, Progress> = new Map()
  readonly #report: ProgressReport = (verb, progress) => void this.progress.set(verb, progress)

  private constructor(folder: string, session: StoreUnderTest, destination: Destination) {
    this.folder = folder
    this.session = session
    this.destination = destination
  }

  static async open(folder: string): Promise<World> {
    const session = await openStore(join(folder, 'store'))
    await session.createTable(tableOf('f'), ['m'])
    return new World(folder, session, await Destination.openOrMake(join(folder, 'dest')))
  }

  create(backups: Backups = remote(this.session.store.upkeep.backups!)): Promise<MadeBackup> {
    return createBackup({
      ...noWait,
      report: this.#report,
      backups,
      server: 'rpc:h:1',
      destination: this.destination,
      call: OWN_CALL,
    })
  }

  async named(name: string): Promise<NamedBackup> {
    return (await this.destination.backups()).sound.find((each) => each.name === name)!
  }

  async restore(
    name: string,
    folder: string,
    tables?: ReadonlySet<string>,
    keepsIdentity = false,
  ): Promise<RestoreDamage[]> {
    const manifestFor = (bytes: Buffer): Promise<Buffer> =>
      restoredManifest(bytes, { tables, keepsIdentity, random: Math.random })
    const { destination } = this
    const restored = await this.named(name)
    const isWanted = (table: string): boolean => isRestored(table, tables)
    const parts = { ...noWait, report: this.#report, isWanted, faultOfStoreFile, manifestFor }
    return restoreBackup({ ...parts, destination, restored, folder: this.at(folder) })
  }

  async rows(folder: string): Promise<string[]> {
    const { store } = await openStore(this.at(folder))
    try {
      return await rowsOf(store)
    } finally {
      await store.close()
    }
  }

  async verify(): Promise<string[]> {
    const { destination } = this
    const backups = (await destination.backups()).sound
    const damaged = await verifyBackups({
      ...noWait,
      report: this.#report,
      destination,
      backups,
      faultOfStoreFile,
    })
    return damaged.map(({ path, reason }) => `${path}: ${reason}`)
  }

  at(name: string): string {
    return join(this.folder, name)
  }
}

export async function rowsOf(store: Store): Promise<string[]> {
  const session = new StoreUnderTest()
  session.store = store
  return session.rows()
}

export async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const world = await World.open(folder)
    try {
      await work(world)
    } finally {
      await world.session.store.close()
    }
  })
}
