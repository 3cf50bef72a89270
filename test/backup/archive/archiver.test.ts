/** The archive of a server's log: nothing is missing in it without a word, whatever becomes of its folder. */

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, TABLE } from '../../adapters/native/store-under-test.ts'
import { type ArchiveWorld, inArchiveWorld } from './archive-world.ts'

/** A server whose first backup is made. */
async function started(world: ArchiveWorld): Promise<void> {
  world.archiver.start()
  await world.settled()
  await world.until(() => world.archiver.state.backups === 1)
}

test('rows come into the archive behind a backup, and a stop archives the last of them', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const { session, archiver } = world
    await session.put(['a', 'b'])
    await world.pass(1000)
    await session.put(['c'])
    await session.flush()
    await world.pass(1000)
    await session.put(['d'])
    await archiver.stop(60_000)
    expect(await world.rows()).toEqual(['a', 'b', 'c', 'd'])
    const [stretch, ...others] = await world.stretches()
    expect(others).toEqual([])
    expect(world.known).toBe(world.folder)
    expect((await world.entries(stretch!))[0]).toMatchObject({ kind: 'moment' })
    expect(stretch!.reachedAt).toBe(session.time)
    expect(world.logged.join('\n')).toMatch(
      /^info: made the backup \S+, with which the archived log begins: copied \d+ bytes that the folder did not have$/m,
    )
    expect(archiver.state.troubles()).toEqual([])
  })
})

test('a server without writes notes now and then that it has none', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const reached: (number | undefined)[] = []
    for (let seconds = 0; seconds < 200; seconds++) {
      await world.pass(1000)
      reached.push((await world.stretches())[0]!.reachedAt)
    }
    expect(new Set(reached).size).toBeGreaterThan(5)
    expect(new Set(reached).size).toBeLessThan(11)
    expect(reached.at(-1)).toBeGreaterThan(world.session.time - 31_000)
    expect(world.archiver.state.reachedAt).toBe(reached.at(-1))
    expect(await world.troubles()).toBe('')
  })
})

test('while the folder is away the log waits, and no folder is made in its place', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const { session, archiver, folder } = world
    await session.put(['before'])
    await world.pass(1000)
    await rename(folder, `${folder}.away`)
    await mkdir(folder)
    for (const row of numbered(30)) {
      await session.put([row])
      await world.pass(4000)
    }
    expect(archiver.state.troubles().join()).toMatch(
      /has not been archived in .* since .*its file tidegate-backups is missing/,
    )
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
    await rename(`${folder}.away`, folder)
    await world.passUntil(async () => (await world.rows()).length === 31)
    expect(await world.rows()).toEqual(['before', ...numbered(30)])
    await world.passUntil(() => archiver.state.troubles().length === 0)
    expect((await world.stretches()).length).toBe(1)
    expect(world.logged.filter((line) => line.startsWith('warn'))).toHaveLength(1)
  })
})

test('where too much waits there is a gap, which a new backup ends', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const { session, archiver, folder } = world
    await session.put(['before'])
    await world.pass(1000)
    await rename(folder, `${folder}.away`)
    for (const row of numbered(200)) {
      await session.put([row])
      await world.pass(1000)
    }
    expect(session.paths('/s/wal/').length).toBeLessThan(15)
    expect(await world.troubles()).toMatch(/has a gap from .* more than the 5000 that are kept/)
    expect(
      archiver.state
        .metrics()
        .find(({ name }) => name === 'tidegate_archive_gap')!
        .read(),
    ).toEqual([{ value: 1 }])
    await rename(`${folder}.away`, folder)
    await world.passUntil(() => archiver.state.gap === undefined)
    expect(await world.backups()).toBe(2)
    await session.put(['after'])
    await world.pass(1000)
    const stretches = await world.stretches()
    expect(stretches).toHaveLength(2)
    expect(await world.rows()).toContain('after')
    expect(archiver.state.gaps).toBe(1)
    expect(archiver.state.troubles()).toEqual([])
  }, 5000)
})

test('cells that no record has are followed by a backup', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const { snapshots } = world.session.store.upkeep
    await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
    await snapshots!.cloneSnapshot('s', parseTableName('other'), OWN_CALL)
    await world.passUntil(() => world.archiver.state.backups === 2)
    expect(await world.backups()).toBe(2)
  })
})

test('many small pieces become one, which has the same entries', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const rows = numbered(130)
    for (const row of rows) {
      await world.session.put([row])
      await world.pass(1000)
    }
    expect(await world.rows()).toEqual(rows)
    const [stretch] = await world.stretches()
    expect(stretch!.pieces.length).toBeLessThan(20)
    expect(stretch!.replaced).toEqual([])
    const names = await readdir(stretch!.folder)
    expect(names.filter((name) => name.endsWith('.new'))).toEqual([])
  })
})

