import { describe, expect, test } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { failureOf } from '../../../../adapters/hbase/retry/failure.ts'
import { Retrier } from '../../../../adapters/hbase/retry/retrier.ts'
import { storeError } from '../../../../adapters/hbase/retry/store-error.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { bytes, NO_GET_LIMITS, NO_LIMITS } from '../../../store/suite/store-under-test.ts'
import { type FakeCluster, TABLE } from '../fake-cluster.ts'
import { remote } from '../remote.ts'
import { puts, start } from '../store-on-fake-cluster.ts'
import { DO_NOT_RETRY_CLASSES } from './do-not-retry-classes.ts'

const HBASE = 'org.apache.hadoop.hbase'
/** Their scanner is gone, or their master: another one may answer. */
const ANOTHER_MAY = new Set(['exceptions.MasterStoppedException'])

/** As RpcServer.call answers with what is no IOException. */
function wrapped(cause: string, message: string, ...behind: string[]): RemoteException {
  const javaClass = 'java.io.IOException'
  const text = message === '' ? '' : `: ${message}`
  const server = '\tat org.apache.hadoop.hbase.ipc.RpcServer.call(RpcServer.java:511)'
  const stackTrace = [`${javaClass}${text}`, server, `Caused by: ${cause}${text}`, ...behind].join('\n')
  return new RemoteException({ javaClass, stackTrace })
}

const INCOMPATIBLE = wrapped(
  `${HBASE}.filter.IncompatibleFilterException`,
  'Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow',
  `\tat ${HBASE}.client.Scan.setBatch(Scan.java:655)`,
)
const IN_A_FILTER = `\tat ${HBASE}.filter.BigDecimalComparator.compareTo(BigDecimalComparator.java:72)`
const IN_A_CACHE = `\tat ${HBASE}.io.hfile.bucket.BucketCache.getBlock(BucketCache.java:553)`

describe('an exception is final', () => {
  test.each(DO_NOT_RETRY_CLASSES.filter((name) => !ANOTHER_MAY.has(name)))('%s', (name) => {
    expect(failureOf(remote(name)).kind).toBe('final')
  })

  test.each([
    ['that concerns the filter alone', INCOMPATIBLE],
    ['of an array, whose frames are left out', wrapped('java.lang.ArrayIndexOutOfBoundsException', '')],
    ['of an operator that never holds', wrapped('java.lang.RuntimeException', 'Unknown Compare op NO_OP')],
    ['of a null pointer in a filter', wrapped('java.lang.NullPointerException', 'val', IN_A_FILTER)],
    ['of a filter that nests too deep', wrapped('java.lang.StackOverflowError', '')],
    ['that says so, within another', wrapped(`${HBASE}.DoNotRetryIOException`, 'no')],
    ['of one action', remote('filter.IncompatibleFilterException')],
  ])('%s', (_, error) => {
    expect(failureOf(error).kind).toBe('final')
  })

  test('and is reported as one that no client repeats', () => {
    expect(storeError(INCOMPATIBLE)).toMatchObject({
      code: 'DO_NOT_RETRY',
      message: `${HBASE}.filter.IncompatibleFilterException: ${INCOMPATIBLE.message}`,
      javaClass: `${HBASE}.DoNotRetryIOException`,
    })
  })
})

test.each([
  ['an IOException alone', new RemoteException({ javaClass: 'java.io.IOException', stackTrace: '' })],
  ['a file that was not there', wrapped('java.io.FileNotFoundException', 'f')],
  ['a null pointer of a server that stops', wrapped('java.lang.NullPointerException', '', IN_A_CACHE)],
  ['a server that stops its threads', wrapped('java.util.concurrent.RejectedExecutionException', '')],
  ['an interrupted thread', wrapped('java.lang.InterruptedException', '')],
  ['no memory', wrapped('java.lang.OutOfMemoryError', 'heap')],
  [
    'a failing disk',
    wrapped('java.lang.RuntimeException', 'x', 'Caused by: java.io.IOException: Input/output error'),
  ],
  ['a closed region', remote('NotServingRegionException')],
  ['a log that is full', remote('regionserver.wal.WALSyncTimeoutIOException')],
])('another attempt may succeed after %s', (_, error) => {
  expect(failureOf(error).kind).not.toBe('final')
})

type Store = ReturnType<typeof start>['store']

