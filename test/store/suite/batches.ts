import { describe, expect, test } from 'vitest'
import { EMPTY } from '../../../src/model/bytes.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ALL, block, change, long } from './row-operations.ts'
import { bytes, failure, failureTexts, type Session } from './store-under-test.ts'

/** Batches of mutations: no mutation stops another, and none sees another. */
export function describeBatches(start: () => Promise<Session>): void {
  describe('batches', () => {
    test('mutations that fail do not stop the others', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      const [f, q, v] = [bytes('f'), bytes('q'), bytes('v')]
      batch.put(bytes('a'), f, q, v, 5n).endMutation()
      batch.put(bytes('b'), bytes('nope'), q, v, 5n).endMutation()
      batch.put(bytes('b'), f, q, v, 5n).put(bytes('b'), bytes('none'), q, v, 5n).endMutation()
      batch.put(bytes('c'), f, q, v, 5n).endMutation()
      batch.deleteFamily(bytes('a'), bytes('zip')).endMutation()
      batch.put(bytes('d'), f, q, v, -3n).endMutation()
      const failures = await session.store.rows.mutate(session.table, batch, OWN_CALL)
      expect(failureTexts(failures)).toEqual([
        expect.stringMatching(/^1 NO_SUCH_COLUMN_FAMILY: Column family nope does not exist/),
        expect.stringMatching(/^2 NO_SUCH_COLUMN_FAMILY: Column family none does not exist/),
        expect.stringMatching(/^4 NO_SUCH_COLUMN_FAMILY: Column family zip does not exist/),
        '5 ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-3',
      ])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'c/f:q@5=v'])
    })

    test('of several families that are not there the first in byte order is named', async () => {
      const session = await start()
      await session.create(['f'])
      const cells = block('r', [
        ['zip:q', long(1n)],
        ['f:q', long(1n)],
        ['nope:q', long(1n)],
        ['none:q', long(1n)],
      ])
      const none = /^NO_SUCH_COLUMN_FAMILY: Column family none does not exist/
      for (const kind of ['mutate', 'increment', 'append'] as const) {
        expect(await failure(change(session, 'r', [{ kind, cells }]))).toMatch(none)
      }
      const batch = new MutationBatch()
      batch.put(bytes('r'), bytes('zip'), EMPTY, EMPTY).put(bytes('r'), bytes('none'), EMPTY, EMPTY)
      batch.deleteRow(bytes('r')).endMutation()
      expect(failureTexts(await session.store.rows.mutate(session.table, batch, OWN_CALL))).toEqual([
        expect.stringMatching(/^0 NO_SUCH_COLUMN_FAMILY: Column family none does not exist/),
      ])
    })

    test('a negative timestamp is reported before a family that is not there', async () => {
      const session = await start()
      await session.create(['f'])
      const cells = block('r', [
        ['nope:q', long(1n)],
        ['f:q', long(1n), -7n],
      ])
      for (const kind of ['mutate', 'increment', 'append'] as const) {
        expect(await failure(change(session, 'r', [{ kind, cells }]))).toBe(
          'ILLEGAL_ARGUMENT: Timestamp cannot be negative. ts=-7',
        )
      }
    })

    test('no mutation sees another, whatever their durabilities and times to live', async () => {
      const session = await start()
      session.needs('batchesAtOnce')
      await session.create(['f'], { VERSIONS: '10' })
      const [r, f, q] = [bytes('r'), bytes('f'), bytes('q')]
      const batch = new MutationBatch()
      batch.put(r, f, q, bytes('v'), 0n).endMutation({ durability: 'USE_DEFAULT' })
      batch.deleteVersion(r, f, q).endMutation({ durability: 'FSYNC_WAL' })
      batch.put(bytes('a'), f, q, bytes('v'), 5n).endMutation({ durability: 'SYNC_WAL', ttlMs: 2 ** 42 })
      batch.deleteVersion(bytes('a'), f, q).endMutation({ durability: 'ASYNC_WAL' })
      expect(await session.store.rows.mutate(session.table, batch, OWN_CALL)).toEqual([])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'r/f:q@0=v'])
    })

    test('nor where the rows of regions alternate; failures stay in order', async () => {
      const session = await start()
      session.needs('batchesAtOnce')
      await session.store.catalog.createTable(
        tableDescriptor(session.table, [familyDescriptor('f')]),
        [bytes('m')],
        OWN_CALL,
      )
      const [a, z, f, q] = [bytes('a'), bytes('z'), bytes('f'), bytes('q')]
      const batch = new MutationBatch()
      batch.put(a, f, q, bytes('v'), 5n).endMutation()
      batch.put(z, bytes('nope'), q, bytes('v'), 5n).endMutation()
      batch.put(z, f, q, bytes('v'), 5n).endMutation()
      batch.put(a, bytes('nope'), q, bytes('v'), 5n).endMutation()
      batch.deleteVersion(a, f, q).endMutation({ durability: 'FSYNC_WAL' })
      batch.deleteVersion(z, f, q).endMutation()
      const failures = await session.store.rows.mutate(session.table, batch, OWN_CALL)
      expect(failures.map(({ index }) => index)).toEqual([1, 3])
      await session.settle()
      expect(await session.scan()).toEqual(['a/f:q@5=v', 'z/f:q@5=v'])
    })

    test('of two puts to one column in one batch the later wins', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '10' })
      const batch = new MutationBatch()
      for (const value of ['first', 'second']) {
        batch.put(bytes('r'), bytes('f'), bytes('q'), bytes(value)).endMutation()
      }
      expect(await session.store.rows.mutate(session.table, batch, OWN_CALL)).toEqual([])
      await session.settle()
      expect(await session.get('r', ALL)).toEqual([`r/f:q@${session.clock.time}=second`])
    })

    test('an empty batch and an empty mutation change nothing', async () => {
      const session = await start()
      await session.create()
      expect(await session.store.rows.mutate(session.table, new MutationBatch(), OWN_CALL)).toEqual([])
      const batch = new MutationBatch()
      batch.endMutation()
      expect(await session.store.rows.mutate(session.table, batch, OWN_CALL)).toEqual([])
      await session.settle()
      expect(await session.scan()).toEqual([])
    })

    test.each(['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL'] as const)(
      'durability %s is read back at once',
      async (durability) => {
        const session = await start()
        await session.create()
        await session.change((batch) => batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v'), 5n), {
          durability,
        })
        expect(await session.get('r')).toEqual(['r/f:q@5=v'])
      },
    )

    test('a batch of many rows', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      for (let i = 0; i < 5000; i++) {
        const row = bytes(String((i * 7919) % 5000).padStart(4, '0'))
        batch.put(row, bytes('f'), bytes('q'), row, 5n).endMutation(DEFAULT_MUTATION_OPTIONS)
      }
      expect(await session.store.rows.mutate(session.table, batch, OWN_CALL)).toEqual([])
      await session.settle()
      const rows = await session.scan()
      expect(rows).toHaveLength(5000)
      expect(rows).toEqual([...rows].sort())
    })
  })
}
