/** Backups and archived logs in a folder of the disk: restored to a time, cut off, damaged, verified and pruned. */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archivedLogs } from '../../src/backup/archive/archived-logs.ts'
import { runsIn } from '../../src/backup/archive/known-pieces.ts'
import type { PieceFile } from '../../src/backup/archive/piece-file.ts'
import { neededForDays, newestTimes, pruneLogs } from '../../src/backup/archive/prune-logs.ts'
import { restorableTimes } from '../../src/backup/archive/restorable-times.ts'
import { restorePoint } from '../../src/backup/archive/restore-point.ts'
import { verifyLogs } from '../../src/backup/archive/verify-logs.ts'
import { ArchivedWorld, inArchivedWorld } from './archived-world.ts'
import { openStore } from './backup-world.ts'

const DAY_MS = 86_400_000

async function piecesOf(world: ArchivedWorld): Promise<readonly PieceFile[]> {
  return (await archivedLogs(world.folder))[world.stretches - 1]!.pieces
}

test('each time between backups is restored as the store was, also while pieces are joined', async () => {
  await inArchivedWorld(async (world) => {
    const times: { readonly at: number; readonly rows: readonly string[] }[] = []
    const note = async (): Promise<void> =>
      void times.push({ at: world.now, rows: await world.session.rows() })
    await world.backUp()
    for (let i = 0; i < 70; i++) {
      await world.put([`r${i}`])
      await note()
      if (i === 40) await world.backUp()
    }
    // 60 small pieces have become one.
    expect((await piecesOf(world)).length).toBeLessThan(20)
    for (const { at, rows } of [times[0]!, times[17]!, times[40]!, times[55]!, times.at(-1)!]) {
      const restored = await world.restore(at, `r${at}`)
      expect(restored).toMatchObject({ asOf: at, fault: undefined, damage: [] })
      expect(await world.rows(`r${at}`)).toEqual(rows)
    }
    const [base] = (await world.destination.backups()).sound
    const first = await world.restore(times[60]!.at, 'first', { only: base!.name })
    expect(first.base).toBe(base!.name)
    expect(await world.rows('first')).toEqual(times[60]!.rows)
  })
})

test('a piece that another one replaces while it is read costs no entry', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    for (let i = 0; i < 9; i++) await world.put([`r${i}`])
    let reads = 0
    const restored = await world.restore(world.now, 'r', {
      onRead: async () => {
        if (++reads === 5) await world.join()
      },
    })
    expect(restored.fault).toBe(undefined)
    expect(await world.rows('r')).toHaveLength(9)
  })
})

test('damage ends the restored log before it, and is named; so is a missing piece', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    for (let i = 0; i < 9; i++) await world.put([`r${i}`])
    const pieces = await piecesOf(world)
    const { path } = pieces[5]!
    const bytes = await readFile(path)
    bytes[bytes.length - 40] = bytes[bytes.length - 40]! ^ 1
    await writeFile(path, bytes)
    const damaged = await world.restore(world.now, 'damaged')
    expect(damaged.fault).toMatchObject({ path, reason: expect.stringContaining('damaged at byte') })
    expect(damaged.asOf).toBeLessThan(world.now)
    const rows = await world.rows('damaged')
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.length).toBeLessThan(7)
    expect((await verifyLogs(world.folder, async () => undefined)).faults).toMatchObject([{ path }])
    await rm(path)
    const { faults } = await verifyLogs(world.folder, async () => undefined)
    expect(faults).toMatchObject([{ reason: 'part 6 of the archived log is missing' }])
    const { asOf, fault } = await world.restore(world.now, 'missing')
    expect(asOf).toBeLessThan(world.now)
    expect(fault).toEqual(faults[0])
    expect(await world.rows('missing')).toEqual(rows)
  })
})

