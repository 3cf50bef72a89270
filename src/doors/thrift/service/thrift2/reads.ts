/** Thrift 2's gets. */

import { RowResults, type ThriftHandlers } from '../../thrift-service.ts'
import { getMany } from '../batch-gets.ts'
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

export function thrift2Reads({ store, limits }: ServiceContext<unknown>): ThriftHandlers {
  const existsAll = async ({ table, tgets }: GetsArguments): Promise<boolean[]> => {
    const { counts } = await getMany(store, limits, tableOf(table), tgets.map(existenceGetOf))
    return counts.map((count) => count > 0)
  }
  const exists = async ({ table, tget }: GetArguments): Promise<boolean> => {
    const { counts } = await store.get(tableOf(table), [existenceGetOf(tget)])
    return counts[0]! > 0
  }

  return {
    exists,
    existsAll,
    get: async (args: GetArguments) => {
      // Such a get fails in HBase. Here a row without cells says that there is one.
      if (args.tget.existence_only === true) {
        return { row: (await exists(args)) ? args.tget.row : undefined, columnValues: [] }
      }
      return new RowResults(await store.get(tableOf(args.table), [getOf(args.tget)]))
    },
    getMultiple: async ({ table, tgets }: GetsArguments) =>
      new RowResults(await getMany(store, limits, tableOf(table), tgets.map(getOf))),
  }
}
