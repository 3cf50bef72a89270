import { expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import type { FileSystem } from '../../../../adapters/native/platform/file-system.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'

const TABLE = parseTableName('t')
const REGIONS = 64

test('the flushes of many small regions begin in turns of the event loop', async () => {
  const counted = { most: 0, inTurn: 0, all: 0, isOver: false }
  const disk = new CrashableFileSystem()
  const fileSystem = new Proxy<FileSystem>(disk, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        if (name === 'open' && args[1] === 'create' && String(args[0]).includes('/data/')) {
          counted.all++
          counted.most = Math.max(counted.most, ++counted.inTurn)
        }
        return Reflect.apply(member, target, args) as unknown
      }
    },
  })
  const store = await openNativeStore({ directory: '/s', fileSystem, clock: Date, random: Math.random })
  const keys = Array.from({ length: REGIONS }, (_, index) => Buffer.from([index + 1]))
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), keys.slice(1), OWN_CALL)
  const batch = new MutationBatch()
  for (const key of keys) batch.put(key, Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  const turns = (async () => {
    while (!counted.isOver) {
      counted.inTurn = 0
      await new Promise(setImmediate)
    }
  })()
  await store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
  counted.isOver = true
  await turns
  expect(counted.all).toBe(REGIONS)
  expect(counted.most).toBeLessThanOrEqual(6)
  await store.close()
})
