import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { decodeFilter } from '../../../filter/protobuf/decode-filter.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { ThriftException } from '../thrift-service.ts'

/** A filter in the filter language or, for Thrift 2, as HBase's protobuf. */
export interface FilterArguments {
  readonly filterString?: Buffer
  readonly filterBytes?: Buffer
}

/**
 * The only place at which filters enter the services. Throws ILLEGAL_ARGUMENT for the string, TIOError for the bytes.
 * QUIRK filter-unread-bytes-and-string: HBase obeys the bytes where both are sent, but refuses an illegal string first.
 */
export function parseFilterArguments({ filterString, filterBytes }: FilterArguments): Filter | undefined {
  const stated = filterString === undefined ? undefined : parseFilterString(filterString)
  return filterBytes === undefined ? stated : parseFilterBytes(filterBytes)
}

/** QUIRK filter-bytes-unsound-xff: HBase answers the protobuf library's message without the class of any exception. */
function parseFilterBytes(filterBytes: Buffer): Filter {
  try {
    return decodeFilter(filterBytes)
  } catch (cause) {
    if (!isHBaseError(cause) || cause.code !== 'DO_NOT_RETRY') throw cause
    throw new ThriftException('TIOError', { message: cause.message, canRetry: false }, { cause })
  }
}
