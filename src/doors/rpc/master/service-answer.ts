/** Answers of the services that run beside the master: HBase calls them coprocessors of the master. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'

/** The Java class of the answers, which no Java program has. */
const ANSWER_CLASSES = 'tidegate.pb.'

export interface ServiceAnswer {
  readonly name: string
  readonly value: Uint8Array<ArrayBuffer>
}

export function serviceAnswer<Schema extends DescMessage>(
  schema: Schema,
  message: MessageInitShape<Schema>,
): ServiceAnswer {
  return { name: `${ANSWER_CLASSES}${schema.name}`, value: toBinary(schema, create(schema, message)) }
}

export function unknownService(service: string): HBaseError {
  return unknownProtocol(
    `No registered Master Coprocessor Endpoint found for ${service}. Has it been enabled?`,
  )
}

export function unknownMethod(service: string, method: string): HBaseError {
  return unknownProtocol(`Unknown method ${method} called on master service ${service}`)
}

function unknownProtocol(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: 'org.apache.hadoop.hbase.exceptions.UnknownProtocolException',
  })
}
