/** Refusals of a Multi's actions once its answer is full. */

import { HBaseError } from '../../../model/errors.ts'
import type { answerBytesMax, ClientContext } from './client-context.ts'

/** Most bytes of a protobuf message in Java. */
const MESSAGE_BYTES_MAX = 0x7fff_ffff

/** The limits of answers for a client that knows no full answers. HBase sends it all results; Tidegate sends as many as it has memory for. */
export function unbounded({ limits, memory }: ClientContext): Parameters<typeof answerBytesMax>[0] {
  return { limits: { ...limits, responseBytesMax: MESSAGE_BYTES_MAX }, memory }
}

/** The refusal for a client that knows no full answers. */
export function noMemoryLeft(): HBaseError {
  return new HBaseError('OVERLOADED', 'there is no memory for the whole answer: ask for less at a time')
}

/** The refusal for other clients: they ask for the rest again at once. */
export function answerIsFull(): HBaseError {
  return new HBaseError('REGION_TOO_BUSY', 'Max size exceeded: the answer is full', {
    javaClass: 'org.apache.hadoop.hbase.MultiActionResultTooLarge',
  })
}
