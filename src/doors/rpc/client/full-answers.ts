/** The refusals of a Multi whose answer has no more room. */

import { HBaseError } from '../../../model/errors.ts'
import type { answerBytesMax, ClientContext } from './client-context.ts'

/** Of a message of Java's protobuf. */
const MESSAGE_BYTES_MAX = 0x7fff_ffff

/** For a client that knows no full answers: HBase sends it all of them, and Tidegate those that it has memory for. */
export function unbounded({ limits, memory }: ClientContext): Parameters<typeof answerBytesMax>[0] {
  return { limits: { ...limits, responseBytesMax: MESSAGE_BYTES_MAX }, memory }
}

export function noMemoryLeft(): HBaseError {
  return new HBaseError('OVERLOADED', 'there is no memory for the whole answer: ask for less at a time')
}

/** The client asks for the rest again at once. */
export function answerIsFull(): HBaseError {
  return new HBaseError('REGION_TOO_BUSY', 'Max size exceeded: the answer is full', {
    javaClass: 'org.apache.hadoop.hbase.MultiActionResultTooLarge',
  })
}
