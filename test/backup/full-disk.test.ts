/** Disks that take no files: the device /dev/full in the place of a draft is one that is full. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onDiskOf, withDisk } from '../../src/backup/disk-fault.ts'
import { makeFolder, writeSafely } from '../../src/backup/safe-file.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'
import { inArchiveWorld } from './archive/archive-world.ts'
import { inWorld } from './backup-world.ts'

const onLinux = test.runIf(existsSync('/dev/full'))

test.each([
  ['ENOSPC', 'is full: free space there'],
  ['EDQUOT', 'this user may use on its disk is full'],
  ['EROFS', 'can only be read'],
])('%s is named with the folder and the remedy', async (code, text) => {
  const failure = Object.assign(new Error(`${code}: open`), { code })
  const named = onDiskOf('/dest', () => Promise.reject(failure))
  await expect(named).rejects.toThrow(text)
  await expect(named).rejects.toThrow(/^\/dest: .*\(E\w+: open\)$/)
})

test('another failure stays as it is, and so does one of the disk of a server', () => {
  const other = Object.assign(new Error('EIO: read'), { code: 'EIO' })
  expect(withDisk(other, '/dest')).toBe(other)
  const remote = new HBaseError('IO', 'flush', { cause: Object.assign(new Error('x'), { code: 'ENOSPC' }) })
  expect(withDisk(remote, '/dest')).toBe(remote)
})

onLinux('a draft that could not be written gives its room free', async () => {
  await inTemporaryFolder(async (folder) => {
    await symlink('/dev/full', join(folder, 'a.new'))
    await expect(writeSafely(join(folder, 'a'), 'text')).rejects.toThrow('ENOSPC')
    expect(await readdir(folder)).toEqual([])
    await writeSafely(join(folder, 'a'), 'text')
    expect(await readdir(folder)).toEqual(['a'])
  })
})

onLinux(
  'a folder that cannot be made is refused for the reason of the first one that is missing',
  async () => {
    await expect(makeFolder('/proc/tidegate/a/b')).rejects.toMatchObject({ path: '/proc/tidegate' })
  },
)

onLinux('a restore into a full folder says so, and the same command goes on once there is room', async () => {
  await inWorld(async (world) => {
    await world.session.put(['a'])
    await world.create()
    const to = world.at('restored')
    await mkdir(to)
    await symlink('/dev/full', join(to, 'restore.unfinished.new'))
    const restore = (): { readonly code: number | null; readonly errors: string } => {
      const args = [MAIN, 'backup', 'restore', world.at('dest'), '--to', to]
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return { code: status, errors: stderr }
    }
    const refused = restore()
    expect(refused.code).toBe(2)
    expect(refused.errors).toContain(`${to}: its disk is full: free space there (ENOSPC`)
    expect(restore().code).toBe(0)
    expect(await world.rows('restored')).toEqual(['a=v'])
    expect(await readdir(world.at('dest'))).not.toContain('lock')
  })
})

onLinux('an archive whose disk is full says so, and goes on once there is room', async () => {
  await inArchiveWorld(async (world) => {
    const { archiver, session } = world
    archiver.start()
    await world.passUntil(() => archiver.state.pieces === 1)
    const { folder } = (await world.stretches())[0]!
    await symlink('/dev/full', join(folder, '0000000002-0000000002.new'))
    await session.put(['a'])
    await world.passUntil(() => archiver.state.failure !== undefined)
    expect(world.logged.join()).toContain(
      `the log cannot be archived, and waits: ${world.folder}: its disk is full`,
    )
    await world.passUntil(() => archiver.state.failure === undefined)
    expect(await world.rows()).toEqual(['a'])
    expect(world.logged).toContain('info: the log is archived again')
  })
})
