/** Each operation of the seam's table crosses with its arguments and its answer, and so do the signals of calls. */

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { OPERATIONS } from '../../../src/store/operations.ts'
import { ALL_OPERATIONS } from '../../../src/store/port/port-messages.ts'
import { connectStore } from '../../../src/store/port/port-store.ts'
import { serveStore } from '../../../src/store/port/serve-store.ts'
import { threadStore } from '../../../src/store/port/thread-store.ts'
import type { Store } from '../../../src/store/store.ts'

type Method = (...args: unknown[]) => unknown
type Facets = Record<string, Record<string, unknown>>

let ports: { readonly port1: MessagePort; readonly port2: MessagePort }
/** The latest call, as it came to the store. */
let called: { readonly name: string; readonly args: readonly unknown[] }
let answer: (args: readonly unknown[]) => unknown

/** A store of every operation. */
function answeringStore(): Store {
  const facets: Facets = {}
  for (const { facet, method } of ALL_OPERATIONS) {
    ;(facets[facet] ??= {})[method] = async (...args: unknown[]) => {
      called = { name: `${facet}.${method}`, args }
      return answer(args)
    }
  }
  const { rows, handouts, catalog, ...upkeep } = facets
  return {
    kind: 'k',
    rows,
    handouts,
    catalog: { ...catalog, hasSystemTables: true },
    upkeep,
  } as unknown as Store
}

function methodOf(store: Store, facet: string, method: string): Method {
  const { rows, handouts, catalog, upkeep } = store
  const facets = { rows, handouts, catalog, ...upkeep } as unknown as Facets
  return facets[facet]![method] as Method
}

beforeEach(() => {
  ports = new MessageChannel()
  answer = (args) => args[0]
})
afterEach(() => ports.port1.close())

async function connected(store: Store): Promise<Store> {
  serveStore(store, ports.port2)
  return await connectStore(ports.port1)
}

test.each(ALL_OPERATIONS)('$facet.$method', async ({ facet, method, call: place }) => {
  const store = await connected(answeringStore())
  const call: Call = {
    principal: { user: 'u', realUser: 'r' },
    client: '10.0.0.1:1',
    address: '10.0.0.1',
    deadline: 5,
    signal: undefined,
    trace: 't',
    priority: 100,
    withTags: true,
    memory: { bytes: 1, waits: undefined },
    isOwn: false,
  }
  const args: unknown[] = Array.from({ length: (place ?? 0) + 1 }, (_, i) => ({ i, key: Buffer.from('k') }))
  if (place !== undefined) args[place] = call
  const answered = methodOf(store, facet, method)(...args)
  if (method === 'release') {
    await store.handouts.closeScanner(1)
    return
  }
  const sent = place === undefined ? args : args.with(place, { ...call, memory: undefined })
  expect(await answered).toEqual(sent[0])
  expect(called).toEqual({ name: `${facet}.${method}`, args: sent })
})

test('facts and missing parts arrive', async () => {
  const { rows, handouts, catalog } = answeringStore()
  const reach = {
    protocol: 'REST',
    readsMarkers: true,
    writesAllMarkers: true,
  } as unknown as Store['reach'] & {}
  const parts = { kind: 'other', rows, handouts, catalog, upkeep: {}, reach, carriesTags: true }
  const store = await connected(parts as unknown as Store)
  expect(store).toMatchObject({ kind: 'other', reach, carriesTags: true, upkeep: {} })
  expect(store.catalog.hasSystemTables).toBe(true)
})

test('what a store lends is copied and given back before the caller has its answer', async () => {
  const cells = new CellBlock(Buffer.from('lent'))
  const released: number[] = []
  const store = answeringStore()
  Object.assign(store.handouts, { release: (loan: number) => released.push(loan) })
  const there = await connected(store)
  answer = () => ({ cells, counts: [1], loan: 7 })
  const results = await there.rows.get('t' as never, [], { bytes: 1 }, OWN_CALL)
  expect(results.loan).toBeUndefined()
  expect(results.cells.buffer.toString()).toBe('lent')
  answer = () => ({ results: { cells, counts: [1], loan: 8 }, ended: 'batch' })
  expect(
    (await there.handouts.next(1, { rows: 1, bytes: 1, allowPartial: false }, OWN_CALL)).results.loan,
  ).toBeUndefined()
  expect(released).toEqual([7, 8])
})

