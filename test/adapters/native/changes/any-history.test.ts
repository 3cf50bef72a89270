/** Readers of changes beside all that happens to a store. */

import fc from 'fast-check'
import { test } from 'vitest'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { TABLE, tableOf } from '../store-under-test.ts'
import { ChangeHistory } from './change-history.ts'

const options = { numRuns: testRuns(120), ...(SEED !== undefined && { seed: SEED }) }
const SMALL_LOGS = { wal: { logBytesMax: 400, syncEveryBytes: 150 } }
const OTHER = parseTableName('other')

const row = fc.constantFrom('a', 'd', 'k', 'p', 'z')
const family = fc.constantFrom('f', 'g')
const anyAction = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      rows: fc.uniqueArray(row, { minLength: 1 }),
      family,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), row, how: fc.nat({ max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other' as const), row }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), bytes: fc.constantFrom(1, 100, 10_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('power' as const),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
  },
  ...(
    [
      'flush',
      'flush',
      'split',
      'merge',
      'alter',
      'drop',
      'truncate',
      'restart',
      'kill',
      'full',
      'no sync',
      'anywhere',
    ] as const
  ).map((kind) => ({ weight: 1, arbitrary: fc.record({ kind: fc.constant(kind) }) })),
)
type Action = typeof anyAction extends fc.Arbitrary<infer Value> ? Value : never

async function begun(): Promise<ChangeHistory> {
  const history = await ChangeHistory.begin(SMALL_LOGS)
  const { catalog } = history.session.store
  await catalog.createTable(tableOf('f', 'g'), [Buffer.from('h')], OWN_CALL)
  await catalog.createTable({ ...tableOf('f'), name: OTHER }, [], OWN_CALL)
  return history
}

async function alter(history: ChangeHistory): Promise<void> {
  const { catalog } = history.session.store
  await catalog.modifyTable(tableOf('f'), OWN_CALL)
  history.forget(TABLE, 'g')
  await catalog.modifyTable(tableOf('f', 'g'), OWN_CALL)
}

async function remake(history: ChangeHistory): Promise<void> {
  const { catalog } = history.session.store
  await catalog.disableTable(OTHER, OWN_CALL)
  await catalog.deleteTable(OTHER, OWN_CALL)
  history.forget(OTHER)
  await catalog.createTable({ ...tableOf('f'), name: OTHER }, [], OWN_CALL)
}

async function changeRegions({ session }: ChangeHistory, kind: 'split' | 'merge'): Promise<void> {
  const { catalog, upkeep } = session.store
  const regions = await catalog.regions(TABLE, OWN_CALL)
  const [first, second] = regions
  if (kind === 'split')
    await upkeep
      .regions!.splitTable(TABLE, Buffer.from(first!.endKey.length === 0 ? 'h' : 'c'), OWN_CALL)
      .catch(() => undefined)
  else if (second !== undefined)
    await upkeep.regions!.mergeRegions([first!.name, second.name], false, OWN_CALL).catch(() => undefined)
}

async function fail(history: ChangeHistory, kind: 'full' | 'no sync'): Promise<void> {
  const { fileSystem, store } = history.session
  if (kind === 'full') fileSystem.failAppends({ after: 0, writtenBytes: 30 })
  else fileSystem.failSyncing = (path) => path.endsWith('.log')
  await history.put(['a', 'z'], 'f', (kind === 'full' ? 'USE_DEFAULT' : 'FSYNC_WAL') as 'USE_DEFAULT')
  fileSystem.repair()
  fileSystem.failSyncing = () => false
  await store.outage()
  if (kind === 'full') await history.afterFullDisk()
}

async function act(history: ChangeHistory, action: Action): Promise<void> {
  const { session } = history
  switch (action.kind) {
    case 'put':
      return history.put(action.rows, action.family)
    case 'delete': {
      const batch = new MutationBatch()
      const time = BigInt(history.next())
      const [at, f, q] = [Buffer.from(action.row), Buffer.from('f'), Buffer.from('q')]
      if (action.how === 0) batch.deleteFamily(at, f, time)
      else if (action.how === 1) batch.deleteColumn(at, f, q, time)
      else if (action.how === 2) batch.deleteVersion(at, f, q, time)
      else batch.deleteFamilyVersion(at, f, time)
      batch.endMutation()
      return history.mutate(batch)
    }
    case 'other': {
      const batch = new MutationBatch()
      batch
        .put(
          Buffer.from(action.row),
          Buffer.from('f'),
          Buffer.from('q'),
          Buffer.from(`v${history.next()}`),
          5n,
        )
        .endMutation()
      return history.mutate(batch, OTHER)
    }
    case 'read':
      return history.read(action.bytes)
    case 'power':
      return history.losePower(action.random)
    case 'flush':
      return session.flush()
    case 'split':
    case 'merge':
      return changeRegions(history, action.kind)
    case 'alter':
      return alter(history)
    case 'drop':
      return remake(history)
    case 'truncate':
      await session.store.catalog.disableTable(TABLE, OWN_CALL)
      return session.store.catalog.truncateTable(TABLE, true, OWN_CALL)
    case 'restart':
      return history.restart()
    case 'kill':
      return history.kill()
    case 'full':
    case 'no sync':
      return fail(history, action.kind)
    case 'anywhere':
      return history.readFromAnywhere()
  }
}

test('a reader sees the acknowledged changes behind any position, in order and once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 8, maxLength: 40 }), async (actions) => {
      const history = await begun()
      for (const action of actions) await act(history, action)
      await history.readFromAnywhere()
      await history.read(100)
      await history.session.store.close()
    }),
    options,
  )
})
