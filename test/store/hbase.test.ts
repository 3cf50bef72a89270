/**
 * The suite on a real HBase, which TIDEGATE_EMPTY_HBASE names (HOST:PORT of its ZooKeeper) and which must hold nothing of
 * value: each case drops all of its tables and namespaces.
 */

import { describe, TestRunner } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import { describeStore } from './suite/describe-store.ts'
import { type StoreUnderTest, TestClock } from './suite/store-under-test.ts'

const address = process.env['TIDEGATE_EMPTY_HBASE']
const RESERVED = ['default', 'hbase']

const LEFT_OUT: StoreUnderTest['leavesOut'] = {
  flushesAtOnce: 'of two flushes of one table at once the master may never end the second',
  faultyComparators: 'HBase 2.6 compares the bytes of any comparator as a BinaryComparator does',
  splitsAtOnce: 'regions with halves of files stay as they are for minutes: test/adapters/hbase/maintain',
  noncesOfPuts: 'HBase heeds the nonces of increments and appends only',
  progress: 'a cluster reports nothing of rows that it does not show',
  scannersOfGoneTables: 'a scanner goes on with what its client has read ahead when its table has gone',
  slowScans: 'a region server may answer before it hears that the client has gone',
  stillTime: 'HBase goes by its own clock',
  tags: 'a cluster makes tags of attributes itself; those of cells: test/adapters/hbase/rows/live-tags.test.ts',
  timeLimit: 'a region server ends a batch when it pleases',
  watch: "a cluster does not report other clients' changes",
}

/** HBase has its own clock: cases that read or move the clock are left out. */
function leaveOut(): never {
  throw TestRunner.getCurrentTest()!.context.skip('HBase goes by its own clock')
}

function open(): Promise<Store> {
  const colon = address!.lastIndexOf(':')
  const server = { host: address!.slice(0, colon), port: Number(address!.slice(colon + 1)) }
  return openHBaseStore({
    cluster: { registry: 'either', servers: [server], znodeParent: '/hbase' },
    options: DEFAULT_HBASE_OPTIONS,
    user: 'root',
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}

async function dropAll(store: Store): Promise<void> {
  const { snapshots } = store.upkeep
  for (const { name } of (await snapshots?.listSnapshots(OWN_CALL)) ?? [])
    await snapshots?.deleteSnapshot(name, OWN_CALL)
  const tables = await store.catalog.listTables(OWN_CALL)
  await Promise.all(
    tables.map(async ({ name }) => {
      if ((await store.catalog.tableState(name, OWN_CALL)) === 'ENABLED')
        await store.catalog.disableTable(name, OWN_CALL)
      await store.catalog.deleteTable(name, OWN_CALL)
    }),
  )
  const namespaces = await store.catalog.listNamespaces(OWN_CALL)
  for (const { name } of namespaces)
    if (!RESERVED.includes(name)) await store.catalog.deleteNamespace(name, OWN_CALL)
}

describe.skipIf(address === undefined)('a cluster', { timeout: 60_000 }, () => {
  describeStore('hbase', async () => {
    const store = await open()
    return {
      store,
      leavesOut: LEFT_OUT,
      clock: Object.defineProperty(new TestClock(), 'time', { get: leaveOut, set: leaveOut }),
      async close() {
        // The case may have closed its store.
        const cleaner = await open()
        await dropAll(cleaner)
        await cleaner.close()
        await store.close()
      },
    }
  }, ['as written'])
})
