/** A region in messages of the master and of AdminService, by its full or its encoded name. */

import {
  type RegionSpecifier,
  RegionSpecifier_RegionSpecifierType,
} from '../../../src/wire/rpc/gen/hbase_pb.ts'

const { REGION_NAME, ENCODED_REGION_NAME } = RegionSpecifier_RegionSpecifierType

export type Specifier = Pick<RegionSpecifier, 'type' | 'value'>

export function fullNameSpecifier(name: Buffer): Specifier {
  return { type: REGION_NAME, value: name }
}

export function encodedNameSpecifier(encodedName: Buffer): Specifier {
  return { type: ENCODED_REGION_NAME, value: encodedName }
}
