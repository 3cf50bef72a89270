/** Restores to a time where a destination has backups and no archived logs. */

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { MAIN } from '../harness/tidegate-process.ts'
import { inWorld } from './backup-world.ts'

test('warn where the time is not reached, with the exit code 1', { timeout: 120_000 }, async () => {
  await inWorld(async (world) => {
    await world.session.put(['a'])
    const { name, backup } = await world.create()
    let runs = 0
    const restored = (...args: readonly string[]): { status: number | null; stderr: string } => {
      const to = world.at(`restored-${runs++}`)
      const command = ['backup', 'restore', world.destination.folder, '--to', to, ...args]
      return spawnSync(process.execPath, [MAIN, ...command], { encoding: 'utf8' })
    }
    for (const args of [[], ['--backup', name], ['--time', String(backup.at)]]) {
      const { status, stderr } = restored(...args)
      expect([args, status, stderr]).toEqual([args, 0, expect.not.stringContaining('warning')])
    }
    const future = restored('--time', String(backup.at + 7_200_000))
    expect(future.stderr).toContain(`warning: there are only backups: this is the state of ${name}`)
    expect(future.stderr).toContain('which is 2 hours before the time that was asked for')
    expect(future.status).toBe(1)
    const latest = restored('--time', 'latest')
    expect(latest.stderr).toMatch(/warning: there are only backups: .* which is [\d.]+ seconds ago/)
    expect(latest.status).toBe(1)
  })
})
