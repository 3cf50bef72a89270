/** Several operations in one request. A multi that only has checks is answered. Any other one changes something, and is refused. */

import { HBaseError } from '../../../model/errors.ts'
import { ERROR_CODE, MULTI_ERROR, OP_CODE } from '../../../wire/zookeeper/codes.ts'
import { encodeFrame, FRAME_BYTES_MAX, type FramePart, part } from '../../../wire/zookeeper/frames.ts'
import type { JuteReader } from '../../../wire/zookeeper/jute-reader.ts'
import {
  CHECK_VERSION_REQUEST,
  ERROR_RESPONSE,
  MULTI_HEADER,
  type MultiHeader,
} from '../../../wire/zookeeper/server-records.ts'
import {
  nodePath,
  type Operation,
  type OperationContext,
  type Response,
  unreadable,
  ZooKeeperError,
} from './operation.ts'
import { present, READS } from './reads.ts'

const ANY_VERSION = -1
const END: FramePart = part(MULTI_HEADER, { type: MULTI_ERROR, done: true, err: -1 })

/** Checks the version of a node. Throws NO_NODE, BAD_VERSION. */
function check(reader: JuteReader, { tree }: OperationContext): Response {
  const { path, version } = CHECK_VERSION_REQUEST.read(reader)
  const stat = present(tree.stat(nodePath(path)))
  if (version !== ANY_VERSION && version !== stat.version) throw new ZooKeeperError(ERROR_CODE.badVersion)
  return undefined
}

function* headers(reader: JuteReader): Generator<MultiHeader> {
  for (let header = MULTI_HEADER.read(reader); !header.done; header = MULTI_HEADER.read(reader)) yield header
}

function multi(reader: JuteReader, context: OperationContext): Response {
  const errors: number[] = []
  let failure: number | undefined
  for (const { type } of headers(reader)) {
    if (type !== OP_CODE.check) throw new ZooKeeperError(ERROR_CODE.notReadOnly)
    const err = errorOf(() => void check(reader, context))
    errors.push(failure === undefined ? err : ERROR_CODE.runtimeInconsistency)
    if (err !== ERROR_CODE.ok) failure ??= err
  }
  const results = errors.map((err) => (failure === undefined ? succeeded(OP_CODE.check) : failed(err)))
  return joined([...results, END])
}

async function multiRead(reader: JuteReader, context: OperationContext): Promise<Response> {
  const results: FramePart[] = []
  let bytes = 0
  for (const { type } of headers(reader)) {
    if (type !== OP_CODE.getData && type !== OP_CODE.getChildren) {
      throw unreadable(`the operation ${type} among reads`)
    }
    const read = type === OP_CODE.getData ? READS.getData : READS.getChildren
    try {
      const result = joined([succeeded(type), (await read(reader, context))!])
      bytes += encodeFrame(result).length
      if (bytes > FRAME_BYTES_MAX) throw new HBaseError('OVERLOADED', 'several reads have too long an answer')
      results.push(result)
    } catch (error) {
      if (!(error instanceof ZooKeeperError)) throw error
      results.push(failed(error.err))
    }
  }
  return joined([...results, END])
}

function succeeded(type: number): FramePart {
  return part(MULTI_HEADER, { type, done: false, err: ERROR_CODE.ok })
}

function failed(err: number): FramePart {
  return joined([part(MULTI_HEADER, { type: MULTI_ERROR, done: false, err }), part(ERROR_RESPONSE, { err })])
}

function joined(parts: readonly FramePart[]): FramePart {
  return (writer) => {
    for (const write of parts) write(writer)
  }
}

function errorOf(work: () => void): number {
  try {
    work()
    return ERROR_CODE.ok
  } catch (error) {
    if (error instanceof ZooKeeperError) return error.err
    throw error
  }
}

export const SEVERAL: Readonly<Record<'check' | 'multi' | 'multiRead', Operation>> = {
  check,
  multi,
  multiRead,
}
