/** Takes the changes of another cluster: HBase's replication with this server as its target. HBase: RSRpcServices.replicateWALEntry. */

import { sinkFiguresOf } from '../../../../gateway/catalog/sink-figures.ts'
import { MemoryGrant } from '../../../../gateway/limits/memory-grant.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { inTurnsIfMany } from '../../../../model/many-a-turn.ts'
import { isSystemTable } from '../../../../model/table-name.ts'
import { type Call, checkIsAwaited, onOwnBehalf } from '../../../../store/call.ts'
import type { RpcAnswer, RpcHandler } from '../../contract/rpc-service.ts'
import type { AdminContext } from '../admin-context.ts'
import { loadMarkedFiles } from './load-marked-files.ts'
import { readReplicateRequest } from './read-entries.ts'
import { type BulkLoadMarker, receivedChanges } from './received-changes.ts'
import type { TableChanges } from './table-changes.ts'

/** An answer without fields, to a change. */
const DONE: RpcAnswer = { write: () => undefined, isOfChange: true }

export function replicateHandler({ store, server, memory }: AdminContext): RpcHandler {
  const { rows, catalog, upkeep } = store
  const { permissions, labels } = upkeep
  const figures = sinkFiguresOf(server)
  const callOf = (changes: TableChanges, call: Call): Call => {
    // The other cluster's users have set permissions and labels of cells; here they are written with the rights of the server, as by HBase.
    const isOwn = changes.areChecked && permissions !== undefined && !catalog.hasSystemTables
    return isOwn && !isSystemTable(changes.table) ? onOwnBehalf(call) : call
  }
  return async ({ parameter, cells, call, takesTags = false }) => {
    await permissions?.replicateLogEntries(call)
    const bytes = parameter.end - parameter.at
    const request = await inTurnsIfMany(bytes, readReplicateRequest(parameter))
    const grant = new MemoryGrant(memory, false, call.memory)
    const takeMemory = (taken: number): void => grant.take(taken, 'what the call has')
    let bulkLoads: readonly BulkLoadMarker[]
    try {
      const receiving = { takesTags, hasLabels: labels !== undefined, takeMemory }
      const received = await inTurnsIfMany(
        bytes + cells.byteLength,
        receivedChanges(request.entries, cells, receiving),
      )
      if (received.hadLabelNumbers && (await labels?.areEnforced(call)) === true) throw foreignNumbers()
      for (const changes of received.tables) {
        checkIsAwaited(call, Date.now())
        const [failure] = await rows.mutate(changes.table, changes.batch(), callOf(changes, call))
        if (failure !== undefined) throw failure.error
      }
      ;({ bulkLoads } = received)
    } finally {
      grant.release()
    }
    const files = await loadMarkedFiles(bulkLoads, request, store, call)
    const { length } = request.entries
    if (length > 0) figures.applied(length + files, request.lastWrittenMs, Date.now())
    return DONE
  }
}

function foreignNumbers(): HBaseError {
  return new HBaseError(
    'REFUSED',
    'a cell has numbers of labels, which are those of its own cluster: the source must send labels as text, by VisibilityReplication in hbase.coprocessor.regionserver.classes',
  )
}