test('a restore that is cut off goes on with the same time only', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    await world.put(['a'])
    const at = world.now
    await world.put(['b'])
    await world.restore(at, 'r')
    // As a kill leaves it: without the last files.
    await Promise.all(['manifest', 'manifest.copy'].map((name) => rm(join(world.at('r'), name))))
    const { name } = (await world.destination.backups()).sound[0]!
    await writeFile(join(world.at('r'), 'restore.unfinished'), `${name} and its logs to ${at}\n`)
    await writeFile(join(world.at('r'), 'wal', '0000000009.log'), 'of an earlier run')
    await writeFile(join(world.at('r'), 'wal', '0000000002.log.new'), 'half')
    await expect(openStore(world.at('r'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(world.restore(world.now, 'r')).rejects.toThrow(
      `go on with it by --backup ${name} --time ${at}`,
    )
    await world.restore(at, 'r')
    expect(await world.rows('r')).toEqual(['a=v'])
  })
})

test('of several backups and stretches the one that reaches the time is taken, else the one that comes nearest', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    const first = world.now
    await world.put(['a'])
    const end = world.now
    await world.newStretch()
    world.pass(10_000)
    await world.session.put(['in the gap'])
    world.pass(10_000)
    await world.backUp()
    const second = world.now
    await world.put(['b'])
    const { sound } = await world.destination.backups()
    const runs = await runsIn(world.folder)
    const pointAt = (time: number) => restorePoint(sound, runs, time)
    expect(pointAt(first - 5000)).toBe(undefined)
    expect(pointAt(end)).toMatchObject({ base: { name: sound[0]!.name }, asOf: end, nextAt: undefined })
    expect(pointAt(end + 5000)).toMatchObject({ base: { name: sound[0]!.name }, asOf: end, nextAt: second })
    expect(pointAt(second)).toMatchObject({ base: { name: sound[1]!.name }, asOf: second, logs: undefined })
    expect(pointAt(world.now)).toMatchObject({ base: { name: sound[1]!.name }, asOf: world.now })
    expect(pointAt(Number.POSITIVE_INFINITY)).toMatchObject({ asOf: world.now })
    const times = await restorableTimes(sound, runs)
    expect(times).toMatchObject([
      { from: first, to: end },
      { from: second, to: world.now },
    ])
  })
})

test('prune removes the logs that no kept backup needs, and never those that the server may need', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    await world.put(['a'])
    await world.newStretch()
    for (const row of ['b', 'c', 'd']) {
      await world.backUp()
      await world.put([row])
      world.pass(DAY_MS)
    }
    await world.put(['e'])
    const { sound } = await world.destination.backups()
    const prune = async (kept: readonly (typeof sound)[number][], days?: number) => {
      const newest = newestTimes(sound, await runsIn(world.folder), world.now)
      const parts = { folder: world.folder, kept, days, newest }
      const would = await pruneLogs({ ...parts, dryRun: true })
      const pruned = await pruneLogs({ ...parts, dryRun: false })
      expect(would).toEqual(pruned)
      expect(pruned.left.map(({ pieces }) => pieces)).toEqual(
        (await runsIn(world.folder)).map(({ pieces }) => pieces),
      )
      return pruned
    }
    const names = async () =>
      (await archivedLogs(world.folder)).map(({ pieces }) => pieces.map(({ first }) => first))
    const before = await names()
    await prune(sound)
    expect(await names()).toEqual([
      before[0]!.filter((first) => first >= 2),
      before[1]!.filter((first) => first >= 1),
    ])
    await prune(sound.slice(1), 1)
    const kept = await names()
    expect(kept).toHaveLength(1)
    const newest = newestTimes(sound, await runsIn(world.folder), world.now)
    expect([...neededForDays(sound, 1, newest)].map(({ name }) => name)).toEqual(
      sound.slice(-1).map(({ name }) => name),
    )
    // No backup is kept: the server may be making one.
    await prune([])
    const runs = await runsIn(world.folder)
    expect(runs).toHaveLength(1)
    expect(runs[0]!.pieces[0]!.header.moments).toEqual([sound.at(-1)!.backup.moment])
    await world.restore(world.now, 'r')
    expect(await world.rows('r')).toEqual(['a=v', 'b=v', 'c=v', 'd=v', 'e=v'])
    expect(await verifyLogs(world.folder, async () => undefined)).toMatchObject({ faults: [] })
  })
})
