/** Labels in requests, as the attribute VISIBILITY of reads and changes. HBase: Query.setAuthorizations, Mutation.setCellVisibility. */

import { create, toBinary } from '@bufbuild/protobuf'
import { AuthorizationsSchema, CellVisibilitySchema } from './gen/client_pb.ts'

/** HBase: VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY. */
export const VISIBILITY_ATTRIBUTE = 'VISIBILITY'

/** The message with the expression of a mutation. */
export function expressionMessage(expression: string): Buffer {
  return Buffer.from(toBinary(CellVisibilitySchema, create(CellVisibilitySchema, { expression })))
}

/** The message with the labels of a get or scan. */
export function authorizationsMessage(labels: readonly string[]): Buffer {
  return Buffer.from(toBinary(AuthorizationsSchema, create(AuthorizationsSchema, { label: [...labels] })))
}
