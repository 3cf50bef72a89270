/** Thrift 2's puts and deletes. */

import { MutationBatch } from '../../../../model/mutation.ts'
import type { ThriftHandlers } from '../../thrift-service.ts'
import { mutateAll, mutateOne } from '../batch-error.ts'
import { checkBatchSize, checkPuts } from '../mutation-arguments.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableOf } from '../table-argument.ts'
import { addDelete, addPut } from './mutations.ts'
import type { TDelete, TPut } from './structs.ts'

interface PutArguments {
  readonly table: Buffer
  readonly tput: TPut | MutationBatch
}
interface PutsArguments {
  readonly table: Buffer
  readonly tputs: readonly TPut[] | MutationBatch
}
interface DeleteArguments {
  readonly table: Buffer
  readonly tdelete: TDelete
}
interface DeletesArguments {
  readonly table: Buffer
  readonly tdeletes: readonly TDelete[]
}

export function thrift2Writes({ store, limits }: ServiceContext<unknown>): ThriftHandlers {
  return {
    put: ({ table, tput }: PutArguments) => {
      const batch = tput instanceof MutationBatch ? tput : putsOf([tput])
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateOne(store, tableOf(table), batch)
    },
    putMultiple: ({ table, tputs }: PutsArguments) => {
      const batch = tputs instanceof MutationBatch ? tputs : putsOf(tputs)
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateAll(store, tableOf(table), batch)
    },
    deleteSingle: ({ table, tdelete }: DeleteArguments) =>
      mutateOne(store, tableOf(table), deletesOf([tdelete])),
    /** The deletes that failed; HBase's are none, since it throws when one does. */
    deleteMultiple: async ({ table, tdeletes }: DeletesArguments) => {
      checkBatchSize(tdeletes.length, limits.batchMax)
      await mutateAll(store, tableOf(table), deletesOf(tdeletes))
      return []
    },
  }
}

function putsOf(puts: readonly TPut[]): MutationBatch {
  const batch = new MutationBatch()
  for (const put of puts) addPut(batch, put)
  return batch
}

function deletesOf(deletes: readonly TDelete[]): MutationBatch {
  const batch = new MutationBatch()
  for (const one of deletes) addDelete(batch, one)
  return batch
}
