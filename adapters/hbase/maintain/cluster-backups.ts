/** Backups of a server that is a Tidegate: HBase's servers do not have this service. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { Backups, KeptMoment } from '../../../src/store/backups.ts'
import type { Call } from '../../../src/store/call.ts'
import { BACKUP_SERVICE } from '../../../src/wire/rpc/backup-service.ts'
import { BackupService } from '../../../src/wire/rpc/gen/backup_pb.ts'
import type { Master } from '../admin/master.ts'
import { askOwnService, type OwnService } from './own-service.ts'

const { method } = BackupService
const SERVICE: OwnService = {
  name: BACKUP_SERVICE,
  operation: 'the backup',
  refusal:
    'this server cannot be backed up by this command: it is an HBase, a Tidegate in front of one, or a Tidegate on --store memory',
}

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

  async endBackup(id: string, isMade: boolean, call: Call): Promise<void> {
    await this.#ask(method.end, { id, made: isMade }, call)
  }

  #ask<Input extends DescMessage, Output extends DescMessage>(
    asked: DescMethodUnary<Input, Output>,
    message: MessageInitShape<Input>,
    call: Call,
  ): Promise<MessageShape<Output>> {
    return askOwnService(this.#master, SERVICE, asked, message, call)
  }
}
