/** Backups in a folder of the disk: made, looked at, restored, damaged, cut off, pruned. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Destination } from '../../src/backup/destination.ts'
import { chosenBackups, pruneBackups } from '../../src/backup/prune-backups.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { packageRoot } from '../../src/package-root.ts'
import type { Backups } from '../../src/store/backups.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { TABLE, tableOf } from '../adapters/native/store-under-test.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

import { inWorld, openStore, remote } from './backup-world.ts'

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

test('a backup, its check and its restore count the same files', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a', 'z'])
    const { name, backup } = await world.create()
    await world.verify()
    await world.restore(name, 'restored')
    const files = backup.files.length
    for (const verb of ['copied', 'verified', 'restored'])
      expect([verb, world.progress.get(verb)]).toMatchObject([verb, { files, filesDone: files }])
    const { bytes, bytesDone, bytesWhole } = world.progress.get('restored')!
    expect([bytesDone, bytesWhole]).toEqual([bytes, bytes])
  })
})

test('a folder into which nothing was put goes again, and one with a backup or of the user stays', async () => {
  await inWorld(async (world) => {
    const unused = await Destination.openOrMake(world.at('new/deep'))
    await unused.removeUnused()
    await mkdir(world.at('own'))
    await (await Destination.openOrMake(world.at('own'))).removeUnused()
    expect((await readdir(world.folder)).toSorted()).toEqual(['dest', 'own', 'store'])
    expect(await readdir(world.at('own'))).toEqual([])
    await (await Destination.openOrMake(world.at('dest'))).removeUnused()
    expect(await readdir(world.at('dest'))).toEqual(['tidegate-backups'])
    await world.create()
    await world.destination.removeUnused()
    expect((await world.destination.backups()).sound).toHaveLength(1)
  })
})

test('a cut goes on where it was: what is copied stays, and a draft that is not on disk is not trusted', async () => {
  await inWorld(async (world) => {
    const { session, destination } = world
    await session.put(['a', 'z'])
    const own = remote(session.store.upkeep.backups!)
    for (let reads = 1; reads < 8; reads++) {
      let left = reads
      const cut: Backups = {
        ...own,
        readBackup: async (...args) => {
          if (left-- === 0) throw new Error('cut')
          return own.readBackup(...args)
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

test('a folder with other files is no destination', async () => {
  await inTemporaryFolder(async (folder) => {
    await expect(Destination.open(join(folder, 'none'))).rejects.toThrow('is its disk mounted?')
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
      if (!Object.keys(older.files).some((path) => path.startsWith('logs/'))) return
      const args = ['restore', world.destination.folder, '--to', world.at('later'), '--time', 'latest']
      const { status, stderr } = spawnSync(process.execPath, [MAIN, 'backup', ...args], { encoding: 'utf8' })
      expect(status, stderr).toBe(0)
      expect(await world.rows('later')).toEqual(['a=v', 'later=v', 'z=v'])
    })
  },
)

test('the rules of prune hold for each server by itself', () => {
  const backup = {
    format: 1,
    server: 's',
    tables: [],
    missing: [],
    bytes: 0,
    newBytes: 0,
    files: [],
  } as const
  const hour = 3_600_000
  const all = [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['a', 30],
    ['b', 31],
  ].map(([clusterId, hours], index) => {
    return {
      name: String(index),
      backup: { ...backup, clusterId: String(clusterId), at: Number(hours) * hour },
    }
  })
  const names = (rules: object): string[] =>
    chosenBackups(all, { last: 0, daily: 0, weekly: 0, monthly: 0, ...rules }).kept.map(({ name }) => name)
  expect(names({ last: 1 })).toEqual(['3', '4'])
  expect(names({ daily: 2 })).toEqual(['1', '2', '3', '4'])
  expect(names({ weekly: 5 })).toEqual(['3', '4'])
  expect(names({ daily: 1, last: 2 })).toEqual(['1', '2', '3', '4'])
})