/** Resolves with the reason once the call's signal is aborted. */
function untilAborted(args: readonly unknown[]): Promise<void> {
  const { signal } = args[OPERATIONS.rows.get.call] as Call
  return new Promise((_, reject) => {
    const gone = (): void => reject(new HBaseError('CALLER_GONE', 'gone'))
    if (signal!.aborted) gone()
    else signal!.addEventListener('abort', gone)
  })
}

test('a hang-up reaches the calls under way of its signal, and later ones', async () => {
  const store = await connected(answeringStore())
  answer = untilAborted
  const [mine, others] = [new AbortController(), new AbortController()]
  const get = (signal: AbortSignal): Promise<unknown> =>
    store.rows.get('t' as never, [], { bytes: 1 }, { ...OWN_CALL, signal })
  const [first, second] = [get(mine.signal), get(mine.signal)]
  let isOtherOver = false
  const other = get(others.signal).finally(() => (isOtherOver = true))
  mine.abort()
  for (const call of [first, second, get(mine.signal)])
    await expect(call).rejects.toMatchObject({ code: 'CALLER_GONE' })
  expect(isOtherOver).toBe(false)
  others.abort()
  await expect(other).rejects.toMatchObject({ code: 'CALLER_GONE' })
})

test('once the port is closed, calls under way and later ones are refused, and the store learns that their callers are gone', async () => {
  const store = await connected(answeringStore())
  let gone: Promise<void> | undefined
  const begun = new Promise<void>((resolve) => {
    answer = (args) => {
      resolve()
      return (gone = untilAborted(args))
    }
  })
  const call = { ...OWN_CALL, signal: new AbortController().signal }
  const get = (): Promise<unknown> => store.rows.get('t' as never, [], { bytes: 1 }, call)
  const underWay = get()
  await begun
  ports.port2.close()
  await expect(underWay).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(get()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(gone).rejects.toMatchObject({ code: 'CALLER_GONE' })
})

test('a thread that closes its store leaves that of the other thread open', async () => {
  const store = await connected(answeringStore())
  await threadStore(store, undefined).close()
  expect(await store.catalog.tableExists('t' as never, OWN_CALL)).toBe('t')
})

async function nextOf(id: number): Promise<unknown> {
  return { results: { counts: [id], loan: 3 } }
}

function mayRead(table: string): boolean {
  return table === 't'
}

test('reads that a thread answers itself do not cross', async () => {
  const store = await connected(answeringStore())
  const local = { get: async () => ({ counts: ['local'] }), openScanner: async () => ({ id: 7 }) }
  const given: number[] = []
  const handouts = {
    next: nextOf,
    closeScanner: async () => undefined,
    release: (loan: number) => given.push(loan),
  }
  const own = threadStore(store, { rows: local, handouts, mayRead } as never)
  expect(await own.rows.get('t' as never, [], { bytes: 1 }, OWN_CALL)).toEqual({ counts: ['local'] })
  const { id } = await own.rows.openScanner('t' as never, {} as never, OWN_CALL)
  const { results } = await own.handouts.next(id, { rows: 1, bytes: 1, allowPartial: false }, OWN_CALL)
  expect(results.counts).toEqual([7])
  own.handouts.release(results.loan!)
  expect(given).toEqual([3])
  expect(await own.rows.mutate('t' as never, 'batch' as never, OWN_CALL)).toBe('t')
  const ofStore = await own.rows.get('unknown' as never, [], { bytes: 1 }, OWN_CALL)
  expect(ofStore).not.toEqual({ counts: ['local'] })
})
