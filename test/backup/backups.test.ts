/** Backups in a folder of the disk: made, looked at, restored, damaged, cut off, pruned. */

import { readdirSync, readFileSync } from 'node:fs'
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isRestored, restoredManifest } from '../../adapters/native/backup/restored-manifest.ts'
import { firstFaultOf } from '../../adapters/native/inspect/first-fault.ts'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_CLOCK } from '../../adapters/native/platform/node-clock.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { createBackup, type MadeBackup } from '../../src/backup/create-backup.ts'
import { Destination, type NamedBackup } from '../../src/backup/destination.ts'
import { lockDestination } from '../../src/backup/destination-lock.ts'
import { pruneBackups } from '../../src/backup/prune-backups.ts'
import { type RestoreDamage, restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackups } from '../../src/backup/verify-backups.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { packageRoot } from '../../src/package-root.ts'
import type { Backups } from '../../src/store/backups.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { StoreUnderTest, TABLE, tableOf } from '../adapters/native/store-under-test.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const MANIFESTS = ['manifest', 'manifest.copy']
const noWait = {
  take: async (): Promise<void> => undefined,
  report: (): void => undefined,
  now: (): number => 0,
  atEnd: (work: () => Promise<void>): (() => Promise<void>) => work,
}

async function openStore(directory: string): Promise<StoreUnderTest> {
  const session = new StoreUnderTest()
  const files = { fileSystem: NODE_FILE_SYSTEM, clock: NODE_CLOCK, random: Math.random }
  session.store = await openNativeStore({ directory, ...files })
  return session
}

/** The same, for a client on another machine. */
function remote(backups: Backups): Backups {
  return {
    begin: async (call) => ({ ...(await backups.begin(call)), folder: '/is/not/here' }),
    read: (...args) => backups.read(...args),
    end: (...args) => backups.end(...args),
  }
}

function faultOfStoreFile(path: string): string | undefined {
  return firstFaultOf(NODE_FILE_SYSTEM, path)
}

class World {
  readonly folder: string
  readonly session: StoreUnderTest
  readonly destination: Destination

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
      backups,
      server: 'rpc:h:1',
      destination: this.destination,
      call: OWN_CALL,
    })
  }

  async named(name: string): Promise<NamedBackup> {
    return (await this.destination.backups()).sound.find((each) => each.name === name)!
  }

  async restore(name: string, folder: string, tables?: ReadonlySet<string>): Promise<RestoreDamage[]> {
    const manifestFor = (bytes: Buffer): Promise<Buffer> =>
      restoredManifest(bytes, { tables, keepsIdentity: false, random: Math.random })
    const { destination } = this
    const restored = await this.named(name)
    const isWanted = (table: string): boolean => isRestored(table, tables)
    const parts = { ...noWait, isWanted, faultOfStoreFile, manifestFor }
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
    const damaged = await verifyBackups({ ...noWait, destination, backups, faultOfStoreFile })
    return damaged.map(({ path, reason }) => `${path}: ${reason}`)
  }

  at(name: string): string {
    return join(this.folder, name)
  }
}

async function rowsOf(store: Store): Promise<string[]> {
  const session = new StoreUnderTest()
  session.store = store
  return session.rows()
}

async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const world = await World.open(folder)
    try {
      await work(world)
    } finally {
      await world.session.store.close()
    }
  })
}

test.each(['over the wire', 'by links'] as const)(
  'backups come one after the other %s: only new files are copied, and each is restored as it was',
  async (way) => {
    await inWorld(async (world) => {
      const { session } = world
      const own = session.store.upkeep.backups!
      const backups = way === 'by links' ? own : remote(own)
      await session.put(['a', 'z'])
      const first = await world.create(backups)
      expect(first.isLocal).toBe(way === 'by links')
      await session.put(['b'])
      const second = await world.create(backups)
      expect(second.backup.newBytes).toBeLessThan(second.backup.bytes)
      expect(second.backup.newBytes).toBeGreaterThan(0)
      await session.store.upkeep.compactions!.compactTable(
        session.store && tableOf('f').name,
        { major: true },
        OWN_CALL,
      )
      await session.put(['c'])
      const third = await world.create(backups)
      expect(await world.verify()).toEqual([])
      for (const [made, rows] of [
        [first, ['a=v', 'z=v']],
        [second, ['a=v', 'b=v', 'z=v']],
        [third, ['a=v', 'b=v', 'c=v', 'z=v']],
      ] as const) {
        expect(await world.restore(made.name, made.name)).toEqual([])
        expect(await world.rows(made.name)).toEqual(rows)
      }
      expect(await readdir(join(world.folder, 'store', 'backups'))).toEqual([])
    })
  },
)

