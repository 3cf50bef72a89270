/** `prune` in a destination with damage: it removes nothing that may be needed. */

import { spawnSync } from 'node:child_process'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodePiece, encodePiece } from '../../src/backup/archive/archive-piece.ts'
import { archivedLogs, type Stretch } from '../../src/backup/archive/archived-logs.ts'
import { runsIn } from '../../src/backup/archive/known-pieces.ts'
import { neededForDays, newestTimes, pruneLogs } from '../../src/backup/archive/prune-logs.ts'
import { StretchWriter } from '../../src/backup/archive/stretch-writer.ts'
import { verifyLogs } from '../../src/backup/archive/verify-logs.ts'
import { MAIN } from '../harness/tidegate-process.ts'
import { type ArchivedWorld, inArchivedWorld } from './archived-world.ts'

const DAY_MS = 86_400_000

async function prune(world: ArchivedWorld): ReturnType<typeof pruneLogs> {
  const { sound: kept } = await world.destination.backups()
  const newest = newestTimes(kept, await runsIn(world.folder), world.now)
  return pruneLogs({ folder: world.folder, kept, days: undefined, newest, dryRun: false })
}

/** An old stretch with a backup, and a newer one. */
async function inTwoStretches(work: (world: ArchivedWorld, old: Stretch) => Promise<void>): Promise<void> {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    for (const row of ['a', 'b', 'c', 'd']) await world.put([row])
    await world.note()
    await world.newStretch()
    await world.backUp()
    await work(world, (await archivedLogs(world.folder))[0]!)
  })
}

test('a log with damage stays whole, and is named', async () => {
  await inTwoStretches(async (world, { folder, pieces }) => {
    // The one with the moment of the backup that is kept.
    const { path } = pieces.at(-5)!
    await writeFile(path, 'x')
    const before = await readdir(folder)
    const args = ['backup', 'prune', world.folder, '--keep-last', '9']
    const { status, stdout } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
    expect(stdout).toContain(
      `damaged: ${path}: it is no piece of an archived log; nothing of its archived log`,
    )
    expect(status).toBe(1)
    expect(await readdir(folder)).toEqual(before)
  })
})

test('a file with a name that covers others replaces none of them', async () => {
  await inTwoStretches(async (world, { folder, pieces }) => {
    const cover = join(folder, '0000000001-9999999999')
    await copyFile(pieces[0]!.path, cover)
    const [stretch] = await archivedLogs(world.folder)
    expect(stretch!.pieces).toEqual(pieces)
    expect(stretch!.replaced).toEqual([])
    const before = await readdir(folder)
    const reason = `it is the piece ${pieces[0]!.name}`
    expect(await prune(world)).toMatchObject({ faults: [{ path: cover, reason }] })
    expect(await readdir(folder)).toEqual(before)
    expect(await verifyLogs(world.folder, async () => undefined)).toMatchObject({
      faults: [{ path: cover, reason }],
    })
    await world.restore(world.now - 1000, 'r')
    expect(await world.rows('r')).toEqual(['a=v', 'b=v', 'c=v', 'd=v'])
  })
})

test('of pieces that a kill left beside the joined one, the whole one counts', async () => {
  await inTwoStretches(async (world, { folder, clusterId, name, pieces }) => {
    const last = pieces.at(-1)!.last
    const entries = []
    for (const { path } of pieces) entries.push(...decodePiece(await readFile(path)).entries)
    const joined = Buffer.concat(encodePiece({ clusterId, stretch: name, first: 1, last }, entries))
    const path = join(folder, `0000000001-${String(last).padStart(10, '0')}`)
    await writeFile(path, joined.subarray(0, joined.length - 1))
    expect((await archivedLogs(world.folder))[0]).toMatchObject({ pieces, replaced: [], faults: [{ path }] })
    await writeFile(path, joined)
    const [stretch] = await archivedLogs(world.folder)
    expect(stretch).toMatchObject({
      pieces: [{ path }],
      replaced: pieces.map((each) => each.name),
      faults: [],
    })
    await prune(world)
    expect(await readdir(folder)).toEqual([`0000000001-${String(last).padStart(10, '0')}`, 'reached'])
  })
})

test('a note of the future makes no backup old', async () => {
  await inTwoStretches(async (world, { clusterId }) => {
    const { sound } = await world.destination.backups()
    const { name } = (await archivedLogs(world.folder))[1]!
    await new StretchWriter(world.folder, { clusterId, stretch: name }).reached(world.now + 9999 * DAY_MS)
    const newest = newestTimes(sound, await runsIn(world.folder), world.now)
    expect(newest.get(clusterId)).toBe(world.now)
    expect([...neededForDays(sound, 1, newest)]).toHaveLength(2)
  })
})
