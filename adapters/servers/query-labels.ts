import { fromBinary } from '@bufbuild/protobuf'
import type { Query } from '../../src/model/query.ts'
import type { StoreReach } from '../../src/store/store-reach.ts'
import { AuthorizationsSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { VISIBILITY_ATTRIBUTE } from '../../src/wire/rpc/label-messages.ts'
import { notAsked } from './not-asked.ts'

/** The labels that a read is made with. Throws UNSUPPORTED for other attributes. */
export function labelsOf({ attributes }: Query, reach: StoreReach): readonly string[] {
  let labels: readonly string[] = []
  for (const [name, value] of attributes ?? []) {
    if (name !== VISIBILITY_ATTRIBUTE) throw notAsked(reach, `the attribute ${name} of a read`)
    labels = fromBinary(AuthorizationsSchema, value).label
  }
  return labels
}
