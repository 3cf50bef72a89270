/** Backups of a server that is a Tidegate: HBase's servers do not have this service. */

import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Backups, KeptMoment } from '../../../src/store/backups.ts'
import type { Call } from '../../../src/store/call.ts'
import { BACKUP_SERVICE } from '../../../src/wire/rpc/backup-service.ts'
import { BackupService } from '../../../src/wire/rpc/gen/backup_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const EXEC_SERVICE = rpcMethod(MasterService.method.execMasterService)
const { method } = BackupService
/** A master's services have no region. */
const NO_REGION = { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: EMPTY }

export class ClusterBackups implements Backups {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  async beginBackup(call: Call): Promise<KeptMoment> {
    const { id, folder, list } = await this.#ask(method.begin, {}, call)
    return { id, folder, list }
  }

  async readBackup(id: string, file: string, offset: number, length: number, call: Call): Promise<Buffer> {
    const { part } = await this.#ask(method.read, { id, file, offset: BigInt(offset), length }, call)
    return Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  }

  async endBackup(id: string, call: Call): Promise<void> {
    await this.#ask(method.end, { id }, call)
  }

  async #ask<Input extends DescMessage, Output extends DescMessage>(
    asked: DescMethodUnary<Input, Output>,
    message: MessageInitShape<Input>,
    call: Call,
  ): Promise<MessageShape<Output>> {
    const request = toBinary(asked.input, create(asked.input, message))
    const serviceCall = { row: EMPTY, serviceName: BACKUP_SERVICE, methodName: asked.name, request }
    try {
      const asking = { region: NO_REGION, call: serviceCall }
      const { value } = await this.#master.ask('the backup', EXEC_SERVICE, asking, call)
      return fromBinary(asked.output, value?.value ?? EMPTY)
    } catch (error) {
      if (!isHBaseError(error) || !error.javaClass.endsWith('.UnknownProtocolException')) throw error
      const message =
        'this server cannot be backed up by this command: it is an HBase, a Tidegate in front of one, or a Tidegate on --store memory'
      throw new HBaseError('UNSUPPORTED', message, { cause: error })
    }
  }
}
