/** Refusals over HTTP. Some Thrift clients read the body of a response with any status, so that the body is a Thrift exception. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { EMPTY } from '../../../model/bytes.ts'
import { BinaryWriter } from '../../../wire/thrift/binary-writer.ts'
import { CompactWriter } from '../../../wire/thrift/compact-writer.ts'
import { Output } from '../../../wire/thrift/output.ts'
import { ApplicationError, writeApplicationError } from '../../../wire/thrift/service-codec.ts'
import { detectDialect } from './dialect.ts'

export const THRIFT_TYPE = 'application/x-thrift'

/**
 * The reason as Thrift's own exception; undefined for a client that does not state Thrift as its content type. The part of the body that has come
 * shows the protocol, and the rest is not waited for; without a body it is binary. The method's name stays empty: no client reads it.
 */
export function refusedCall(request: IncomingMessage, reason: string): Buffer | undefined {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (type.trim().toLowerCase() !== THRIFT_TYPE) return undefined
  const begin = (request.read() as Buffer | null) ?? EMPTY
  const dialect = detectDialect(begin)
  const isCompact = typeof dialect === 'object' && 'protocol' in dialect && dialect.protocol === 'compact'
  const output = new Output()
  const writer = isCompact ? new CompactWriter(output) : new BinaryWriter(output)
  writeApplicationError(writer, '', 0, ApplicationError.INTERNAL_ERROR, reason)
  return output.take()
}

/** Sends an exception of a call, with the status of HBase's servlet: 200. The rest of the request is read and dropped. */
export function answerThrift(response: ServerResponse, reply: Buffer): void {
  response.writeHead(200, { 'content-type': THRIFT_TYPE, 'content-length': reply.length })
  response.end(reply)
}
