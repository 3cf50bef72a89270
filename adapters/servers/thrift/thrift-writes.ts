/** Puts and deletes of many rows over Thrift 2. */

import { type ErrorCode, isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import type { ProtocolWriter } from '../../../src/wire/thrift/protocol.ts'
import { writePuts } from '../../../src/wire/thrift/puts-writer.ts'
import { checkTimestamps } from '../reach/sent-cells.ts'
import { REQUEST_ERRORS } from '../requests/request-errors.ts'
import { type Contents, contentsOf, fieldsOf, tdeletes, tmutations } from './mutation-structs.ts'
import type { ThriftServer } from './thrift-server.ts'

/** The most bytes of cells in one message. */
const MESSAGE_BYTES = 4 * 1024 * 1024
const OF_ALL: ReadonlySet<ErrorCode> = new Set(REQUEST_ERRORS)

/** The error, or the one whose code the server left out. */
export type WithReason = (error: unknown, table: TableName, call: Call) => Promise<unknown>

export class ThriftWrites {
  readonly #server: ThriftServer
  readonly #withReason: WithReason

  constructor(server: ThriftServer, withReason: WithReason) {
    this.#server = server
    this.#withReason = withReason
  }

  /** As Rows.mutate. */
  async mutate(table: TableName, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    const failures: MutationFailure[] = []
    for (let first = 0; first < batch.length; ) {
      const contents = contentsOf(batch.blockOf(first))
      if (contents === 'nothing') {
        first++
        continue
      }
      const end = contents === 'both' ? first + 1 : endOfRun(batch, first, contents)
      try {
        await this.#send(table, batch, first, end, contents, call)
      } catch (error) {
        if (!isHBaseError(error) || OF_ALL.has(error.code)) throw error
        if (end === first + 1) failures.push({ index: first, error })
        else failures.push(...(await this.#eachAlone(table, batch, first, end, contents, call)))
      }
      first = end
    }
    return failures
  }

  /** Sends each mutation alone after the server has refused one of them, so that the others succeed. */
  async #eachAlone(
    table: TableName,
    batch: MutationBatch,
    first: number,
    end: number,
    contents: Contents,
    call: Call,
  ): Promise<MutationFailure[]> {
    const failures: MutationFailure[] = []
    for (let index = first; index < end; index++) {
      try {
        await this.#send(table, batch, index, index + 1, contents, call)
      } catch (error) {
        if (!isHBaseError(error) || OF_ALL.has(error.code)) throw error
        failures.push({ index, error })
      }
    }
    return failures
  }

  async #send(
    table: TableName,
    batch: MutationBatch,
    first: number,
    end: number,
    contents: Contents,
    call: Call,
  ): Promise<void> {
    const indexes = Array.from({ length: end - first }, (_, i) => first + i)
    const name = Buffer.from(table)
    for (const index of indexes) checkTimestamps(batch.blockOf(index))
    try {
      if (contents === 'puts') {
        const puts = indexes.map((index) => ({
          cells: batch.blockOf(index),
          ...fieldsOf(batch.options[index]!),
        }))
        const tputs = (writer: ProtocolWriter): void => writePuts(writer, puts)
        const args = { table: name, tputs }
        await this.#server.ask({ operation: `put to ${table}`, method: 'putMultiple', args }, call)
      } else if (contents === 'deletes') {
        const structs = indexes.flatMap((index) => tdeletes(batch.blockOf(index), batch.options[index]!))
        const args = { table: name, tdeletes: structs }
        await this.#server.ask({ operation: `delete from ${table}`, method: 'deleteMultiple', args }, call)
      } else {
        const block = batch.blockOf(first)
        const row = block.buffer.subarray(
          block.start + 14,
          block.start + 14 + block.buffer.readUInt16BE(block.start + 12),
        )
        const args = {
          table: name,
          trowMutations: { row, mutations: tmutations(block, batch.options[first]!) },
        }
        await this.#server.ask({ operation: `change of ${table}`, method: 'mutateRow', args }, call)
      }
    } catch (error) {
      throw await this.#withReason(error, table, call)
    }
  }
}

/** The mutation behind the last of those from `first` on that have the same contents and go together. */
function endOfRun(batch: MutationBatch, first: number, contents: Contents): number {
  const start = first === 0 ? 0 : batch.ends[first - 1]!
  let end = first + 1
  while (end < batch.length && batch.ends[end - 1]! - start < MESSAGE_BYTES) {
    if (contentsOf(batch.blockOf(end)) !== contents) break
    end++
  }
  return end
}
