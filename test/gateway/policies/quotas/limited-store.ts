/** A memory store that keeps quotas, with a clock of the test's, and requests of clients. */

import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { get, scan } from '../../../../src/model/query.ts'
import type { QuotaChange, QuotaTimeUnit, ThrottleType } from '../../../../src/model/quota.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { TableSize } from '../../../../src/store/quotas.ts'
import type { MutationFailure } from '../../../../src/store/rows.ts'
import type { Compactions, Switches } from '../../../../src/store/upkeep.ts'
import { described } from '../../../store/suite/described-table.ts'

const SERVER = { host: 'localhost', port: 1, startCode: 1 }
export const T: TableName = parseTableName('t')
export const IN_NS: TableName = parseTableName('ns:t')
const ROW = Buffer.from('r')

export function callOf(user?: string): Call {
  return {
    ...OWN_CALL,
    isOwn: false,
    address: '10.0.0.1',
    principal: user === undefined ? undefined : { user },
  }
}

export const NO_CHANGE: QuotaChange = {
  user: undefined,
  table: undefined,
  namespace: undefined,
  regionServer: undefined,
  removesAll: undefined,
  bypassesGlobals: undefined,
  throttle: undefined,
  space: undefined,
}

export class LimitedStore {
  readonly store: AdvertisedStore
  /** The sizes of tables that the store reports. */
  readonly sizes: TableSize[]
  /** The tables and regions of which the store was asked to compact. */
  readonly compacted: readonly string[]
  readonly #clock: { now: number }

  private constructor(
    store: AdvertisedStore,
    sizes: TableSize[],
    compacted: readonly string[],
    clock: { now: number },
  ) {
    this.store = store
    this.sizes = sizes
    this.compacted = compacted
    this.#clock = clock
  }

  /** With the tables t and ns:t. */
  static async open(): Promise<LimitedStore> {
    const sizes: TableSize[] = []
    const clock = { now: 0 }
    const memory = openMemoryStore({ clock: Date })
    const off = new Set<string>()
    const switches: Switches = {
      isOn: async (name) => !off.has(name),
      turn: async (name, on) => {
        const before = !off.has(name)
        if (on) off.delete(name)
        else off.add(name)
        return before
      },
    }
    const compacted: string[] = []
    const compactions: Compactions = {
      compactTable: async (table) => void compacted.push(table),
      compactRegion: async (region) => void compacted.push(region.toString('latin1')),
      compactionState: async () => 'NONE',
    }
    const upkeep = { ...memory.upkeep, switches, compactions, sizes: { tableSizes: async () => sizes } }
    const shown = withSystemTables(advertised({ ...memory, upkeep }, SERVER), SERVER)
    const store = await withQuotas(shown, memory, () => clock.now)
    await store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
    for (const name of [T, IN_NS]) await store.catalog.createTable(described(name), [], OWN_CALL)
    return new LimitedStore(store, sizes, compacted, clock)
  }

  close(): Promise<void> {
    return this.store.close()
  }

  pass(ms: number): void {
    this.#clock.now += ms
  }

  set(stated: Partial<QuotaChange>): Promise<void> {
    return this.store.upkeep.quotas!.setQuota({ ...NO_CHANGE, ...stated }, OWN_CALL)
  }

  throttle(
    whose: Partial<QuotaChange>,
    type: ThrottleType,
    limit: number,
    timeUnit: QuotaTimeUnit = 'MINUTES',
  ): Promise<void> {
    const softLimit = BigInt(limit)
    return this.set({
      ...whose,
      throttle: { type, limit: { timeUnit, softLimit, share: undefined, scope: 'MACHINE' } },
    })
  }

  get(user = 'joe', table: TableName = T, count = 1): Promise<unknown> {
    const gets = Array.from({ length: count }, () => get(ROW))
    return this.store.rows.get(table, gets, { bytes: 1_000_000 }, callOf(user))
  }

  async put(user = 'joe', table: TableName = T, count = 1): Promise<void> {
    const batch = new MutationBatch()
    for (let i = 0; i < count; i++) {
      batch.put(ROW, Buffer.from('f'), Buffer.from('q'), Buffer.from('v'))
      batch.endMutation()
    }
    await applied(this.store.rows.mutate(table, batch, callOf(user)))
  }

  async remove(user = 'joe'): Promise<void> {
    const batch = new MutationBatch().deleteColumn(Buffer.from('gone'), Buffer.from('f'), Buffer.from('q'))
    batch.endMutation()
    await applied(this.store.rows.mutate(T, batch, callOf(user)))
  }

  async scan(user = 'joe'): Promise<void> {
    const { rows, handouts } = this.store
    const { id } = await rows.openScanner(T, scan(), callOf(user))
    try {
      await handouts.next(id, { rows: 10, bytes: 1_000_000, allowPartial: false }, callOf(user))
    } finally {
      await handouts.closeScanner(id)
    }
  }
}

async function applied(mutating: Promise<readonly MutationFailure[]>): Promise<void> {
  const [failure] = await mutating
  if (failure !== undefined) throw failure.error
}

/** `ok`, or why not. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'ok'
  } catch (error) {
    return (error as Error).message
  }
}
