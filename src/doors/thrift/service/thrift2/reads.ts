/** Thrift 2's gets. */

import { giveBack } from '../../../../gateway/reads/loans.ts'
import { eachInTurns } from '../../../../model/many-a-turn.ts'
import type { Get } from '../../../../model/query.ts'
import type { Results } from '../../../../model/results.ts'
import type { Call } from '../../../../store/call.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import { existMany, getMany } from '../batch-gets.ts'
import { largeFiltersRead } from '../filter-argument.ts'
import { getAnswer, getsAnswer } from '../get-answer.ts'
import { checkBatchSize } from '../mutation-arguments.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { existenceGet, readingGet } from './queries.ts'
import type { TGet } from './structs.ts'

interface GetArguments {
  readonly table: Buffer
  readonly tget: TGet
}
interface GetsArguments {
  readonly table: Buffer
  readonly tgets: readonly TGet[]
}

export function thrift2Reads(context: ServiceContext<unknown>): ThriftHandlers {
  const { getLimits, limits } = context
  const { rows, handouts } = context.store
  const exists = async ({ table, tget }: GetArguments, call: Call): Promise<boolean> => {
    const large = largeFiltersRead(tget)
    if (large !== undefined) await large
    const results = await rows.get(
      tableNameFromBytes(table),
      [{ ...existenceGet(tget), existenceOnly: true }],
      getLimits,
      call,
    )
    giveBack(handouts, results)
    return results.counts[0]! > 0
  }

  const getsOf = async (tgets: readonly TGet[], getOf: (tget: TGet) => Get): Promise<Get[]> => {
    checkBatchSize(tgets.length, limits.batchMax)
    for (const tget of tgets) {
      const large = largeFiltersRead(tget)
      if (large !== undefined) await large
    }
    const gets: Get[] = []
    await eachInTurns(tgets, (tget) => gets.push(getOf(tget)))
    return gets
  }

  return {
    exists,
    existsAll: async ({ table, tgets }: GetsArguments, call) =>
      existMany(context, tableNameFromBytes(table), await getsOf(tgets, existenceGet), call),
    get: async ({ table, tget }: GetArguments, call) => {
      const large = largeFiltersRead(tget)
      if (large !== undefined) await large
      // HBase fails on the answer to such a get, so that its own refusals come first.
      if (tget.existence_only === true) await exists({ table, tget }, call)
      const one = readingGet(tget)
      return getAnswer(context, tableNameFromBytes(table), one, call, (results) => ({
        isStale: areStale([one], results),
      }))
    },
    getMultiple: async ({ table, tgets }: GetsArguments, call) => {
      const gets = await getsOf(tgets, readingGet)
      const got = await getMany(context, tableNameFromBytes(table), gets, call)
      return getsAnswer(context, got, { isStale: areStale(gets, got.results) })
    },
  }
}

/** For each result, true where it is stale. In a store without real copies, results of a named copy are stale, too, as in native RPC. */
function areStale(gets: readonly Get[], { stale }: Results): boolean | readonly boolean[] {
  if (stale !== undefined) return stale
  return gets.some(isOfCopy) ? gets.map(isOfCopy) : false
}

function isOfCopy({ replica = 0 }: Get): boolean {
  return replica !== 'any' && replica > 0
}
