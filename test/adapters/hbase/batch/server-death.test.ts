/** Batches over servers that die, move their regions away or do not answer. */

import { beforeEach, describe, expect, test } from 'vitest'
import { BatchGets } from '../../../../adapters/hbase/batch/batch-gets.ts'
import { type ItemFailure, runBatch } from '../../../../adapters/hbase/batch/run-batch.ts'
import type { MultiRequest } from '../../../../adapters/hbase/messages/multi-method.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { BatchMutations } from '../../../../adapters/hbase/write/batch-mutations.ts'
import { mutationSteps } from '../../../../adapters/hbase/write/mutation-steps.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { FakeCluster, TABLE } from '../fake-cluster.ts'

/** Of the regions from '' and n on server a, from h and t on server b. */
const ROWS = ['a', 'b', 'h', 'i', 'n', 'o', 't', 'u']
const SPLITS = ['h', 'n', 't']
const OF_A = ['a', 'b', 'n', 'o']

let fake: FakeCluster

beforeEach(() => {
  fake = new FakeCluster()
  fake.layOut(SPLITS, [])
})

function puts(): Promise<ItemFailure[]> {
  const batch = new MutationBatch()
  for (const row of ROWS) {
    const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
    batch.cells.append(Buffer.from(row), family, qualifier, 0, 1, CellType.Put, Buffer.from('v'))
    batch.endMutation()
  }
  const indexes = ROWS.map((_, index) => index)
  const steps = indexes.map((index) => mutationSteps(batch.blockOf(index))!)
  return runBatch(fake.cluster, new BatchMutations(TABLE, batch, indexes, steps), OWN_CALL)
}

/** Rows by how often their put has been carried out. */
function written(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { row } of fake.regions.flatMap(({ cells }) => cells)) {
    counts[row.toString()] = (counts[row.toString()] ?? 0) + 1
  }
  return counts
}

/** The rows of each Multi, as it was sent. */
function sentRows(): string[] {
  return (fake.requests as MultiRequest[]).map(({ regionActions }) =>
    regionActions.flatMap(({ mutations = [] }) => mutations.map(({ row }) => row.toString())).join(''),
  )
}

const times = (rows: readonly string[], count: number): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [row, count]))

describe('a server that dies in the middle of a batch', () => {
  test('after it has carried its part out: that part is sent once more, to where its regions are then', async () => {
    fake.after = () => {
      if (fake.calls.at(-1) !== 'Multi a') return
      fake.move(0)
      fake.move(2)
      throw new RpcError('CONNECTION_CLOSED', 'reset', { sent: true })
    }
    expect(await fake.passing(puts())).toEqual([])
    expect(sentRows().sort()).toEqual(['abno', 'abno', 'hitu'])
    expect(fake.calls.toSorted()).toEqual(['Multi a', 'Multi b', 'Multi b'])
    expect(written()).toEqual({ ...times(ROWS, 1), ...times(OF_A, 2) })
  })

  test('between the servers that take its regions', async () => {
    let deaths = 0
    fake.before = () => {
      if (fake.calls.at(-1) !== 'Multi a' || deaths++ > 0) return
      fake.move(0)
      fake.split('o')
      throw new RpcError('CONNECTION_CLOSED', 'reset', { sent: true })
    }
    expect(await fake.passing(puts())).toEqual([])
    expect(written()).toEqual(times(ROWS, 1))
  })

  test('for good: its part fails at the deadline, the rest is done', async () => {
    fake.before = () => {
      if (fake.calls.at(-1) === 'Multi a') throw new RpcError('CONNECTION_CLOSED', 'reset')
    }
    const start = fake.time.now()
    const failures = await fake.passing(puts())
    expect(failures.map(({ index }) => ROWS[index])).toEqual(OF_A)
    expect(new Set(failures.map(({ error }) => error.code))).toEqual(new Set(['UNAVAILABLE']))
    expect(fake.time.now() - start).toBeLessThanOrEqual(fake.cluster.options.operationTimeoutMs)
    expect(written()).toEqual(times(['h', 'i', 't', 'u'], 1))
  })

  test('loses no answer of a get that came before', async () => {
    expect(await fake.passing(puts())).toEqual([])
    fake.calls.length = 0
    let answers = 0
    fake.after = () => {
      if (fake.calls.at(-1) !== 'Multi a' || answers++ > 0) return
      fake.move(0)
      fake.move(2)
      throw new RpcError('CONNECTION_CLOSED', 'reset', { sent: true })
    }
    const batch = new BatchGets(
      TABLE,
      ROWS.map((row) => get(Buffer.from(row))),
    )
    expect(await fake.passing(runBatch(fake.cluster, batch, OWN_CALL))).toEqual([])
    expect(batch.results.map((result) => result?.count)).toEqual(ROWS.map(() => 1))
    expect(fake.calls.filter((call) => call === 'Multi b')).toHaveLength(2)
  })
})

test('an item without an answer does not count as done', async () => {
  let silences = 0
  fake.said = (results) => (silences++ < 2 ? results.slice(1) : results)
  expect(await fake.passing(puts())).toEqual([])
  const sent = sentRows()
  expect(sent.join('')).toHaveLength(ROWS.length + 2)
  expect(sent.length).toBeGreaterThan(2)
})
