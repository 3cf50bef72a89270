/** The backup that a restore takes. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chosenPoint } from '../../../src/cli/backup/chosen-point.ts'
import { inArchivedWorld } from '../../backup/archived-world.ts'

test('a restore that was cut off goes on from its backup, also where a nearer one has come meanwhile', async () => {
  await inArchivedWorld(async (world) => {
    await world.backUp()
    await world.put(['a'])
    await world.backUp()
    await world.put(['b'])
    await world.note()
    const [first, second] = (await world.destination.backups()).sound
    const time = world.now - 1
    const to = { kind: 'folder', folder: world.at('restored') } as const
    const chosen = async (at: number): Promise<string> =>
      (await chosenPoint(world.destination, { to, time: at })).base.name
    expect(await chosen(time)).toBe(second!.name)
    await mkdir(to.folder)
    await writeFile(join(to.folder, 'restore.unfinished'), `${first!.name} and its logs to ${time}\n`)
    expect(await chosen(time)).toBe(first!.name)
    expect(await chosen(Number.POSITIVE_INFINITY)).toBe(first!.name)
    await expect(chosenPoint(world.destination, { to, time, server: 'rpc:other:1' })).rejects.toThrow(
      'has no backup of rpc:other:1',
    )
    // Another restore: it is refused later, with the words of the begun one.
    expect(await chosen(time - 1)).toBe(second!.name)
  })
})
