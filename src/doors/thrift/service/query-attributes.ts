/** Attributes of gets and scans. Both services pass them on, as HBase's gateways do. Thrift 1 has the labels of reads in one of them. */

import { HBaseError } from '../../../model/errors.ts'
import type { Get } from '../../../model/query.ts'
import { VISIBILITY_ATTRIBUTE } from '../../../wire/rpc/label-messages.ts'
import type { AttributeMap } from './mutation-arguments.ts'

/** HBase: Scan.RAW_ATTR. Java's `Scan.setRaw` sets this attribute, to one byte. HBase's servers turn gets into scans, so that gets have it, too. */
const RAW_ATTRIBUTE = Buffer.from('_raw_')

/** Arguments of a read with attributes. */
export interface WithAttributes {
  readonly attributes?: AttributeMap
}

const NONE: Pick<Get, 'attributes' | 'raw'> = { attributes: undefined, raw: false }

/**
 * The attributes of a read as a query has them. `authorizations`: value of Thrift 2's field, which overrides the attribute.
 * Throws ILLEGAL_ARGUMENT for a value of `_raw_` that is not one byte: HBase's client retries such a read for minutes.
 */
export function readAttributes(
  stated: AttributeMap | undefined,
  authorizations?: Buffer,
): Pick<Get, 'attributes' | 'raw'> {
  if ((stated === undefined || stated.length === 0) && authorizations === undefined) return NONE
  const attributes = new Map<string, Buffer>()
  let raw = false
  for (const [name, value] of stated ?? []) {
    if (!name.equals(RAW_ATTRIBUTE)) attributes.set(name.toString(), value)
    else if (value.length === 1) raw = value[0] !== 0
    else throw new HBaseError('ILLEGAL_ARGUMENT', `Array has wrong size: ${value.length}`)
  }
  if (authorizations !== undefined) attributes.set(VISIBILITY_ATTRIBUTE, authorizations)
  return { attributes: attributes.size > 0 ? attributes : undefined, raw }
}
