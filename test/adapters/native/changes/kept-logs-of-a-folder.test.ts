/** Tools on a folder with logs that are kept for readers of changes. */

import { expect, test } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { checked, repaired, worst } from '../inspect/damaged-store.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'
import { ALL, changesOf, HOLD, KEEP } from './change-history.ts'

const SMALL_LOGS = { wal: { logBytesMax: 500, syncEveryBytes: 150 } }

async function held(): Promise<{ session: StoreUnderTest; kept: string[]; position: number }> {
  const session = await StoreUnderTest.open(SMALL_LOGS, undefined, Math.random)
  await session.createTable(tableOf('f'))
  const position = await changesOf(session).holdLog(HOLD, undefined, KEEP, OWN_CALL)
  for (let row = 0; row < 30; row++) await session.put([`r${row}`])
  await session.store.close()
  return { session, kept: session.paths('/s/wal/'), position }
}

test('a check finds nothing wrong with them, and warns where one is missing or damaged', async () => {
  const { session, kept } = await held()
  const { fileSystem } = session
  expect(kept.length).toBeGreaterThan(3)
  expect(worst(checked(fileSystem))).toEqual([])
  fileSystem.remove(kept[0]!)
  const damaged = Buffer.from(fileSystem.bytesOf(kept[1]!))
  damaged[60]! ^= 1
  fileSystem.replace(kept[1]!, damaged)
  const { check, findings } = checked(fileSystem)
  expect(check).toMatchObject({ errors: 0 })
  expect(findings.filter(({ severity }) => severity === 'warning').map(({ path }) => path)).toEqual(
    expect.arrayContaining([kept[0], kept[1]]),
  )
})

test('a damaged one ends its readers with its name, and no start', async () => {
  const { session, kept, position } = await held()
  const damaged = Buffer.from(session.fileSystem.bytesOf(kept[1]!))
  damaged[60]! ^= 1
  session.fileSystem.replace(kept[1]!, damaged)
  const again = await StoreUnderTest.open(SMALL_LOGS, session.fileSystem, Math.random)
  const first = await changesOf(again).readChanges(position, ALL, OWN_CALL)
  expect(first.changes.length).toBeGreaterThan(0)
  expect(first.left).toBeGreaterThan(0)
  await expect(changesOf(again).readChanges(first.position, ALL, OWN_CALL)).rejects.toMatchObject({
    code: 'CORRUPTION',
    message: expect.stringContaining(kept[1]!) as string,
  })
  await again.store.close()
})

test('a repair of other logs ends the holds: their readers would miss what is lost', async () => {
  const { session } = await held()
  const again = await StoreUnderTest.open(SMALL_LOGS, session.fileSystem, Math.random)
  for (let row = 0; row < 10; row++) await again.put([`s${row}`])
  const killed = again.fileSystem.killed()
  const closed = killed.paths().filter((path) => path.startsWith('/s/wal/'))
  const log = closed.at(-2)!
  const damaged = Buffer.from(killed.bytesOf(log))
  damaged[60]! ^= 1
  killed.replace(log, damaged)
  expect((await repaired(killed)).join('\n')).toContain('LOST')
  const later = await StoreUnderTest.open(SMALL_LOGS, killed, Math.random)
  expect((await changesOf(later).logHolds(OWN_CALL))[0]?.loss).toContain('repair')
  expect(await later.rows()).not.toHaveLength(0)
  await later.store.close()
})

test('a backup is a store without them, and without holds', async () => {
  const { session } = await held()
  const again = await StoreUnderTest.open(SMALL_LOGS, session.fileSystem, Math.random)
  const { folder } = await again.store.upkeep.backups!.beginBackup(OWN_CALL)
  const manifest = again.fileSystem.bytesOf(`${folder}/manifest`).toString('latin1')
  expect(manifest).not.toContain('keeping')
  await again.store.close()
})
