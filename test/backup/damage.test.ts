/** Damage in a destination, and restores that were cut off: each is named, and all else is restored. */

import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type MadeBackup } from '../../src/backup/create-backup.ts'
import { Destination } from '../../src/backup/destination.ts'

import { inWorld, MANIFESTS, openStore } from './backup-world.ts'

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

test('damage of a file that came by a link is named by a restore', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a', 'z'])
    const { name, backup } = await world.create(world.session.store.upkeep.backups)
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

test('a file that was damaged before it was copied is named by verify', async () => {
  await inWorld(async (world) => {
    const { session } = world
    await session.put(['a', 'z'])
    await session.flush()
    const below = (await filesBelow(world.at('store'))).find((path) => path.startsWith('data/'))!
    const path = join(world.at('store'), below)
    await writeFile(path, flipped(await readFile(path), 5))
    await world.create()
    expect(await world.verify()).toHaveLength(1)
  })
})