test('a cut goes on where it was: what is copied stays, and a draft that is not on disk is not trusted', async () => {
  await inWorld(async (world) => {
    const { session, destination } = world
    await session.put(['a', 'z'])
    const own = remote(session.store.upkeep.backups!)
    for (let reads = 1; reads < 8; reads++) {
      let left = reads
      const cut: Backups = {
        ...own,
        read: async (...args) => {
          if (left-- === 0) throw new Error('cut')
          return own.read(...args)
        },
      }
      const outcome = await world.create(cut).then(
        () => 'made',
        (error: unknown) => String(error),
      )
      if (outcome === 'made') break
      expect(outcome).toBe('Error: cut')
      for await (const content of destination.contents())
        if (content.endsWith('.part')) await appendFile(destination.pathOf(content), 'never synced')
    }
    const { name } = await world.create()
    expect(await world.verify()).toEqual([])
    expect(await world.restore(name, 'r')).toEqual([])
    expect(await world.rows('r')).toEqual(['a=v', 'z=v'])
  })
})

test('damage to any file of a destination is named, by verify and by restore, and all others are restored', async () => {
  await inWorld(async (world) => {
    const { session, destination } = world
    await session.put(['a', 'z'])
    const { name, backup } = await world.create()
    for (const [index, file] of backup.files.entries()) {
      const path = destination.pathOf(file.content)
      const whole = await readFile(path)
      const damages: readonly (() => Promise<void>)[] = [
        () => writeFile(path, flipped(whole, index)),
        () => truncate(path, whole.length - 1),
        () => rm(path),
      ]
      for (const [kind, damage] of damages.entries()) {
        await damage()
        const found = await world.verify()
        expect(found).toHaveLength(1)
        expect(found[0]).toContain(path)
        const folder = `r-${index}-${kind}`
        const reported = await world.restore(name, folder)
        // Of the manifest there is a second copy, which is looked at where the first one is damaged.
        expect(reported.map((each) => each.path)).toEqual(file.path === 'manifest.copy' ? [] : [path])
        const restored = (await filesBelow(world.at(folder))).sort()
        const all = [...new Set([...backup.files.map((each) => each.path), ...MANIFESTS])]
        const left =
          kind === 2 && !MANIFESTS.includes(file.path) ? all.filter((each) => each !== file.path) : all
        expect(restored).toEqual(left.sort())
        await writeFile(path, whole)
      }
    }
    await Promise.all(MANIFESTS.map((path) => rm(destination.pathOf(contentOf(backup, path)))))
    await expect(world.restore(name, 'none')).rejects.toThrow('has no manifest that can be read')
  })
})

function contentOf(backup: MadeBackup['backup'], path: string): string {
  return backup.files.find((file) => file.path === path)!.content
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = (at * 7919) % copy.length
  copy[index] = copy[index]! ^ 0x10
  return copy
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

test('a text of a backup that is cut or changed anywhere is damage; its copy serves, and without it the backup is lost', async () => {
  await inWorld(async (world) => {
    const { name } = await world.create()
    const path = world.destination.pathOfBackup(name)
    const text = await readFile(path, 'utf8')
    for (let at = 0; at < text.length; at += 13) {
      for (const changed of [text.slice(0, at), `${text.slice(0, at)}~${text.slice(at + 1)}`]) {
        await writeFile(path, changed)
        const { sound, damaged, lost } = await world.destination.backups()
        expect(sound.map((each) => each.name)).toEqual([name])
        expect(damaged.map((each) => each.path)).toEqual([path])
        expect(lost).toEqual([])
      }
    }
    await writeFile(`${path}.copy`, 'x')
    const { sound, damaged, lost } = await world.destination.backups()
    expect([sound.length, damaged.length, lost.length]).toEqual([0, 2, 2])
  })
})

test('a damaged mark keeps backups from being restored no more than from being listed, and keeps new ones out', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a'])
    const { name } = await world.create()
    const { folder } = world.destination
    const mark = join(folder, 'tidegate-backups')
    for (const damage of [() => writeFile(mark, 'x'), () => rm(mark)]) {
      await damage()
      const opened = await Destination.open(folder)
      const { sound, damaged, lost } = await opened.backups()
      expect([sound.map((each) => each.name), damaged.map(({ path }) => path), lost]).toEqual([
        [name],
        [mark],
        [],
      ])
      await expect(Destination.openOrMake(folder)).rejects.toThrow(mark)
    }
  })
})