test('another process that works on the folder delays the backup, and not the log', async () => {
  await inArchiveWorld(async (world) => {
    const { archiver, folder, session } = world
    await mkdir(folder)
    await writeFile(join(folder, 'tidegate-backups'), '{"format":1}\n')
    await writeFile(join(folder, 'lock'), `${JSON.stringify({ host: 'elsewhere', pid: 1, at: 'now' })}\n`)
    archiver.start()
    await world.settled()
    await session.put(['a'])
    await world.passUntil(() => archiver.state.backupFailure !== undefined)
    expect(archiver.state.troubles().join()).toMatch(/the backup in .* failed: process 1 on elsewhere/)
    await world.passUntil(async () => (await world.rows()).length === 1)
    await rm(join(folder, 'lock'))
    await world.passUntil(() => archiver.state.backups === 1)
    expect(archiver.state.troubles()).toEqual([])
  })
})

test('a stop does not wait for a folder that is away', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    await rename(world.folder, `${world.folder}.away`)
    await world.session.put(['a'])
    await world.archiver.stop(60_000)
    expect(world.logged.join()).toContain('the log cannot be archived')
    expect(world.logged.at(-1)).toMatch(/^warn: the last of the log is not archived: .* is not there/)
    await rename(`${world.folder}.away`, world.folder)
  })
})

test('a folder that cannot be one of backups is named, and is tried again', async () => {
  await inArchiveWorld(async (world) => {
    const { archiver, folder } = world
    await mkdir(folder)
    await writeFile(join(folder, 'letter.txt'), 'of another program')
    archiver.start()
    await world.settled()
    await world.pass(70_000)
    expect(archiver.state.troubles().join()).toContain('has other files, and no backups')
    await rm(join(folder, 'letter.txt'))
    await world.passUntil(() => archiver.state.backups === 1)
  })
})

test('another folder of backups in the place of this one is a gap, which a new backup ends', async () => {
  await inArchiveWorld(async (world) => {
    await started(world)
    const { session, archiver, folder } = world
    await session.put(['a'])
    await world.pass(1000)
    await rename(folder, `${folder}.other`)
    await mkdir(folder)
    await writeFile(join(folder, 'tidegate-backups'), '{"format":1}\n')
    await session.put(['b'])
    await world.passUntil(() => archiver.state.gaps === 1)
    await world.passUntil(() => archiver.state.gap === undefined)
    expect(await world.backups()).toBe(1)
    await session.put(['c'])
    await world.passUntil(async () => (await world.rows()).includes('c'))
    expect(await world.troubles()).toBe('')
  })
})

test('a backup that takes long is named, since no moment can be restored before its end', async () => {
  await inArchiveWorld(async (world) => {
    const { archiver, folder } = world
    await mkdir(folder)
    await writeFile(join(folder, 'tidegate-backups'), '{"format":1}\n')
    await writeFile(join(folder, 'lock'), `${JSON.stringify({ host: 'elsewhere', pid: 1, at: 'now' })}\n`)
    archiver.start()
    await world.settled()
    await world.pass(1000)
    expect(await world.troubles()).not.toContain('no moment since')
    await world.pass(61_000)
    expect(await world.troubles()).toContain('no moment since')
    await rm(join(folder, 'lock'))
    await world.passUntil(() => archiver.state.backups === 1)
    await world.passUntil(async () => (await world.troubles()) === '')
  })
})

test('a folder that an earlier life has known is not made anew, as where its disk is not mounted', async () => {
  await inArchiveWorld(
    async (world) => {
      const { archiver, folder } = world
      await mkdir(folder)
      archiver.start()
      await world.settled()
      await world.pass(10_000)
      expect(await readdir(folder)).toEqual([])
      expect(world.logged.join()).toContain('the log cannot be archived')
      await writeFile(join(folder, 'tidegate-backups'), '{"format":1}\n')
      await world.passUntil(() => archiver.state.backups === 1)
      expect(world.known).toBeUndefined()
    },
    undefined,
    true,
  )
})

test('a backup that was begun before a gap does not end it', async () => {
  await inArchiveWorld(async (world) => {
    const { archiver, session, folder } = world
    let goOn: (() => void) | undefined
    world.held = new Promise((resolve) => {
      goOn = resolve
    })
    archiver.start()
    await world.passUntil(async () => (await world.stretches()).some(({ pieces }) => pieces.length > 0))
    await rm(join(folder, 'logs'), { recursive: true })
    await session.put(['a'])
    await world.passUntil(() => archiver.state.gaps === 1)
    await world.passUntil(async () => (await world.stretches()).length > 0)
    goOn?.()
    await world.until(() => archiver.state.backups === 1)
    expect(await world.troubles()).toContain('has a gap')
    await world.passUntil(() => archiver.state.gap === undefined)
    expect(archiver.state.backups).toBe(2)
  })
})
