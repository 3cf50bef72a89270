/** The words are those of a real HBase 2.6.1 with hbase.quota.enabled. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../../src/model/mutation.ts'
import type { SpaceViolationPolicy } from '../../../../src/model/quota.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { callOf, IN_NS, LimitedStore, outcome, T } from './limited-store.ts'

let limited: LimitedStore

beforeEach(async () => {
  limited = await LimitedStore.open()
})

afterEach(() => limited.close())

function limit(policy: SpaceViolationPolicy, limitBytes = 100n): Promise<void> {
  return limited.set({ table: T, space: { quota: { limitBytes, policy, isRemoved: undefined } } })
}

function sized(bytes: bigint, table = T): void {
  limited.sizes.splice(0, limited.sizes.length, { table, bytes })
}

function increment(): Promise<unknown> {
  const batch = new MutationBatch().put(
    Buffer.from('i'),
    Buffer.from('f'),
    Buffer.from('q'),
    Buffer.alloc(8, 0),
  )
  batch.endMutation()
  const operations = [{ kind: 'increment' as const, cells: batch.blockOf(0) }]
  const mutation = { row: Buffer.from('i'), operations, options: DEFAULT_MUTATION_OPTIONS }
  return limited.store.rows.mutateRow(T, mutation, callOf('joe'))
}

function refused(policy: string, name: string): string {
  return `${policy} ${name}s are disallowed due to a space quota.`
}

describe('a table that takes more space than it may', () => {
  test.each<[SpaceViolationPolicy, boolean]>([
    ['NO_INSERTS', true],
    ['NO_WRITES', false],
    ['NO_WRITES_COMPACTIONS', false],
  ])('%s', async (policy, maybeDeletes) => {
    await limit(policy)
    sized(100n)
    limited.pass(1000)
    expect(await outcome(limited.put())).toBe('ok')
    sized(101n)
    limited.pass(1000)
    expect(await outcome(limited.put())).toBe(refused(policy, 'Put'))
    expect(await outcome(increment())).toBe(refused(policy, 'Increment'))
    expect(await outcome(limited.remove())).toBe(maybeDeletes ? 'ok' : refused(policy, 'Delete'))
    expect(await outcome(limited.get())).toBe('ok')
    expect(await outcome(limited.put('joe', IN_NS))).toBe('ok')
    sized(50n)
    limited.pass(1000)
    expect(await outcome(limited.put())).toBe('ok')
  })

  test('NO_WRITES_COMPACTIONS keeps compactions back, also those of a region by any of its names', async () => {
    const { catalog, upkeep } = limited.store
    const [region] = await catalog.regions(T, OWN_CALL)
    const names = [region!.name, Buffer.from(region!.encodedName)]
    const compaction = { major: true }
    const compact = async (): Promise<void> => {
      await upkeep.compactions!.compactTable(T, compaction, callOf('joe'))
      for (const name of names) await upkeep.compactions!.compactRegion(name, compaction, callOf('joe'))
    }
    await limit('NO_WRITES_COMPACTIONS')
    sized(101n)
    limited.pass(1000)
    await compact()
    expect(limited.compacted).toEqual([])
    sized(50n)
    limited.pass(1000)
    await compact()
    expect(limited.compacted).toEqual([T, ...names.map((name) => name.toString('latin1'))])
  })

  test("the error is HBase's, and each mutation of a batch has it", async () => {
    await limit('NO_INSERTS')
    sized(1000n)
    limited.pass(1000)
    const batch = new MutationBatch().put(
      Buffer.from('a'),
      Buffer.from('f'),
      Buffer.from('q'),
      Buffer.from('v'),
    )
    batch.endMutation()
    batch.deleteRow(Buffer.from('b')).endMutation()
    const failures = await limited.store.rows.mutate(T, batch, callOf('joe'))
    expect(failures.map(({ index }) => index)).toEqual([0, 1])
    expect(failures[0]!.error).toMatchObject({
      code: 'DO_NOT_RETRY',
      javaClass: 'org.apache.hadoop.hbase.quotas.SpaceLimitingException',
    })
  })

  test('DISABLE disables it, and it comes back with the limit gone', async () => {
    sized(1000n)
    await limit('DISABLE')
    const { catalog } = limited.store
    expect(await catalog.tableState(T, OWN_CALL)).toBe('DISABLED')
    await expect(catalog.enableTable(T, callOf('joe'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      message: "Enabling the table 't' is disallowed due to a violated space quota.",
    })
    await limited.set({
      table: T,
      space: { quota: { limitBytes: undefined, policy: undefined, isRemoved: true } },
    })
    expect(await catalog.tableState(T, OWN_CALL)).toBe('ENABLED')
  })

  test("a namespace's limit is that of its tables together", async () => {
    const quota = { limitBytes: 100n, policy: 'NO_INSERTS', isRemoved: undefined } as const
    await limited.set({ namespace: 'ns', space: { quota } })
    sized(1000n, IN_NS)
    limited.pass(1000)
    expect(await outcome(limited.put('joe', IN_NS))).toBe(refused('NO_INSERTS', 'Put'))
    expect(await outcome(limited.put())).toBe('ok')
  })
})

test('sizes are looked at once a second, not for each request', async () => {
  await limit('NO_WRITES')
  sized(1000n)
  limited.pass(1000)
  expect(await outcome(limited.put())).not.toBe('ok')
  sized(0n)
  limited.pass(999)
  expect(await outcome(limited.put())).not.toBe('ok')
  limited.pass(1)
  expect(await outcome(limited.put())).toBe('ok')
})
