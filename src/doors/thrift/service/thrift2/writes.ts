/** Thrift 2's puts and deletes. */

import { MutationBatch } from '../../../../model/mutation.ts'
import type { ThriftHandlers } from '../../thrift-service.ts'
import { mutateAll, mutateOne } from '../batch-error.ts'
import { checkBatchSize, checkPuts } from '../mutation-arguments.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'
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

export function thrift2Writes({ store: { rows }, limits }: ServiceContext<unknown>): ThriftHandlers {
  return {
    put: ({ table, tput }: PutArguments, call) => {
      const batch = tput instanceof MutationBatch ? tput : putBatch([tput])
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateOne(rows, tableNameFromBytes(table), batch, call)
    },
    putMultiple: ({ table, tputs }: PutsArguments, call) => {
      const batch = tputs instanceof MutationBatch ? tputs : putBatch(tputs)
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateAll(rows, tableNameFromBytes(table), batch, call)
    },
    deleteSingle: ({ table, tdelete }: DeleteArguments, call) =>
      mutateOne(rows, tableNameFromBytes(table), deleteBatch([tdelete]), call),
    /** QUIRK thrift2-deletes-unknown-family-in-one-of-two: HBase throws when a delete fails and so lists no failures. */
    deleteMultiple: async ({ table, tdeletes }: DeletesArguments, call) => {
      checkBatchSize(tdeletes.length, limits.batchMax)
      await mutateAll(rows, tableNameFromBytes(table), deleteBatch(tdeletes), call)
      return []
    },
  }
}

function putBatch(puts: readonly TPut[]): MutationBatch {
  const batch = new MutationBatch()
  for (const put of puts) addPut(batch, put)
  return batch
}

function deleteBatch(deletes: readonly TDelete[]): MutationBatch {
  const batch = new MutationBatch()
  for (const one of deletes) addDelete(batch, one)
  return batch
}