test('a file that a table and its snapshot share is copied once', async () => {
  await inWorld(async (world) => {
    const { session } = world
    await session.put(['a', 'z'])
    await session.flush()
    await session.store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
    await session.store.upkeep.snapshots!.cloneSnapshot('s', parseTableName('clone'), OWN_CALL)
    for (const backups of [remote(session.store.upkeep.backups!), session.store.upkeep.backups!]) {
      const { name, backup } = await world.create(backups)
      const ofFiles = backup.files.filter(({ content }) => content.startsWith('store/'))
      expect(ofFiles).toHaveLength(6)
      expect(new Set(ofFiles.map(({ content }) => content)).size).toBe(2)
      expect(await world.verify()).toEqual([])
      expect(await world.restore(name, name)).toEqual([])
      expect(await world.rows(name)).toEqual(['a=v', 'z=v'])
    }
  })
})

test('damage of a file that came by a link is named by a restore', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a', 'z'])
    const { name, backup } = await world.create(world.session.store.upkeep.backups!)
    const linked = backup.files.find(({ sha256 }) => sha256 === undefined)!
    const path = world.destination.pathOf(linked.content)
    const bytes = await readFile(path)
    await rm(path)
    await writeFile(path, flipped(bytes, 5))
    const named = [expect.objectContaining({ path, restoredAs: linked.path })]
    expect(await world.restore(name, 'r')).toEqual(named)
    // As after a cut: an earlier run has restored the files, and its words are gone.
    await Promise.all(MANIFESTS.map((each) => rm(join(world.at('r'), each))))
    await writeFile(join(world.at('r'), 'restore.unfinished'), `${name}\n`)
    expect(await world.restore(name, 'r')).toEqual(named)
    // A folder in its place cannot be read.
    await rm(path)
    await mkdir(path)
    expect(await world.restore(name, 'r2')).toEqual([expect.objectContaining({ path })])
  })
})

test('files behind links of an operator stay where they are', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a'])
    const { name } = await world.create()
    const { folder } = world.destination
    await rename(join(folder, 'files', 'store'), world.at('elsewhere'))
    await symlink(world.at('elsewhere'), join(folder, 'files', 'store'))
    await symlink(world.at('nowhere'), join(folder, 'files', 'sum', 'dangling'))
    const all = (await world.destination.backups()).sound
    await pruneBackups(world.destination, [], all, false)
    expect(await world.verify()).toEqual([])
    expect(await world.restore(name, 'r')).toEqual([])
  })
})

test('a destination within a store is refused: the server would remove it', async () => {
  await inWorld(async (world) => {
    for (const place of ['store', 'store/backups', 'store/dest/deep'])
      await expect(Destination.openOrMake(world.at(place))).rejects.toThrow('is in the folder of a store')
  })
})

test('no server starts on a folder in which a restore was cut off', async () => {
  await inTemporaryFolder(async (folder) => {
    await writeFile(join(folder, 'restore.unfinished'), 'x\n')
    await expect(openStore(folder)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('has not ended'),
    })
    expect(await readdir(folder)).toEqual(['restore.unfinished'])
  })
})

test('a restore that is cut off goes on, and is no store before its end', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a', 'z'])
    const { name } = await world.create()
    await world.restore(name, 'r')
    const folder = world.at('r')
    const files = await filesBelow(folder)
    // As a kill leaves it at any moment: without the last files, with a draft.
    await Promise.all(MANIFESTS.map((each) => rm(join(folder, each))))
    await rm(join(folder, files.find((each) => each.startsWith('data/'))!))
    await writeFile(join(folder, files.find((each) => each.startsWith('data/')) + '.part'), 'x')
    await writeFile(join(folder, 'restore.unfinished'), `${name}\n`)
    await expect(openStore(folder)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await world.restore(name, 'r')).toEqual([])
    expect(await world.rows('r')).toEqual(['a=v', 'z=v'])
    await expect(world.restore(name, 'r')).rejects.toThrow('has files: name an empty folder, or a new one')
  })
})

