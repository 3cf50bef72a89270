/** Thrift 2's puts and deletes. */

import { eachInTurns } from '../../../../model/many-a-turn.ts'
import { MutationBatch } from '../../../../model/mutation.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
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
      const batch = tput instanceof MutationBatch ? tput : new MutationBatch()
      if (!(tput instanceof MutationBatch)) addPut(batch, tput)
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateOne(rows, tableNameFromBytes(table), batch, call)
    },
    putMultiple: async ({ table, tputs }: PutsArguments, call) => {
      checkBatchSize(tputs.length, limits.batchMax)
      const batch = tputs instanceof MutationBatch ? tputs : await putBatch(tputs)
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return mutateAll(rows, tableNameFromBytes(table), batch, call)
    },
    deleteSingle: ({ table, tdelete }: DeleteArguments, call) => {
      const batch = new MutationBatch()
      addDelete(batch, tdelete)
      return mutateOne(rows, tableNameFromBytes(table), batch, call)
    },
    /** QUIRK thrift2-deletes-unknown-family-in-one-of-two: HBase throws when a delete fails and so lists no failures. */
    deleteMultiple: async ({ table, tdeletes }: DeletesArguments, call) => {
      checkBatchSize(tdeletes.length, limits.batchMax)
      await mutateAll(rows, tableNameFromBytes(table), await deleteBatch(tdeletes), call)
      return []
    },
  }
}

async function putBatch(puts: readonly TPut[]): Promise<MutationBatch> {
  const batch = new MutationBatch()
  await eachInTurns(puts, (put) => addPut(batch, put))
  return batch
}

async function deleteBatch(deletes: readonly TDelete[]): Promise<MutationBatch> {
  const batch = new MutationBatch()
  await eachInTurns(deletes, (one) => addDelete(batch, one))
  return batch
}
