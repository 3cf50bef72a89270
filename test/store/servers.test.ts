/**
 * The suite on Tidegate's own doors of REST and Thrift, by the adapters that ask them. A case that needs something for which the
 * protocol has no words is left out, with the adapter's refusal as the reason.
 */

import { TestRunner } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import type { ServerOptions } from '../../adapters/servers/requests/server-options.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import type { Store } from '../../src/store/store.ts'
import { openDoorsOver, restStoreOn, thriftStoreOn } from '../harness/doors-over-store.ts'
import { describeStore } from './suite/describe-store.ts'
import { type StoreUnderTest, TestClock } from './suite/store-under-test.ts'

const LEFT_OUT: NonNullable<StoreUnderTest['leavesOut']> = {
  asOf: 'the protocols have no reads of the past',
  batchesAtOnce: 'puts and deletes of a batch are requests of their own, one after the other',
  noncesOfPuts: 'the protocols have no nonces',
  progress: 'a server reports nothing of rows that it does not show',
  regionTargets: 'the protocols know tables alone',
  scannersOfGoneTables: 'a server goes on with what it has read ahead when its table has gone',
  slowOpenings: 'the first request of a scan reads until it has rows, or has seen all',
  slowScans: 'a server may answer before it hears that the client has gone',
  tags: 'the protocols have no tags',
  timeLimit: 'a server ends a batch when it pleases',
  watch: "a server does not report other clients' changes",
}

interface Ports {
  readonly rest: number
  readonly thrift: number
}

/** A request that the protocol cannot express ends the case. */
function leavingOut<Facet extends object>(facet: Facet): Facet {
  return new Proxy(facet, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]): Promise<unknown> => {
        try {
          const answer = await (value as (...given: unknown[]) => unknown).apply(target, args)
          if (Array.isArray(answer)) for (const each of answer) skipFor((each as { error?: unknown }).error)
          return answer
        } catch (error) {
          skipFor(error)
          throw error
        }
      }
    },
  })
}

function skipFor(error: unknown): void {
  if (isHBaseError(error) && error.code === 'UNSUPPORTED')
    TestRunner.getCurrentTest()!.context.skip(error.message)
}

async function opened(
  open: (ports: Ports, options: Partial<ServerOptions>) => Store,
  more: Partial<typeof LEFT_OUT> = {},
): Promise<StoreUnderTest> {
  const clock = new TestClock()
  const behind = openMemoryStore({ clock })
  const doors = await openDoorsOver(behind)
  // Calls of the suite have deadlines by the suite's clock.
  const time = { now: () => clock.now(), pause: () => Promise.resolve() }
  const store = open(doors.ports, { time })
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
    leavesOut: { ...LEFT_OUT, ...more },
    close: async () => {
      await store.close()
      await doors.close()
      await behind.close()
    },
  }
}

const LEFT_OUT_BY_REST: Partial<typeof LEFT_OUT> = {
  dropsOfEnabledTables: 'a server of REST disables a table before it drops it',
  onlyOneCreation: 'a server of REST changes an existing table where it should create one',
}

describeStore('REST', () => opened(({ rest }, options) => restStoreOn(rest, options), LEFT_OUT_BY_REST), [
  'as written',
])
describeStore('Thrift', () => opened(({ thrift }, options) => thriftStoreOn(thrift, 'buffered', options)), [
  'as written',
])
