import { expect, it } from 'vitest'
import { newClusterId } from '../../../../adapters/native/manifest/cluster-id.ts'
import { Manifest } from '../../../../adapters/native/manifest/manifest.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'

/** A random source that never says the same twice. */
function counting(): () => number {
  let count = 0
  return () => (++count * 0.618_034) % 1
}

it('is a UUID of the random source', () => {
  const random = counting()
  const ids = [newClusterId(random), newClusterId(random)]
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(ids[0]).not.toBe(ids[1])
  expect(newClusterId(() => 0)).toBe('00000000-0000-4000-8000-000000000000')
  expect(newClusterId(() => 0.999_999)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})

it('stays what it was, after a kill, a power loss, a close and a manifest that was written anew', async () => {
  const random = counting()
  const first = await StoreUnderTest.open({}, new CrashableFileSystem(), random)
  const id = await first.store.clusterId()
  const killed = await StoreUnderTest.open({}, first.fileSystem.killed(), random)
  expect(await killed.store.clusterId()).toBe(id)
  const lost = await StoreUnderTest.open(
    {},
    killed.fileSystem.powerLost(() => 0),
    random,
  )
  expect(await lost.store.clusterId()).toBe(id)
  await lost.createTable(tableOf('f'))
  await lost.store.close()
  const { fileSystem } = lost
  fileSystem.remove('/s/manifest')
  const reopened = await StoreUnderTest.open({}, fileSystem, random)
  expect(reopened.logged).toEqual([expect.stringContaining('manifest is missing')])
  expect(await reopened.store.clusterId()).toBe(id)
  await reopened.store.close()
  const last = await StoreUnderTest.open({}, fileSystem, random)
  expect(await last.store.clusterId()).toBe(id)
  const another = await StoreUnderTest.open({}, new CrashableFileSystem(), random)
  expect(await another.store.clusterId()).not.toBe(id)
})

it('is made by the first start of a store that has none', async () => {
  const fileSystem = new CrashableFileSystem()
  const older = new Manifest(fileSystem, '/s', () => undefined)
  await older.open(
    () => undefined,
    () => [{ kind: 'counters', nextNumber: 7, nextSequenceId: 9 }],
  )
  older.close()
  const random = counting()
  const first = await StoreUnderTest.open({}, fileSystem, random)
  const id = await first.store.clusterId()
  await first.createTable(tableOf('f'))
  await first.put(['a'])
  const again = await StoreUnderTest.open({}, first.fileSystem.killed(), random)
  expect(await again.store.clusterId()).toBe(id)
  expect(await again.rows()).toEqual(['a=v'])
})
