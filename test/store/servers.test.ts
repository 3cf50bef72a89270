/**
 * The suite on Tidegate's own doors of REST and Thrift, by the adapters that ask them. A case that needs something for which the
 * protocol has no words is left out, with the adapter's refusal as the reason.
 */

import { TestRunner } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { openDoorsOver, restStoreOn, thriftStoreOn } from '../harness/doors-over-store.ts'
import { describeStore } from './suite/describe-store.ts'
import { type StoreUnderTest, TestClock } from './suite/store-under-test.ts'

const LEFT_OUT: NonNullable<StoreUnderTest['leavesOut']> = {
  asOf: 'the protocols have no reads of the past',
  noncesOfPuts: 'the protocols have no nonces',
  progress: 'a server tells nothing of rows that it does not show',
  regionTargets: 'the protocols know tables alone',
  scannersOfGoneTables: 'a server goes on with what it has read ahead when its table has gone',
  slowScans: 'a server may answer before it hears that the client has gone',
  tags: 'the protocols have no tags',
  timeLimit: 'a server ends a batch when it pleases',
  watch: 'a server does not tell what others change',
}

/** What the protocol has no words for ends the case. */
function leavingOut<Facet extends object>(facet: Facet): Facet {
  return new Proxy(facet, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          return await (value as (...given: unknown[]) => unknown).apply(target, args)
        } catch (error) {
          if (isHBaseError(error) && error.code === 'UNSUPPORTED')
            TestRunner.getCurrentTest()!.context.skip(error.message)
          throw error
        }
      }
    },
  })
}

async function opened(open: (ports: { rest: number; thrift: number }) => Store): Promise<StoreUnderTest> {
  const clock = new TestClock()
  const behind = openMemoryStore({ clock })
  const doors = await openDoorsOver(behind)
  const store = open(doors.ports)
  return {
    store: {
      kind: store.kind,
      rows: leavingOut(store.rows),
      handouts: store.handouts,
      catalog: leavingOut(store.catalog),
      upkeep: store.upkeep,
      clusterId: () => leavingOut(store).clusterId(),
      metrics: () => store.metrics(),
      outage: () => store.outage(),
      damage: () => store.damage(),
      troubles: () => store.troubles(),
      close: () => store.close(),
    },
    clock,
    leavesOut: LEFT_OUT,
    close: async () => {
      await store.close()
      await doors.close()
      await behind.close()
    },
  }
}

describeStore('REST', () => opened(({ rest }) => restStoreOn(rest)), ['as written'])
describeStore('Thrift', () => opened(({ thrift }) => thriftStoreOn(thrift)), ['as written'])
describeStore('framed Thrift', () => opened(({ thrift }) => thriftStoreOn(thrift, 'framed')), ['as written'])
