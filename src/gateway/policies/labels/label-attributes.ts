/** The attribute in which clients send labels. HBase: Mutation.setCellVisibility, Query.setAuthorizations. */

import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { reasonOf } from '../../../model/error-reason.ts'
import { HBaseError } from '../../../model/errors.ts'
import { AuthorizationsSchema, CellVisibilitySchema } from '../../../wire/rpc/gen/client_pb.ts'
import { VISIBILITY_ATTRIBUTE } from '../../../wire/rpc/label-messages.ts'

const FAILED_SANITY_CHECK = 'org.apache.hadoop.hbase.exceptions.FailedSanityCheckException'

/** The expression for the cells of a mutation; undefined: none. Throws DO_NOT_RETRY for bytes that are no CellVisibility. */
export function expressionIn(attributes: ReadonlyMap<string, Buffer> | undefined): string | undefined {
  const bytes = attributes?.get(VISIBILITY_ATTRIBUTE)
  if (bytes === undefined) return undefined
  const { expression } = decoded(CellVisibilitySchema, bytes, (reason) => failedSanityCheck(reason))
  return expression
}

/**
 * The labels that a read names; undefined: none. Throws DO_NOT_RETRY for bytes that are no Authorizations. HBase throws a
 * DeserializationException within an IOException, for which clients retry in vain.
 */
export function authorizationsIn(
  attributes: ReadonlyMap<string, Buffer> | undefined,
): readonly string[] | undefined {
  const bytes = attributes?.get(VISIBILITY_ATTRIBUTE)
  if (bytes === undefined) return undefined
  const exception = 'org.apache.hadoop.hbase.exceptions.DeserializationException'
  return decoded(
    AuthorizationsSchema,
    bytes,
    (reason) => new HBaseError('DO_NOT_RETRY', `${exception}: ${reason}`),
  ).label
}

export function failedSanityCheck(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, { javaClass: FAILED_SANITY_CHECK })
}

function decoded<Schema extends DescMessage>(
  schema: Schema,
  bytes: Buffer,
  refusal: (reason: string) => HBaseError,
): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes)
  } catch (error) {
    throw refusal(`com.google.protobuf.InvalidProtocolBufferException: ${reasonOf(error)}`)
  }
}