test('prune removes the files that only the removed backups have', async () => {
  await inWorld(async (world) => {
    const { session, destination } = world
    const made: string[] = []
    for (const row of ['a', 'b', 'c']) {
      await session.put([row])
      await session.store.upkeep.compactions!.compactTable(tableOf('f').name, { major: true }, OWN_CALL)
      made.push((await world.create()).name)
    }
    const all = (await destination.backups()).sound
    const [first, second, third] = made.map((name) => all.find((each) => each.name === name)!)
    const dry = await pruneBackups(destination, [first!], [second!, third!], true)
    expect((await destination.backups()).sound).toHaveLength(3)
    expect(await pruneBackups(destination, [first!], [second!, third!], false)).toEqual(dry)
    expect(await world.verify()).toEqual([])
    await pruneBackups(destination, [second!], [third!], false)
    expect(await world.verify()).toEqual([])
    const left = new Set<string>()
    for await (const content of destination.contents()) left.add(content)
    expect(left).toEqual(new Set(third!.backup.files.map(({ content }) => content)))
    expect(await world.restore(third!.name, 'r')).toEqual([])
    expect(await world.rows('r')).toEqual(['a=v', 'b=v', 'c=v'])
  })
})

test('single tables are restored, without the records that the log has of others', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a'])
    const { name } = await world.create()
    expect(await world.restore(name, 'none', new Set())).toEqual([])
    const { store, logged } = await openStore(world.at('none'))
    expect(await store.catalog.listTables(OWN_CALL, 'names')).toEqual([])
    expect(logged).toEqual([])
    expect(await store.troubles()).toEqual([])
    await store.close()
  })
})

test('one process at a time works on a destination; the lock of one that is gone counts no more', async () => {
  await inTemporaryFolder(async (folder) => {
    const unlock = await lockDestination(folder)
    await expect(lockDestination(folder)).rejects.toThrow(`works on ${folder}`)
    await unlock()
    const again = await lockDestination(folder)
    await again()
    const lock = join(folder, 'lock')
    // Process 2^30 is not there.
    await writeFile(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await (await lockDestination(folder))()
    // Its own take-over was cut off.
    await writeFile(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await writeFile(`${lock}.takeover`, JSON.stringify({ host: hostname(), pid: 2 ** 30 }))
    await expect(lockDestination(folder)).rejects.toThrow('works on')
    await (await lockDestination(folder))()
    await writeFile(lock, JSON.stringify({ host: 'another', pid: 1 }))
    await expect(lockDestination(folder)).rejects.toThrow('process 1 on another')
    expect((await stat(lock)).isFile()).toBe(true)
  })
})

test('a folder with other files is no destination', async () => {
  await inTemporaryFolder(async (folder) => {
    await expect(Destination.open(join(folder, 'none'))).rejects.toThrow('has no backups')
    await mkdir(join(folder, 'other'))
    await writeFile(join(folder, 'other', 'file'), '')
    await expect(Destination.openOrMake(join(folder, 'other'))).rejects.toThrow('has other files')
    const made = await Destination.openOrMake(join(folder, 'new', 'deep'))
    expect(await made.backups()).toEqual({ sound: [], damaged: [], lost: [] })
    await writeFile(join(folder, 'new', 'deep', 'tidegate-backups'), '{"format":2}\n')
    await expect(Destination.openOrMake(join(folder, 'new', 'deep'))).rejects.toThrow('has no backups')
  })
})

const OLDER = new URL('test/backup/older-destinations/', packageRoot())

test.each(readdirSync(OLDER).filter((name) => name.endsWith('.json.gz')))(
  'backups that an older commit has made are listed, verified and restored: %s',
  async (name) => {
    const older = JSON.parse(gunzipSync(readFileSync(new URL(name, OLDER))).toString()) as {
      readonly files: Readonly<Record<string, string>>
    }
    await inWorld(async (world) => {
      for (const [path, bytes] of Object.entries(older.files)) {
        const target = join(world.destination.folder, path)
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, Buffer.from(bytes, 'base64'))
      }
      const { sound, damaged } = await world.destination.backups()
      expect([sound.length, damaged]).toEqual([2, []])
      expect(await world.verify()).toEqual([])
      for (const [index, rows] of [['a=v'], ['a=v', 'z=v']].entries()) {
        expect(await world.restore(sound[index]!.name, `r${index}`)).toEqual([])
        expect(await world.rows(`r${index}`)).toEqual(rows)
      }
    })
  },
)
