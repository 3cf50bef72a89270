/** Thrift 2's gets. */

import { giveBack } from '../../../../gateway/loans.ts'
import type { Call } from '../../../../store/call.ts'
import { RowResults, type ThriftHandlers } from '../../thrift-service.ts'
import { existMany, getMany } from '../batch-gets.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableOf } from '../table-argument.ts'
import { existenceGetOf, getOf } from './queries.ts'
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
  const { getLimits } = context
  const { rows, handouts } = context.store
  const exists = async ({ table, tget }: GetArguments, call: Call): Promise<boolean> => {
    const results = await rows.get(tableOf(table), [existenceGetOf(tget)], getLimits, call)
    giveBack(handouts, results)
    return results.counts[0]! > 0
  }

  return {
    exists,
    existsAll: async ({ table, tgets }: GetsArguments, call) =>
      existMany(context, tableOf(table), tgets.map(existenceGetOf), call),
    get: async (args: GetArguments, call) => {
      // Such a get fails in HBase. Here a row without cells says that there is one.
      if (args.tget.existence_only === true) {
        return { row: (await exists(args, call)) ? args.tget.row : undefined, columnValues: [] }
      }
      const results = await rows.get(tableOf(args.table), [getOf(args.tget)], getLimits, call)
      return new RowResults(results, handouts)
    },
    getMultiple: async ({ table, tgets }: GetsArguments, call) =>
      new RowResults(await getMany(context, tableOf(table), tgets.map(getOf), call), handouts),
  }
}