function failNextOnly(fake: FakeCluster, error: RemoteException): void {
  fake.cellsOfAnswer = () => 1
  fake.before = (_, request) => {
    if ((request as { kind?: string }).kind === 'next') throw error
  }
}

const all = (fake: FakeCluster, error: RemoteException): void => {
  fake.before = () => {
    throw error
  }
}

async function scanAll(store: Store): Promise<void> {
  const scanner = await openScanner(store, TABLE, scan(), OWN_CALL)
  while ((await scanner.next({ ...NO_LIMITS, rows: 1 }, OWN_CALL)).ended !== 'scan');
}

/** The requests, how often each is sent until a final failure is reported, and the place of the failure in the answer. */
const PATHS: readonly {
  readonly name: string
  readonly asks: (store: Store) => Promise<unknown>
  readonly calls: number
  readonly fail?: (fake: FakeCluster, error: RemoteException) => void
}[] = [
  {
    name: 'a get',
    asks: (store) => store.rows.get(TABLE, [get(bytes('a'))], NO_GET_LIMITS, OWN_CALL),
    calls: 1,
  },
  {
    name: 'gets',
    asks: (store) => store.rows.get(TABLE, [get(bytes('a')), get(bytes('b'))], NO_GET_LIMITS, OWN_CALL),
    calls: 1,
  },
  { name: 'the opening of a scan', asks: scanAll, calls: 1 },
  { name: 'a scan that has begun', asks: scanAll, calls: 2, fail: failNextOnly },
  { name: 'a Multi of changes', asks: (store) => changed(store), calls: 1 },
  {
    name: 'one action of a Multi',
    asks: (store) => changed(store),
    calls: 1,
    fail: (fake, exception) => {
      fake.said = (results) => results.map((result) => ({ ...result, exception }))
    },
  },
  {
    name: 'one region of a Multi',
    asks: (store) => changed(store),
    calls: 1,
    fail: (fake, exception) => {
      fake.said = () => {
        throw exception
      }
    },
  },
]

async function changed(store: Store): Promise<void> {
  const [failure] = await store.rows.mutate(TABLE, puts('a', 'b'), OWN_CALL)
  if (failure !== undefined) throw failure.error
}

describe.each(PATHS)('$name', ({ asks, calls, fail = all }) => {
  test.each([
    INCOMPATIBLE,
    remote('DoNotRetryIOException'),
    remote('regionserver.NoSuchColumnFamilyException'),
    remote('security.AccessDeniedException'),
    remote('quotas.SpaceLimitingException'),
    remote('io.hfile.CorruptHFileException'),
    remote('client.RowTooBigException'),
  ])('is answered at once by %s', async (error) => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'c'), OWN_CALL))
    fake.calls.length = 0
    fail(fake, error)
    await expect(fake.passing(asks(store))).rejects.toMatchObject({ code: storeError(error).code })
    expect(fake.calls).toHaveLength(calls)
    expect(fake.cluster.retrier.retries).toBe(0)
  })

  test.each([
    remote('RegionTooBusyException'),
    remote('NotServingRegionException'),
    remote('CallQueueTooBigException'),
    wrapped('java.io.FileNotFoundException', 'f'),
  ])('tries again after %s', async (error) => {
    const { fake, store } = start()
    await fake.passing(store.rows.mutate(TABLE, puts('a', 'b', 'c'), OWN_CALL))
    fake.calls.length = 0
    fail(fake, error)
    const answer = fake.passing(asks(store))
    while (fake.cluster.retrier.retries < 2) await new Promise(setImmediate)
    fake.before = () => undefined
    fake.said = (results) => results
    await answer
    expect(fake.calls.length).toBeGreaterThan(calls)
  })
})

test('a call of the master is answered at once by a final failure', async () => {
  const { fake } = start()
  const retrier = new Retrier(fake.time, () => 0, DEFAULT_HBASE_OPTIONS)
  for (const error of [
    INCOMPATIBLE,
    remote('TableExistsException'),
    remote('snapshot.SnapshotExistsException'),
  ]) {
    let asked = 0
    const asking = retrier.retrying('createTable of t', OWN_CALL, async () => {
      asked++
      throw error
    })
    await expect(fake.passing(asking)).rejects.toMatchObject({ code: storeError(error).code })
    expect(asked).toBe(1)
  }
})
