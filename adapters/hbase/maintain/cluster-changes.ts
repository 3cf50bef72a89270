/** The changes of a server that is a Tidegate on its own engine: HBase's servers do not have this service. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { checkCellBlock } from '../../../src/model/check-cell-block.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type {
  Change,
  Changes,
  LogHold,
  PartOfChanges,
  TableMarks,
  WantedChanges,
} from '../../../src/store/changes.ts'
import { CHANGES_SERVICE } from '../../../src/wire/rpc/changes-service.ts'
import { ChangesService, type LoggedChange } from '../../../src/wire/rpc/gen/changes_pb.ts'
import type { Master } from '../admin/master.ts'
import type { Retrier } from '../retry/retrier.ts'
import { askOwnService, type OwnService } from './own-service.ts'

const { method } = ChangesService
const SERVICE: OwnService = {
  name: CHANGES_SERVICE,
  operation: 'the changes of rows',
  refusal:
    'this server does not hand out the changes of its rows: it is an HBase, whose replication (add_peer) does that, a Tidegate in front of one, or a Tidegate on --store memory',
}

export class ClusterChanges implements Changes {
  readonly #master: Master
  readonly #time: Pick<Retrier['time'], 'now'>

  constructor(master: Master, time: Pick<Retrier['time'], 'now'>) {
    this.#master = master
    this.#time = time
  }

  async lastChange(call: Call): Promise<number> {
    return Number((await this.#ask(method.last, {}, call)).position)
  }

  async firstPosition(call: Call): Promise<number> {
    return Number((await this.#ask(method.first, {}, call)).position)
  }

  /** The server waits only a short time in each call. */
  async readChanges(position: number, wanted: WantedChanges, call: Call): Promise<PartOfChanges> {
    const until = this.#time.now() + wanted.waitMs
    for (let from = position; ; ) {
      const part = await this.#read(from, { ...wanted, waitMs: Math.max(0, until - this.#time.now()) }, call)
      from = part.position
      if (part.changes.length > 0 || part.left > 0 || this.#time.now() >= until) return part
    }
  }

  async #read(
    position: number,
    { table, families, bytes, waitMs, ofSystem }: WantedChanges,
    call: Call,
  ): Promise<PartOfChanges> {
    const message = {
      position: BigInt(position),
      ...(table !== undefined && { table }),
      ...(ofSystem === true && { ofSystem }),
      ofFamilies: families !== undefined,
      families: families?.map((family) => family as Uint8Array<ArrayBuffer>) ?? [],
      bytes: uint32(bytes),
      waitMs: uint32(waitMs),
    }
    const answer = await this.#ask(method.read, message, call)
    const since = Number(answer.waitingSince)
    return {
      changes: answer.changes.map(changeOf),
      position: Number(answer.position),
      left: Number(answer.left),
      waitingSince: since === 0 ? undefined : since,
      ...(answer.catalogVersion !== '' && { catalogVersion: answer.catalogVersion }),
    }
  }

  async tableMarks(call: Call): Promise<TableMarks> {
    const { version, tables } = await this.#ask(method.marks, {}, call)
    return {
      version,
      tables: tables.map(({ table, isEnabled, isUnlogged, mark, since, families }) => ({
        table: parseTableName(table),
        isEnabled,
        isUnlogged,
        mark: Number(mark),
        since: Number(since),
        families: families.map((family) => ({ name: Buffer.from(family.name), since: Number(family.since) })),
      })),
    }
  }

  async logHolds(call: Call): Promise<LogHold[]> {
    const { holds } = await this.#ask(method.holds, {}, call)
    return holds.map(({ name, position, keepBytesMax, left, loss, unlogged }) => ({
      name,
      position: Number(position),
      keepBytesMax: Number(keepBytesMax),
      left: Number(left),
      loss: loss === '' ? undefined : loss,
      unlogged,
    }))
  }

  async holdLog(
    name: string,
    position: number | undefined,
    keepBytesMax: number,
    call: Call,
  ): Promise<number> {
    const message = {
      name,
      ...(position !== undefined && { position: BigInt(position) }),
      keepBytesMax: BigInt(Math.min(Number.MAX_SAFE_INTEGER, keepBytesMax)),
    }
    return Number((await this.#ask(method.hold, message, call)).position)
  }

  async releaseLog(name: string, call: Call): Promise<void> {
    await this.#ask(method.release, { name }, call)
  }

  #ask<Input extends DescMessage, Output extends DescMessage>(
    asked: DescMethodUnary<Input, Output>,
    message: MessageInitShape<Input>,
    call: Call,
  ): Promise<MessageShape<Output>> {
    return askOwnService(this.#master, SERVICE, asked, message, call)
  }
}

function uint32(number: number): number {
  return Math.min(0xffff_ffff, Math.ceil(number))
}

function changeOf({ table, sequenceId, region, clusterIds, cells }: LoggedChange): Change {
  const block = new CellBlock(Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength))
  checkCellBlock(block)
  return { table: parseTableName(table), sequenceId: Number(sequenceId), region, clusterIds, cells: block }
}
