import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { FileTrackers } from '../../../src/store/file-trackers.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../src/wire/rpc/table-name-message.ts'
import type { Master } from '../admin/master.ts'

const { method } = MasterService
const OF_TABLE = rpcMethod(method.modifyTableStoreFileTracker)
const OF_FAMILY = rpcMethod(method.modifyColumnStoreFileTracker)

/** The trackers of the cluster's tables, which its master changes. */
export class ClusterFileTrackers implements FileTrackers {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  setTracker(table: TableName, family: Buffer | undefined, tracker: string, call: Call): Promise<void> {
    const asked = { tableName: tableNameMessage(table), dstSft: tracker }
    const what = `file tracker of ${table}`
    return family === undefined
      ? this.#master.change(what, OF_TABLE, call, (nonce) => ({ ...asked, ...nonce }))
      : this.#master.change(what, OF_FAMILY, call, (nonce) => ({ ...asked, family, ...nonce }))
  }
}
